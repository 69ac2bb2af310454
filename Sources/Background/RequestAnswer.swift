// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// How background work ended, or how a request ended without running.
public enum RequestOutcome: UInt8, Sendable, CaseIterable, BitwiseCopyable {
    /// The app reported completion in time.
    case success
    /// The time limit was reached, or the user began to use the phone.
    case expired
    /// The process died, or its server failed.
    case failed
    /// The user opened or force-quit the app.
    case cancelled
    /// A newer request with the same identifier replaced this request before it started.
    case replaced
    /// The request reached its deadline without having started.
    case never

    /// Name of the outcome in tables.
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

/// Result of a check of an app's requests of one kind.
public struct RequestAnswer: Sendable, BitwiseCopyable {
    /// Action that the phone must take.
    public enum Action: UInt8, Sendable, BitwiseCopyable {
        /// Do nothing, because no request is pending. A timer that is still set can be cancelled.
        case nothing
        /// Start the work now; the table counts it as running until `finish`.
        case start
        /// Check again at `wakeAt`, or when `popWaiter` returns the app, whichever comes first.
        case wait
        /// The submission was refused. Earlier pending requests and their timer stay unchanged.
        case refused
        /// The last pending request reached its deadline; no request is pending any more.
        case expired
    }

    /// Action that the phone must take.
    public var action: Action
    /// Latest time of the next check; `distantFuture` if only a change can help or no request is pending.
    public var wakeAt: SimTime
    /// Changes of the device after which the phone checks earlier.
    public var wakeOn: ConditionChanges
    /// The rule that decided.
    public var reason: RequestReason
    /// The policy's score; without a score, 1 if the policy starts the work and otherwise 0.
    public var score: Double
    /// Threshold that the score must reach.
    public var threshold: Double
    /// Longest time for which the work may run; nil for the phone's own limit.
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
    /// Whether the request is for health research (iOS 17), which requires an entitlement and the user's consent.
    public var isHealthResearch = false
    /// Whether the work needs files that are readable only on an unlocked phone; by default, one first unlock is
    /// enough.
    public var needsUnlockedFiles = false

    /// Creates the options of a plain request.
    public init() {}
}

/// The history of one request, for the table of requests.
public struct RequestRecord: Sendable, Equatable, BitwiseCopyable {
    /// Identifier of the request within the app and kind; a new request replaces one with the same identifier.
    public var identifier: UInt8 = 0
    /// Whether the work needs external power.
    public var requiresPower = false
    /// Whether the work needs a network.
    public var requiresNetwork = false
    /// Further properties of the request.
    public var options = RequestOptions()
    /// When the app submitted the request.
    public var submitted = SimTime.zero
    /// The earliest begin, before which the work may not run.
    public var earliestBegin = SimTime.zero
    /// When the system gives up the request.
    public var deadline = SimTime.distantFuture
    /// When the work of the request started; `distantFuture` before.
    public var started = SimTime.distantFuture

    init() {}
}
