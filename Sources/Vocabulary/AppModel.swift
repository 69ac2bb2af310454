// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Properties of one app that do not depend on the phone: sizes, launch costs, background work, quality of its code.
///
/// Values are means. A run draws around them with the stated spread, from the app's own random streams.
public struct AppModel: Sendable {
    /// Name of the app, unique in a run; also the key of its random streams.
    public var name: String
    /// Category in kebab-case, for instance `social-feed`.
    public var category: String

    /// Kind of the app's activity on screen; it decides which parts of the phone run.
    public var activity = ActivityClass.general

    /// Median footprint while the user looks at the app.
    public var foregroundFootprint: ByteCount
    /// Standard deviation of ln(footprint) between launches.
    public var footprintSigma: Double
    /// Footprint to which the app trims itself in the background.
    public var backgroundFootprint: ByteCount
    /// File-backed pages that a launch brings into the cache.
    ///
    /// A relaunch is warm while all of these pages stay cached; each missing page makes it longer.
    public var launchFiles: ByteCount
    /// Share of the footprint dropped on a memory warning, 0 to 1.
    public var warningDrop: Double
    /// Growth in an hour on screen, as a share of the ordinary footprint on screen; trimmed when the user leaves.
    public var growthPerHour = 0.0
    /// Memory leaked in an hour on screen, which is freed only when the process ends.
    public var leakPerHour = ByteCount.zero
    /// Bytes of the app's memory per byte in the compressor pool; nil for the device's ratio.
    public var compressorRatio: Double?
    /// Factor that multiplies the device's compression ratio for this app's memory.
    public var compressibility = 1.0
    /// Share of the app's memory in the background that it touches when it is opened.
    ///
    /// If it is nil, `foreground_decompressed_share` of the device applies to the compressed part.
    public var hotShare: Double?
    /// Whether the model describes a daemon or an extension, which no user opens.
    public var isSystem = false
    /// Number of windows that the user keeps open on a tablet; the footprints above are for one window.
    public var windows: Int
    /// Memory of each further window; freed when the window is disconnected.
    public var windowMemory: ByteCount

    /// Median time of a resume.
    public var resumeTime: SimDuration
    /// Median time of a warm launch, without embedded SDKs.
    public var warmLaunchTime: SimDuration
    /// Median time of a cold launch, without embedded SDKs.
    public var coldLaunchTime: SimDuration
    /// Standard deviation of ln(launch time).
    public var launchSigma: Double
    /// Time that the initialisation of embedded SDKs adds to warm and cold launches.
    public var sdkLaunchTime: SimDuration
    /// Bytes that a warm or cold launch fetches before the app shows anything; zero for no request.
    public var launchRequest = ByteCount.zero
    /// Time until the server answers the request of a launch.
    public var launchRequestWait = SimDuration.zero
    /// Probability that the request of a launch gets no answer before it times out.
    public var launchRequestStalls = 0.0

    /// Mean number of busy cores while the user looks at the app, in reference-core seconds per second, 0 to a few.
    public var foregroundLoad: Double
    /// Data moved per second while the user looks at the app.
    public var foregroundRate: DataRate
    /// Share of the time on screen for which the app's traffic keeps the receiver awake, 0 to 1.
    ///
    /// If it is nil, the share of the activity class applies.
    public var foregroundListening: Double?
    /// Whether the load of the activity class on this phone applies, because the app states no load.
    public var followsActivityLoad = false
    /// Whether the data rate of the activity class on this phone applies, because the app states no rate.
    public var followsActivityRate = false

    /// Time from a refresh to the earliest begin of the next; zero for no refreshes.
    public var refreshPeriod: SimDuration
    /// Processor time of one refresh.
    public var refreshProcessorTime: SimDuration
    /// Time for which one refresh waits for its server, besides processor time and transfer.
    public var refreshWait: SimDuration
    /// Bytes that one refresh fetches.
    public var refreshBytes: ByteCount
    /// Parts of the phone that the refreshes switch on.
    ///
    /// For most apps, only their use of the network is known.
    public var refreshHardware = WakeHardware.network
    /// Whether a refresh is due one period after the previous due time, whenever the previous one ran, like Android's
    /// alarms.
    ///
    /// The first refresh is due within the first period of a run.
    public var refreshRepeats = false
    /// Whether the app keeps a pending request (`getPendingTaskRequests`) instead of submitting a new one.
    ///
    /// A new request would postpone the earliest begin by one period.
    public var refreshKeepsPending = false
    /// Whether the refreshes are alarms without a window (`AlarmManager.setExact`).
    public var refreshIsExact = false
    /// Whether the refreshes are expedited jobs (`JobInfo.Builder.setExpedited`).
    public var refreshIsExpedited = false
    /// Number of requests that the app makes at each return to the screen, each as large as a refresh.
    public var returnRequests = 0
    /// Mean number of processing requests per day; may be zero.
    public var processingPerDay: Double
    /// Processor time of one processing task.
    public var processingTime: SimDuration
    /// Number of processors that processing keeps busy.
    ///
    /// Above 0.8, the system ends the work after 48 s of processor time, unless the request needs external power.
    public var processingLoad: Double
    /// Whether processing requests need external power.
    public var processingNeedsPower: Bool
    /// Whether processing requests need a network.
    public var processingNeedsNetwork: Bool

    /// Time from one chained processing request to the next; zero if requests are not chained.
    ///
    /// Chained requests are additional to those of `processingPerDay`. Each chained request asks for the next one after
    /// this time, as refreshes do.
    public var processingPeriod: SimDuration
    /// Hour of the day at which a processing request may begin at the earliest; below zero for at once.
    ///
    /// The request may begin when this hour comes for the first time after the submission.
    public var processingHour = -1.0
    /// Whether the processing requests are those of a health study, with its entitlement and the user's consent.
    public var healthResearch: Bool

    /// New content per day on the app's servers.
    public var contentPerDay: Double
    /// Pushes sent to the app per day.
    public var pushesPerDay: Double

    /// Whether the app saves its state when it leaves the foreground; otherwise it saves only every `savePeriod`.
    public var savesOnBackground: Bool
    /// Time between saves in the foreground.
    public var savePeriod: SimDuration
    /// Probability that a refresh requests the next one and so continues the chain.
    public var resubmitProbability: Double
    /// Probability that background work reports its completion before its time is up.
    public var completionProbability: Double
    /// Whether the app has set a handler for the expiration of background work.
    ///
    /// Without a handler, the system reports the work as not successful. With a handler, the app must report the
    /// result.
    public var handlesExpiration: Bool
    /// Share of the app's computing and streaming on screen that continues in Low Power Mode or on a low battery.
    ///
    /// An app with a share below 1 also saves its state when Low Power Mode begins. The default of 1 is an assumption:
    /// no source counts the apps that read `isLowPowerModeEnabled`.
    public var lowPowerWork = 1.0
    /// Time that the app computes in `willResignActive` when the user leaves it; the user waits for this time.
    ///
    /// Correct code needs no time. No source states the time of other apps; assumption, 0 to 2 s.
    public var resignTime = SimDuration.zero
    /// Duration of the save that begins when the user leaves the app; zero for an instant save; assumption, 0 to 30 s.
    public var saveTime = SimDuration.zero
    /// Whether the app holds a task assertion after leaving the foreground.
    public var finishesTask: Bool
    /// Time for which the app works under the task assertion of `finishesTask`.
    public var finishTime: SimDuration

    /// Faults of the app's code.
    public var faults: AppFaults

    /// Weight of the app among the user's opens, relative to other apps; 0 for apps that the user never opens.
    public var popularity: Double
    /// Opens on a mean day, independent of popularity; zero if popularity decides.
    public var opensPerDay = 0.0
    /// Share of the user's opens that go to this app, independent of popularity; zero if popularity decides.
    public var opensShare = 0.0
    /// Whether the experiment studies this app; its pushes, processing and widget are then kept as declared.
    public var isStudied = false
    /// Whether Background App Refresh is switched on for the app.
    public var refreshEnabled: Bool
    /// Whether the app states that switch itself; the persona's share of apps with the switch on then does not apply.
    public var refreshIsStated = false

    /// Pushes, transfers, background modes and widgets.
    public var traits = BackgroundTraits()
    /// Declarations of the app to the system.
    public var declares = AppDeclarations()
    /// Files of the app on the phone's storage.
    public var files = AppFiles()

    /// Creates an app with the given name and neutral values, which a catalogue replaces.
    public init(name: String, category: String) {
        self.name = name
        self.category = category
        foregroundFootprint = .mebibytes(90)
        footprintSigma = 0.35
        backgroundFootprint = .mebibytes(45)
        launchFiles = .mebibytes(60)
        warningDrop = 0.2
        windows = 1
        windowMemory = .zero
        resumeTime = .milliseconds(150)
        warmLaunchTime = .milliseconds(450)
        coldLaunchTime = .milliseconds(700)
        launchSigma = 0.25
        sdkLaunchTime = .zero
        foregroundLoad = 0.3
        foregroundRate = .zero
        refreshPeriod = .zero
        refreshProcessorTime = .milliseconds(500)
        refreshWait = .seconds(1)
        refreshBytes = .kibibytes(30)
        processingPerDay = 0
        processingTime = .minutes(1)
        processingLoad = 0.75
        processingNeedsPower = false
        processingNeedsNetwork = false
        processingPeriod = .zero
        healthResearch = false
        contentPerDay = 0
        pushesPerDay = 0
        savesOnBackground = true
        savePeriod = .minutes(1)
        resubmitProbability = 1
        completionProbability = 1
        handlesExpiration = true
        finishesTask = false
        finishTime = .seconds(2)
        faults = AppFaults()
        popularity = 0
        refreshEnabled = true
    }
}

extension AppModel {
    /// Largest number of windows of an app.
    public static let mostWindows = 8

    /// Processor load on screen that the app states, independent of its activity.
    private var statedLoad: Double {
        get { foregroundLoad }
        set { (foregroundLoad, followsActivityLoad) = (newValue, false) }
    }

    /// Data rate on screen that the app states, independent of its activity.
    private var statedRate: DataRate {
        get { foregroundRate }
        set { (foregroundRate, followsActivityRate) = (newValue, false) }
    }

    /// Share of the time on screen for which traffic keeps the receiver awake, as the app states it.
    private var statedListening: Double {
        get { foregroundListening ?? 0 }
        set { foregroundListening = newValue }
    }

    /// Switch of Background App Refresh that the app states, independent of the persona.
    private var statedRefresh: Bool {
        get { refreshEnabled }
        set { (refreshEnabled, refreshIsStated) = (newValue, true) }
    }

    /// Compressor ratio that the app states, independent of the device.
    private var statedCompressorRatio: Double {
        get { compressorRatio ?? 0 }
        set { compressorRatio = newValue }
    }

    /// Share of its memory that the app touches when it is opened, as the app states it.
    private var statedHotShare: Double {
        get { hotShare ?? 1 }
        set { hotShare = newValue }
    }

    /// The keys in `memory`, with their allowed values.
    public static let memoryKeys: [FileKey<AppModel>] = [
        .bytes(\.foregroundFootprint, "foreground"),
        .number(\.footprintSigma, "sigma", 0...5, example: "0.35"),
        .bytes(\.backgroundFootprint, "background"),
        .bytes(\.launchFiles, "launch_files"),
        .share(\.warningDrop, "warning_drop"),
        .quantity(\.growthPerHour, "growth_per_hour", .fraction, 0...100),
        .bytes(\.leakPerHour, "leak_per_hour", 0...1e12),
        .number(\.statedCompressorRatio, "compressor_ratio", 1...20, example: "2.7"),
        .number(\.compressibility, "compressibility", 0.1...10, example: "0.9"),
        .share(\.statedHotShare, "hot_share"),
        .bytes(\.traits.workFootprint, "work"),
        .integer(\.windows, "windows", 1...AppModel.mostWindows, example: "3"),
        .bytes(\.windowMemory, "window"),
    ]

    /// The keys in `launch`, with their allowed values.
    public static let launchKeys: [FileKey<AppModel>] = [
        .time(\.resumeTime, "resume"),
        .time(\.warmLaunchTime, "warm"),
        .time(\.coldLaunchTime, "cold"),
        .number(\.launchSigma, "sigma", 0...5, example: "0.35"),
        .time(\.sdkLaunchTime, "sdk"),
        .bytes(\.launchRequest, "request"),
        .time(\.launchRequestWait, "request_wait", 0...3600),
        .share(\.launchRequestStalls, "request_stalls"),
    ]

    /// The keys in `use`, with their allowed values.
    public static let useKeys: [FileKey<AppModel>] = [
        .number(\.statedLoad, "load", 0...16, example: "0.3"),
        .amount(\.statedRate, "rate", .dataRate),
        .share(\.statedListening, "listening"),
        .number(\.popularity, "popularity", 0...1e6, example: "10"),
    ]

    /// The keys in `refresh`, with their allowed values.
    public static let refreshKeys: [FileKey<AppModel>] = [
        .time(\.refreshPeriod, "every", 0...9e6),
        .time(\.refreshProcessorTime, "processor"),
        .time(\.refreshWait, "wait"),
        .bytes(\.refreshBytes, "bytes"),
        .integer(\.returnRequests, "on_return", 0...1000, example: "5"),
        .share(\.resubmitProbability, "resubmits"),
        .flag(\.statedRefresh, "enabled"),
        .flag(\.refreshRepeats, "repeats"),
        .flag(\.refreshKeepsPending, "keeps_pending"),
        .flag(\.refreshIsExact, "exact"),
        .flag(\.refreshIsExpedited, "expedited"),
        .map(
            "hardware",
            [
                .flag(\.refreshHardware.usesNetwork, "network"),
                .flag(\.refreshHardware.vibrates, "vibrator"),
                .flag(\.refreshHardware.sounds, "speaker"),
                .flag(\.refreshHardware.lightsScreen, "screen"),
                .flag(\.refreshHardware.locates, "location"),
                .flag(\.refreshHardware.usesGPS, "gps"),
                .flag(\.refreshHardware.sensesMotion, "accelerometer"),
            ]),
    ]

    /// The keys in `refresh` about the older fetch interface, with their allowed values.
    public static let fetchKeys: [FileKey<AppModel>] = [
        .flag(\.traits.usesFetch, "uses_fetch"),
        .share(\.traits.refreshFails, "fails"),
    ]

    /// The keys in `processing`, with their allowed values.
    public static let processingKeys: [FileKey<AppModel>] = [
        .number(\.processingPerDay, "per_day", 0...1000, example: "1"),
        .time(\.processingTime, "time"),
        .number(\.processingLoad, "load", 0.01...16, example: "0.75"),
        .time(\.processingPeriod, "every", 0...9e6),
        .number(\.processingHour, "at_hour", -1...24, example: "3"),
        .flag(\.processingNeedsPower, "needs_power"),
        .flag(\.processingNeedsNetwork, "needs_network"),
    ]

    /// The keys in `content`, with their allowed values.
    public static let contentKeys: [FileKey<AppModel>] = [
        .number(\.contentPerDay, "per_day", 0...1e5, example: "40"),
        .number(\.pushesPerDay, "pushes_per_day", 0...1e5, example: "20"),
    ]

    /// The keys in `habits`, with their allowed values.
    public static let habitKeys: [FileKey<AppModel>] = [
        .flag(\.savesOnBackground, "saves_on_background"),
        .time(\.savePeriod, "save_every", 0.001...SimDuration.longestStated),
        .share(\.completionProbability, "completes"),
        .flag(\.handlesExpiration, "handles_expiration"),
        .flag(\.finishesTask, "finishes_task"),
        .time(\.finishTime, "finish_time"),
        .share(\.lowPowerWork, "low_power_work"),
        .time(\.resignTime, "resign_time", 0...3600),
        .time(\.saveTime, "save_time", 0...3600),
    ]
}
