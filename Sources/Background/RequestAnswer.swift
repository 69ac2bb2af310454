// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// How background work ended, or a request that never started.
public enum RequestOutcome: UInt8, Sendable, CaseIterable, BitwiseCopyable {
    /// The app reported completion in time.
    case success
    /// The time limit was reached, or the user began to use the phone.
    case expired
    /// The process died, or its server failed.
    case failed
    /// The user opened or force-quit the app.
    case cancelled
    /// A newer request with the same identifier replaced it before it started.
    case replaced
    /// The request was given up at its deadline without having started.
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

/// Result of a check of an app's requests of one kind.
public struct RequestAnswer: Sendable, BitwiseCopyable {
    /// What the phone has to do.
    public enum Action: UInt8, Sendable, BitwiseCopyable {
        /// Do nothing, because no request is pending. A timer that is still set can be cancelled.
        case nothing
        /// Start the work now; the table counts it as running until `finish`.
        case start
        /// Check again at `wakeAt`, or when `popWaiter` returns the app, whichever comes first.
        case wait
        /// The submission was refused; earlier pending requests stay unchanged, and so does their timer.
        case refused
        /// The last pending request was given up at its deadline; nothing is pending any more.
        case expired
    }

    /// What the phone has to do.
    public var action: Action
    /// Latest time of the next check; `distantFuture` if only a change can help or no request is pending.
    public var wakeAt: SimTime
    /// The changes of the device after which to check earlier.
    public var wakeOn: ConditionChanges
    /// The rule that decided.
    public var reason: RequestReason
    /// The policy's score; 1 or 0 if it has no score or was not consulted.
    public var score: Double
    /// The score that was needed.
    public var threshold: Double
    /// Largest time for which the work may run; nil if the phone sets it.
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
    /// Whether the request is for health research (iOS 17), which needs an entitlement and the user's consent.
    public var isHealthResearch = false
    /// Whether the work needs files that are readable only on an unlocked phone; by default a first unlock is enough.
    public var needsUnlockedFiles = false

    /// Creates the options of a plain request.
    public init() {}
}

/// The life of one request, for the table of requests.
public struct RequestRecord: Sendable, Equatable, BitwiseCopyable {
    /// Identifier of the request within the app and kind; a request with the same identifier is replaced.
    public var identifier: UInt8 = 0
    /// Whether the app needs external power.
    public var requiresPower = false
    /// Whether the app needs a network.
    public var requiresNetwork = false
    /// Further properties of the request.
    public var options = RequestOptions()
    /// When the app submitted it.
    public var submitted = SimTime.zero
    /// The earliest begin, before which nothing may run.
    public var earliestBegin = SimTime.zero
    /// When the request is given up.
    public var deadline = SimTime.distantFuture
    /// When the work of the request started; `distantFuture` before.
    public var started = SimTime.distantFuture

    init() {}
}
