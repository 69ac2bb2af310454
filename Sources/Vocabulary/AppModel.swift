// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Properties of one app that do not depend on the phone: sizes, launch costs, background work, habits of its code.
///
/// Values are means; a run draws around them with the stated spread, from the app's own streams.
public struct AppModel: Sendable {
    /// Name, unique in a run and the key of the app's random streams.
    public var name: String
    /// Category in kebab-case, for instance `social-feed`.
    public var category: String

    /// Class of the app's activity on screen, which decides which parts of the phone run.
    public var activity = ActivityClass.general

    /// Median footprint while the user looks at the app.
    public var foregroundFootprint: ByteCount
    /// Standard deviation of ln(footprint) between launches.
    public var footprintSigma: Double
    /// Footprint to which the app trims itself in the background.
    public var backgroundFootprint: ByteCount
    /// File-backed pages that a launch brings into the cache.
    ///
    /// While all of them stay cached, a relaunch is warm; each missing page makes it longer.
    public var launchFiles: ByteCount
    /// Share of the footprint dropped on a memory warning, 0 to 1.
    public var warningDrop: Double
    /// Growth in an hour on screen, as a share of the app's ordinary footprint there; trimmed when the user leaves.
    public var growthPerHour = 0.0
    /// Memory leaked in an hour on screen, which is freed only when the process ends.
    public var leakPerHour = ByteCount.zero
    /// Bytes of the app's memory per byte in the compressor pool; the device's ratio when not stated.
    public var compressorRatio: Double?
    /// Factor on the device's compression ratio for this app's memory.
    public var compressibility = 1.0
    /// Share of its memory in the background that the app touches when it is opened.
    ///
    /// When not stated, `foreground_decompressed_share` of the device applies to the compressed part.
    public var hotShare: Double?
    /// Whether the model is of a daemon or an extension, which no user opens.
    public var isSystem = false
    /// Number of windows that the user keeps open on a tablet; the footprints above are with one.
    public var windows: Int
    /// Memory of each further window, which is freed when the window is disconnected.
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
    /// Bytes that a warm or cold launch fetches before it shows anything; no request when zero.
    public var launchRequest = ByteCount.zero
    /// Time until the server answers the request of a launch.
    public var launchRequestWait = SimDuration.zero
    /// Probability that the request of a launch gets no answer before it times out.
    public var launchRequestStalls = 0.0

    /// Mean number of busy cores while the user looks at the app, in seconds of the reference core, 0 to a few.
    public var foregroundLoad: Double
    /// Data moved per second while the user looks at the app.
    public var foregroundRate: DataRate
    /// Share of the time on screen for which the app's traffic keeps the receiver awake, 0 to 1.
    ///
    /// When not stated, the share of the class of activity applies.
    public var foregroundListening: Double?
    /// Whether the processor load is that of the class of activity on this phone, as no other is stated.
    public var followsActivityLoad = false
    /// Whether the data rate is that of the class of activity on this phone, as no other is stated.
    public var followsActivityRate = false

    /// Time from a refresh to the earliest begin of the next; no refreshes when zero.
    public var refreshPeriod: SimDuration
    /// Processor time of one refresh.
    public var refreshProcessorTime: SimDuration
    /// Time for which one refresh waits for its server, besides processor time and transfer.
    public var refreshWait: SimDuration
    /// Bytes one refresh fetches.
    public var refreshBytes: ByteCount
    /// Parts of the phone that the refreshes switch on; for most apps only use of the network is known.
    public var refreshHardware = WakeHardware.network
    /// Whether a refresh is due one period after the previous due time, whenever that one ran, as Android's alarms are.
    ///
    /// The first is due within the first period of a run.
    public var refreshRepeats = false
    /// Whether the app keeps a pending request (`getPendingTaskRequests`) instead of submitting a new one.
    ///
    /// A new request moves the earliest begin one period on.
    public var refreshKeepsPending = false
    /// Whether the refreshes are alarms without a window (`AlarmManager.setExact`).
    public var refreshIsExact = false
    /// Whether the refreshes are expedited jobs (`JobInfo.Builder.setExpedited`).
    public var refreshIsExpedited = false
    /// Requests of the size of a refresh that the app makes whenever it comes to the screen; an assumption, 0 to 10.
    public var returnRequests = 0
    /// Mean number of processing requests a day; none when zero.
    public var processingPerDay: Double
    /// Processor time of one processing task.
    public var processingTime: SimDuration
    /// Number of processors that processing keeps busy.
    ///
    /// Above 0.8 the system ends the work after 48 s of processor time, unless it asks for external power.
    public var processingLoad: Double
    /// Whether processing asks for external power.
    public var processingNeedsPower: Bool
    /// Whether processing asks for a network.
    public var processingNeedsNetwork: Bool

    /// Time from one chained processing request to the next; none when zero.
    ///
    /// Chained requests come in addition to those of `processingPerDay`: each asks for the next this much later, as
    /// refreshes do.
    public var processingPeriod: SimDuration
    /// Hour of the clock that is the earliest begin of a processing request; below zero for at once.
    ///
    /// The next such hour after the submission counts.
    public var processingHour = -1.0
    /// Whether the processing requests are those of a health study, with its entitlement and the user's consent.
    public var healthResearch: Bool

    /// New content per day on the app's servers.
    public var contentPerDay: Double
    /// Pushes sent to the app per day.
    public var pushesPerDay: Double

    /// Whether the app saves its state when it leaves the foreground; otherwise only every `savePeriod`.
    public var savesOnBackground: Bool
    /// Time between saves while in the foreground.
    public var savePeriod: SimDuration
    /// Probability that a refresh asks for the next one, so that the chain goes on.
    public var resubmitProbability: Double
    /// Probability that background work reports its completion before its time is up.
    public var completionProbability: Double
    /// Whether the app has set a handler for the expiration of background work.
    ///
    /// Without one, the system reports the work as not successful; with one, the app has to do so.
    public var handlesExpiration: Bool
    /// Share of its work on screen, computing and streaming, that the app does in Low Power Mode or on a low battery.
    ///
    /// An app with less than 1 also saves when that state begins. Assumption: all apps do the same work as ever, as no
    /// source counts those that read `isLowPowerModeEnabled`.
    public var lowPowerWork = 1.0
    /// Time that the app computes in `willResignActive` whenever the user leaves it, during which the user waits.
    ///
    /// Correct code has none. No source states how long other apps take: an assumption, 0 to 2 s.
    public var resignTime = SimDuration.zero
    /// Duration of the save that begins when the user leaves the app; instant when zero (an assumption, 0 to 30 s).
    public var saveTime = SimDuration.zero
    /// Whether the app holds a task assertion after leaving the foreground.
    public var finishesTask: Bool
    /// How long the app works under that assertion.
    public var finishTime: SimDuration

    /// Faults of the app's code.
    public var faults: AppFaults

    /// Share of the user's attention relative to other apps; 0 for apps the user never opens.
    public var popularity: Double
    /// Opens in a mean day, independent of popularity; zero for opens by popularity.
    public var opensPerDay = 0.0
    /// Share of the user's opens that go to this app, independent of popularity; none when zero.
    public var opensShare = 0.0
    /// Whether the experiment is about this app: then the user keeps its pushes, processing and widget as declared.
    public var isStudied = false
    /// Whether Background App Refresh is switched on for the app.
    public var refreshEnabled: Bool
    /// Whether the switch was stated for this app, so that the persona's share of switched-on apps does not apply.
    public var refreshIsStated = false

    /// Pushes, transfers, modes, widgets.
    public var traits = BackgroundTraits()
    /// Declarations of the app to the system.
    public var declares = AppDeclarations()
    /// Files of the app on the phone's storage.
    public var files = AppFiles()

    /// Creates an app with the given name and neutral values, which a catalogue then replaces.
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

    /// Processor load on screen as stated for this app, independent of its activity.
    private var statedLoad: Double {
        get { foregroundLoad }
        set { (foregroundLoad, followsActivityLoad) = (newValue, false) }
    }

    /// Data rate on screen as stated for this app, independent of its activity.
    private var statedRate: DataRate {
        get { foregroundRate }
        set { (foregroundRate, followsActivityRate) = (newValue, false) }
    }

    /// Share of the time for which the app's traffic keeps the receiver awake, as stated for this app.
    private var statedListening: Double {
        get { foregroundListening ?? 0 }
        set { foregroundListening = newValue }
    }

    /// Switch of Background App Refresh as stated for this app, independent of the persona.
    private var statedRefresh: Bool {
        get { refreshEnabled }
        set { (refreshEnabled, refreshIsStated) = (newValue, true) }
    }

    /// Ratio of the compressor as stated for this app, independent of the device.
    private var statedCompressorRatio: Double {
        get { compressorRatio ?? 0 }
        set { compressorRatio = newValue }
    }

    /// Share of its memory that the app touches when it is opened, as stated for this app.
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
        .time(\.refreshPeriod, "every"),
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
        .time(\.processingPeriod, "every"),
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
        .time(\.savePeriod, "save_every", 0.001...9e9),
        .share(\.completionProbability, "completes"),
        .flag(\.handlesExpiration, "handles_expiration"),
        .flag(\.finishesTask, "finishes_task"),
        .time(\.finishTime, "finish_time"),
        .share(\.lowPowerWork, "low_power_work"),
        .time(\.resignTime, "resign_time", 0...3600),
        .time(\.saveTime, "save_time", 0...3600),
    ]
}
