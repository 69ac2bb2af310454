import Quantities
import Vocabulary

/// How background work that was started, or a request that never was, came to its end.
public enum RequestOutcome: UInt8, Sendable, CaseIterable, BitwiseCopyable {
    /// The app reported completion in time.
    case success
    /// Its time was up, or the user took the phone in hand.
    case expired
    /// The process died under it, or its server failed.
    case failed
    /// The user opened or force-quit the app.
    case cancelled
    /// A newer request with the same identifier took its place before it started.
    case replaced
    /// It was given up at its deadline without having started.
    case never

    /// The name written into tables.
    public var name: String {
        switch self {
        case .success: "success"
        case .expired: "expired"
        case .failed: "failed"
        case .cancelled: "cancelled"
        case .replaced: "replaced"
        case .never: "never"
        }
    }
}

/// Why a request got the answer it got: a rule of the OS that no policy overrides, or the policy's own rule.
public enum RequestReason: Sendable, Hashable, BitwiseCopyable {
    /// Nothing is pending.
    case nothingPending
    /// The request was accepted and waits for its floor.
    case earliestBegin
    /// Background App Refresh is off for the phone or the app (error `unavailable`).
    case switchedOff
    /// Too many requests of this kind are pending (error `tooManyPendingTaskRequests`).
    case tooManyPending
    /// The user force-quit the app and has not opened it since.
    case forceQuit
    /// The phone was started and not unlocked yet.
    case firstUnlock
    /// Other work of the app is under way.
    case busy
    /// The user is looking at the app.
    case foreground
    /// Low Power Mode is on.
    case lowPowerMode
    /// The app asked for external power.
    case requiresPower
    /// The app asked for a network.
    case requiresNetwork
    /// Processing waits for a phone that is not in use.
    case deviceInUse
    /// Its deadline passed before it could start.
    case deadline
    /// The app let earlier work of this kind run into its limit.
    case throttled
    /// The app lacks what it takes to ask for this kind of work (error `notPermitted`).
    case notPermitted
    /// Its files cannot be read while the phone is locked.
    case protectedFiles
    /// The scheduling policy decided.
    case policy(SchedulingRule)

    /// How many reasons there are; each has a `code` below this.
    public static let count = 16 + SchedulingRule.allCases.count

    /// Place of the reason in `RequestTable.counts`.
    public var code: Int {
        switch self {
        case .nothingPending: 0
        case .earliestBegin: 1
        case .switchedOff: 2
        case .tooManyPending: 3
        case .forceQuit: 4
        case .firstUnlock: 5
        case .busy: 6
        case .foreground: 7
        case .lowPowerMode: 8
        case .requiresPower: 9
        case .requiresNetwork: 10
        case .deviceInUse: 11
        case .deadline: 12
        case .throttled: 13
        case .notPermitted: 14
        case .protectedFiles: 15
        case .policy(let rule): 16 + Int(rule.rawValue)
        }
    }

    /// The name written into tables.
    public var name: String {
        switch self {
        case .nothingPending: "nothing-pending"
        case .earliestBegin: "earliest-begin"
        case .switchedOff: "switched-off"
        case .tooManyPending: "too-many-pending"
        case .forceQuit: "force-quit"
        case .firstUnlock: "first-unlock"
        case .busy: "busy"
        case .foreground: "foreground"
        case .lowPowerMode: "low-power-mode"
        case .requiresPower: "requires-power"
        case .requiresNetwork: "requires-network"
        case .deviceInUse: "device-in-use"
        case .deadline: "deadline"
        case .throttled: "throttled"
        case .notPermitted: "not-permitted"
        case .protectedFiles: "protected-files"
        case .policy(let rule): rule.name
        }
    }

    /// What Apple's interface reports for a refusal; nil where it accepts the request and nothing comes of it.
    public var error: RequestError? {
        switch self {
        case .switchedOff: .unavailable
        case .tooManyPending: .tooManyPendingTaskRequests
        case .notPermitted: .notPermitted
        default: nil
        }
    }

    /// Every reason, in the order of `code`.
    public static let all: [RequestReason] =
        [
            .nothingPending, .earliestBegin, .switchedOff, .tooManyPending, .forceQuit, .firstUnlock, .busy,
            .foreground, .lowPowerMode, .requiresPower, .requiresNetwork, .deviceInUse, .deadline,
            .throttled, .notPermitted, .protectedFiles,
        ] + SchedulingRule.allCases.map { .policy($0) }
}

/// What happens to an app's requests of one kind now.
public struct RequestAnswer: Sendable, BitwiseCopyable {
    /// What the phone has to do.
    public enum Action: UInt8, Sendable, BitwiseCopyable {
        /// Nothing: no request is pending. A timer that still stands can be cancelled.
        case nothing
        /// Start the work now; the table counts it as running until `finish`.
        case start
        /// Ask again at `wakeAt`, or when `popWaiter` names the app, whichever comes first.
        case wait
        /// The submission was refused; what was pending before stays as it was, and so does its timer.
        case refused
        /// The last pending request was given up at its deadline; nothing is pending any more.
        case expired
    }

    /// What the phone has to do.
    public var action: Action
    /// When to ask again at the latest; `distantFuture` when only a change can help, or when nothing is pending.
    public var wakeAt: SimTime
    /// The rule that decided.
    public var reason: RequestReason
    /// The policy's score; 1 or 0 where it has none or was not asked.
    public var score: Double
    /// The score that was needed.
    public var threshold: Double

    /// Creates an answer.
    public init(
        _ action: Action, wakeAt: SimTime = .distantFuture, reason: RequestReason, score: Double = 0,
        threshold: Double = 0
    ) {
        self.action = action
        self.wakeAt = wakeAt
        self.reason = reason
        self.score = score
        self.threshold = threshold
    }
}

/// What a processing request may be besides (Apple, BGTaskRequest.h).
public struct RequestOptions: Sendable, Equatable, BitwiseCopyable {
    /// Whether it is a health-research request (iOS 17), which needs an entitlement and the user's consent.
    public var isHealthResearch = false
    /// Whether it needs files that can be read only while the phone is unlocked; by default a first unlock is enough.
    public var needsUnlockedFiles = false

    /// Creates the options of a plain request.
    public init() {}
}

/// The life of one request, for the table of requests.
public struct RequestRecord: Sendable, Equatable, BitwiseCopyable {
    /// Which of the app's requests of this kind it is; the same identifier replaces.
    public var identifier: UInt8 = 0
    /// Whether the app needs external power.
    public var requiresPower = false
    /// Whether the app needs a network.
    public var requiresNetwork = false
    /// What it is besides.
    public var options = RequestOptions()
    /// When the app submitted it.
    public var submitted = SimTime.zero
    /// The floor before which nothing may run.
    public var earliestBegin = SimTime.zero
    /// When the request is given up.
    public var deadline = SimTime.distantFuture
    /// When its work started; `distantFuture` while it has not.
    public var started = SimTime.distantFuture

    init() {}
}
