import Power
import Quantities
import Vocabulary

/// What an app is doing in the background.
enum WorkPhase: UInt8 {
    case none
    /// Its process is being launched or resumed for the work.
    case launching
    /// It computes and waits for its server.
    case computing
    /// It moves its bytes.
    case transferring
}

/// The changing state of one app that no part owns: visits, content, saves, background work under way.
struct AppRuntime {
    /// When its present visit began; meaningful while it is in the foreground.
    var visitStart = SimTime.zero
    /// Whether it is being opened and has not been active yet in the present visit.
    var isComingUp = false
    /// When its state was last saved.
    var lastSave = SimTime.zero
    /// Age limit of what its user has: content up to here is fetched.
    var fetchedUntil = SimTime.zero
    /// Newest content on its servers so far.
    var newestContent = SimTime(nanoseconds: -1)
    /// The next content to appear.
    var nextContent = SimTime.distantFuture
    /// When background work last fetched for it; the distant future when never.
    var lastRefresh = SimTime.distantFuture
    /// The longest time without a refresh in its last night.
    var night = AppNight()
    /// Whether the last refresh brought something that the user has not seen yet.
    var unseenRefresh = false
    /// When jetsam last killed it; the distant past when never.
    var killed = SimTime(nanoseconds: .min / 2)
    /// How often it died and was opened again within the present visit.
    var reopens = 0
    /// Background work under way.
    var phase = WorkPhase.none
    var work = RequestKind.refresh
    /// Whether the phone was on power when the work started.
    var workOnPower = false
    /// How long the phone had been locked when the work started; negative when it was not.
    var workIdle = SimDuration.zero
    /// Whether Low Power Mode was on then.
    var workInLowPower = false
    /// What its background had used by then, in joules; kept for the table of requests only.
    var workJoules = 0.0
    /// When work under way is cut off.
    var workLimit = SimTime.distantFuture
    /// Whether it has work for a processing task that it has not asked for yet.
    var wantsTask = false
    /// Whether the work under way reports its completion.
    var completes = true
    /// Whether its server fails.
    var fails = false
    /// Whether it asks for the next refresh.
    var resubmits = true
    /// The time given to the work under way, when it is less than usual.
    var shortGrant = SimDuration.max
    /// Whether the app is killed if it leaves the work under way open.
    var dies = false
    /// Factor on its processor time.
    var workSpread = 1.0
    /// The radio it moved its bytes over.
    var workInterface: Interface?
    /// A push held back for lack of a network.
    var heldPush = SimTime.distantFuture
    /// What the network gives of its usual rate, in the present visit and in work under way.
    var rate = 1.0
    /// Whether the user begins something in the present visit that goes on when he leaves, whether that reports its
    /// progress, and the factor on its length.
    var wantsContinued = false
    var continuedReports = true
    var continuedSpread = 1.0
    /// How many such things were begun; the identifier of the next.
    var continuedBegun: UInt8 = 0
    /// How long it goes on in the background when it is left.
    var playback = SimDuration.zero
    /// The load it puts on the processor.
    var load = LoadHandle.none
    /// Whether it keeps the phone awake.
    var holdsAwake = false
}
