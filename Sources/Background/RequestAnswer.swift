// SPDX-License-Identifier: GPL-3.0-or-later
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
    /// A newer request with the same identifier replaced it before it started.
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
    /// The changes of the device that make it worth asking earlier.
    public var wakeOn: ConditionChanges
    /// The rule that decided.
    public var reason: RequestReason
    /// The policy's score; 1 or 0 where it has none or was not asked.
    public var score: Double
    /// The score that was needed.
    public var threshold: Double
    /// How long work that starts may run at the most; nil where the phone says.
    public var runtime: SimDuration?

    /// Creates an answer.
    public init(
        _ action: Action, wakeAt: SimTime = .distantFuture, wakeOn: ConditionChanges = [], reason: RequestReason,
        score: Double = 0, threshold: Double = 0
    ) {
        self.action = action
        self.wakeAt = wakeAt
        self.wakeOn = wakeOn
        self.reason = reason
        self.score = score
        self.threshold = threshold
    }
}

/// Further properties of a processing request (Apple, BGTaskRequest.h).
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
    /// Its further properties.
    public var options = RequestOptions()
    /// When the app submitted it.
    public var submitted = SimTime.zero
    /// The earliest begin, before which nothing may run.
    public var earliestBegin = SimTime.zero
    /// When the request is given up.
    public var deadline = SimTime.distantFuture
    /// When its work started; `distantFuture` while it has not.
    public var started = SimTime.distantFuture

    init() {}
}
