// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// What one app is and does, whatever the phone: sizes, launch costs, background work, habits of its code.
///
/// Mean values; where a run draws, it draws around them with the stated spread, from the app's own streams.
public struct AppModel: Sendable {
    /// Name, unique in a run; random streams are keyed by it.
    public var name: String
    /// Category in kebab-case, for instance `social-feed`.
    public var category: String

    /// What it does while the user looks at it; which parts of the phone run follows from this.
    public var activity = ActivityClass.general

    /// Median footprint while the user looks at the app.
    public var foregroundFootprint: ByteCount
    /// Standard deviation of ln(footprint) between launches.
    public var footprintSigma: Double
    /// Footprint it trims to in the background.
    public var backgroundFootprint: ByteCount
    /// File-backed pages its launch brings into the cache; while they stay, a relaunch is warm, and with each that is
    /// gone it takes longer.
    public var launchFiles: ByteCount
    /// Share of the footprint dropped on a memory warning, 0 to 1.
    public var warningDrop: Double
    /// By how much it grows in an hour on screen, as a share of its ordinary footprint there; trimmed when it is left.
    public var growthPerHour = 0.0
    /// What it never gives back of an hour on screen, until its process ends.
    public var leakPerHour = ByteCount.zero
    /// Bytes of its memory that one byte in the compressor pool stands for; the device's when not stated.
    public var compressorRatio: Double?
    /// How well its memory compresses beside that of the whole phone: the device's ratio is multiplied by this.
    public var compressibility = 1.0
    /// Share of its memory in the background that it touches when it is opened; the device's
    /// `foreground_decompressed_share` of what is compressed when not stated.
    public var hotShare: Double?
    /// Whether it stands for a daemon or an extension, which no user opens.
    public var isSystem = false
    /// How many windows the user keeps of it on a tablet; the footprints above are with one.
    public var windows: Int
    /// Memory of each further window, which a disconnected window gives back.
    public var windowMemory: ByteCount

    /// Median time of a resume.
    public var resumeTime: SimDuration
    /// Median time of a warm launch, without SDKs.
    public var warmLaunchTime: SimDuration
    /// Median time of a cold launch, without SDKs.
    public var coldLaunchTime: SimDuration
    /// Standard deviation of ln(launch time).
    public var launchSigma: Double
    /// Time that the initialisation of embedded SDKs adds to warm and cold launches.
    public var sdkLaunchTime: SimDuration
    /// What a warm or cold launch fetches before it shows anything, because its code waits for the answer; nothing when
    /// zero.
    public var launchRequest = ByteCount.zero
    /// Time that its server takes to answer.
    public var launchRequestWait = SimDuration.zero
    /// Probability that no answer comes until the request's time is up.
    public var launchRequestStalls = 0.0

    /// Mean number of cores busy while the user looks at the app, in seconds of the reference core, 0 to a few.
    public var foregroundLoad: Double
    /// Data moved per second while the user looks at it.
    public var foregroundRate: DataRate
    /// Share of the time in front for which its traffic keeps the receiver awake, 0 to 1; that of its class of activity
    /// when not stated.
    public var foregroundListening: Double?
    /// Whether the load is that of its class of activity on the phone it runs on, because nothing else was stated.
    public var followsActivityLoad = false
    /// Whether the rate is that of its class of activity on the phone it runs on, because nothing else was stated.
    public var followsActivityRate = false

    /// Time between refresh requests: each refresh asks for the next this much later; none when zero.
    public var refreshPeriod: SimDuration
    /// Processor time of one refresh.
    public var refreshProcessorTime: SimDuration
    /// Time one refresh waits for its server besides processor and transfer.
    public var refreshWait: SimDuration
    /// Bytes one refresh fetches.
    public var refreshBytes: ByteCount
    /// What its refreshes switch on; all that is known of most is that they use the network.
    public var refreshHardware = WakeHardware.network
    /// Whether the next refresh is due a period after this one was due, whenever this one ran, as Android's repeating
    /// alarms are; the first is due within the first period of a run.
    public var refreshRepeats = false
    /// Whether it leaves a pending request alone (`getPendingTaskRequests`) instead of asking again, which moves the
    /// earliest begin a period on.
    public var refreshKeepsPending = false
    /// Whether its refreshes are alarms without a window (`AlarmManager.setExact`).
    public var refreshIsExact = false
    /// Whether its refreshes are expedited jobs (`JobInfo.Builder.setExpedited`).
    public var refreshIsExpedited = false
    /// Requests of that size that it makes at once whenever it comes to the screen; an assumption, 0 to 10.
    public var returnRequests = 0
    /// Mean number of processing requests a day; none when zero.
    public var processingPerDay: Double
    /// Processor time of one processing task.
    public var processingTime: SimDuration
    /// Processors it keeps busy meanwhile; above 0.8 the system ends it after 48 s of processor time, unless it asks
    /// for external power.
    public var processingLoad: Double
    /// Whether processing asks for external power.
    public var processingNeedsPower: Bool
    /// Whether processing asks for a network.
    public var processingNeedsNetwork: Bool

    /// Time between processing requests that follow one another like refreshes, besides those of `processingPerDay`:
    /// each asks for the next this much later; none when zero.
    public var processingPeriod: SimDuration
    /// Hour of the clock before which a processing request must not begin, the next one after it is asked for; below
    /// zero for at once.
    public var processingHour = -1.0
    /// Whether its processing requests are those of a health study, with its entitlement and the user's consent.
    public var healthResearch: Bool

    /// New content appearing on its servers per day.
    public var contentPerDay: Double
    /// Pushes sent to it per day.
    public var pushesPerDay: Double

    /// Whether it saves its state when it leaves the foreground; otherwise only every `savePeriod`.
    public var savesOnBackground: Bool
    /// Time between saves while in the foreground.
    public var savePeriod: SimDuration
    /// Probability that a refresh asks for the next one, so that the chain goes on.
    public var resubmitProbability: Double
    /// Probability that background work reports its completion before its time is up.
    public var completionProbability: Double
    /// Whether it has set a handler for the expiration of background work: without one the system reports the work as
    /// not successful, with one the app has to.
    public var handlesExpiration: Bool
    /// Share of its work on screen, computing and streaming, that it does while Low Power Mode is on or the battery is
    /// low; an app that does less also saves when that begins (assumption: all do the same as ever; nobody has counted
    /// those that look at `isLowPowerModeEnabled`).
    public var lowPowerWork = 1.0
    /// What it computes in `willResignActive` whenever it is left, with the user waiting; none in code that does as it
    /// should, and nobody has published how much others do: an assumption, 0 to 2 s.
    public var resignTime = SimDuration.zero
    /// How long the save lasts that it begins when it is left; at once when zero (an assumption, 0 to 30 s).
    public var saveTime = SimDuration.zero
    /// Whether it holds a task assertion after leaving the foreground.
    public var finishesTask: Bool
    /// How long it works under that assertion.
    public var finishTime: SimDuration

    /// How its code goes wrong.
    public var faults: AppFaults

    /// How much of the user's attention it draws, relative to the others; 0 for apps the user never opens.
    public var popularity: Double
    /// How often the user opens the app in a mean day, whatever its popularity; none when zero, which leaves it to
    /// the popularity.
    public var opensPerDay = 0.0
    /// The share of the user's opens that are of the app, whatever its popularity; none when zero.
    public var opensShare = 0.0
    /// Whether it is the app that an experiment is about: the user keeps its pushes, its processing and its widget as
    /// they are declared.
    public var isStudied = false
    /// Whether Background App Refresh is switched on for it.
    public var refreshEnabled: Bool
    /// Whether that was stated for this app, so that the persona's share of switched-on apps does not apply to it.
    public var refreshIsStated = false

    /// Pushes, transfers, modes, widgets.
    public var traits = BackgroundTraits()
    /// What it declares to the system.
    public var declares = AppDeclarations()
    /// What it keeps on the phone's storage.
    public var files = AppFiles()

    /// Creates an app with the given name and neutral values; a catalogue then sets what it knows.
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

    /// The processor load on screen as stated for this app, whatever its activity.
    private var statedLoad: Double {
        get { foregroundLoad }
        set { (foregroundLoad, followsActivityLoad) = (newValue, false) }
    }

    /// The rate on screen as stated for this app, whatever its activity.
    private var statedRate: DataRate {
        get { foregroundRate }
        set { (foregroundRate, followsActivityRate) = (newValue, false) }
    }

    /// The share of the time for which its traffic keeps the receiver awake as stated for this app.
    private var statedListening: Double {
        get { foregroundListening ?? 0 }
        set { foregroundListening = newValue }
    }

    /// Whether Background App Refresh is switched on as stated for this app, whatever the persona.
    private var statedRefresh: Bool {
        get { refreshEnabled }
        set { (refreshEnabled, refreshIsStated) = (newValue, true) }
    }

    /// The ratio of the compressor as stated for this app, whatever the device's.
    private var statedCompressorRatio: Double {
        get { compressorRatio ?? 0 }
        set { compressorRatio = newValue }
    }

    /// The share that it touches when it is opened as stated for this app.
    private var statedHotShare: Double {
        get { hotShare ?? 1 }
        set { hotShare = newValue }
    }

    /// The keys in `memory`, with what is allowed.
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

    /// The keys in `launch`, with what is allowed.
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

    /// The keys in `use`, with what is allowed.
    public static let useKeys: [FileKey<AppModel>] = [
        .number(\.statedLoad, "load", 0...16, example: "0.3"),
        .amount(\.statedRate, "rate", .dataRate),
        .share(\.statedListening, "listening"),
        .number(\.popularity, "popularity", 0...1e6, example: "10"),
    ]

    /// The keys in `refresh`, with what is allowed.
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

    /// The keys in `refresh` about the older fetch interface, with what is allowed.
    public static let fetchKeys: [FileKey<AppModel>] = [
        .flag(\.traits.usesFetch, "uses_fetch"),
        .share(\.traits.refreshFails, "fails"),
    ]

    /// The keys in `processing`, with what is allowed.
    public static let processingKeys: [FileKey<AppModel>] = [
        .number(\.processingPerDay, "per_day", 0...1000, example: "1"),
        .time(\.processingTime, "time"),
        .number(\.processingLoad, "load", 0.01...16, example: "0.75"),
        .time(\.processingPeriod, "every"),
        .number(\.processingHour, "at_hour", -1...24, example: "3"),
        .flag(\.processingNeedsPower, "needs_power"),
        .flag(\.processingNeedsNetwork, "needs_network"),
    ]

    /// The keys in `content`, with what is allowed.
    public static let contentKeys: [FileKey<AppModel>] = [
        .number(\.contentPerDay, "per_day", 0...1e5, example: "40"),
        .number(\.pushesPerDay, "pushes_per_day", 0...1e5, example: "20"),
    ]

    /// The keys in `habits`, with what is allowed.
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
