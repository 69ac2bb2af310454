// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Processes
import Quantities
import Vocabulary

/// Requests of an app to the system, messages of the system to the app, and actions of a debugger.
public enum ScriptBackgroundAction: Sendable, Equatable {
    /// The app submits a request; the time to the earliest begin counts from now.
    case submit(RequestKind, ScriptRequest)
    /// The app cancels its request with this identifier, or all requests of the kind.
    case cancel(RequestKind, identifier: Int?)
    /// A debugger starts the pending request, or ends the time of the work under way.
    case simulateLaunch(RequestKind), simulateExpiration(RequestKind)
    /// The app reports that its work is done, with or without success.
    case complete(RequestKind, isSuccess: Bool)
    /// The app sets its alarm to this time from now, or reports that it has handled the alarm for which it runs.
    case setAlarm(SimDuration), completeAlarm
    /// A push is sent to the app, or the app reports that it has handled the push for which it runs.
    case push(ScriptPush), completePush
    /// An app that runs for a VoIP push reports its call.
    case reportCall
    /// The app hands a transfer to the system, all bytes have passed, or the app has handled the end of the transfer.
    case beginTransfer(ByteCount, isDiscretionary: Bool), endTransfer, completeTransfer
    /// The app writes a file.
    case write(ByteCount, ScriptFolder)
}

/// A request that a scenario submits.
public struct ScriptRequest: Sendable, Equatable {
    /// Identifier; a new request replaces the pending one with the same identifier.
    public var identifier = 0
    /// Time from the submission to the earliest begin.
    public var floor = SimDuration.zero
    /// Whether the request needs external power.
    public var requiresPower = false
    /// Whether the request needs a network.
    public var requiresNetwork = false
    /// Whether the request is for health research.
    public var isHealthResearch = false
    /// Whether the request needs files that can be read only while the phone is unlocked.
    public var needsUnlockedFiles = false
}

/// The kinds of pushes.
public enum ScriptPush: String, Sendable, CaseIterable {
    /// A notification that is only shown; the app does not run.
    case alert
    /// A notification that the app itself has scheduled; shown with or without a network.
    case local
    /// A push that runs its app for a moment (`content-available`).
    case silent
    /// A silent push of high priority, on systems with priorities; its app shows no notification for `urgent`, and one
    /// for `urgentShown`.
    case urgent
    case urgentShown = "urgent-shown"
    /// A call.
    case voip
}

/// State of a push to an app.
public enum ScriptPushState: String, Sendable, CaseIterable {
    case none, held, delivered, dropped
}

/// A change of the device by a scenario.
public enum ScriptDeviceChange: Sendable, Equatable {
    case network(Network), power(Bool), locked(Bool), screen(Bool), battery(Double), lowPowerMode(Bool)
    case thermal(Int), camera(Bool)
    /// The phone restarts, either normally or after a crash of the system.
    case restart(isCrash: Bool)
}

/// Conditions on an app's background work.
public enum ScriptBackgroundCheck: Sendable, Equatable {
    /// Number of pending requests of a kind, and whether one of them is running.
    case pending(RequestKind, Int), isRunning(RequestKind, Bool)
    /// Last answer to a request of the kind, and the rule that caused the answer.
    case decision(RequestKind, ScriptDecision), reason(RequestKind, String)
    /// The system's own rules that now prevent the pending request.
    case against(RequestKind, [String])
    /// Outcome of the last request of the kind.
    case ended(RequestKind, RequestOutcome)
    /// State of the last push, the rule that holds or dropped the push, and the silent pushes left in the present
    /// window.
    case push(ScriptPushState), pushReason(String), pushesLeft(Int)
    /// Number of alarms that have gone off.
    case alarms(Int)
    /// Number of transfers under way, whether the system chooses their time, their earliest start from now, and whether
    /// they may move now.
    case transfers(Int), isDiscretionary(Bool), beginsIn(SimDuration), mayMove(Bool)
}

/// Answers of the system to a request.
public enum ScriptDecision: String, Sendable, CaseIterable {
    /// There is no pending request.
    case nothing
    case starts, waits, refused
    /// The request was dropped at its deadline.
    case expired

    init(_ action: RequestAnswer.Action) {
        switch action {
        case .nothing: self = .nothing
        case .start: self = .starts
        case .wait: self = .waits
        case .refused: self = .refused
        case .expired: self = .expired
        }
    }
}

/// The error of the kernel's calls; `Background` has a type of the same name.
typealias KernelError = Processes.RequestError

/// Errors of actions: those of the kernel's calls (`EINVAL`, `ENOSPC`), and those of `BGTaskScheduler`.
public enum ScriptError: String, Sendable, CaseIterable {
    case invalid = "EINVAL"
    case notPermittedByKernel = "EPERM"
    case notFound = "ESRCH"
    case notSupported = "ENOTSUP"
    case noSpace = "ENOSPC"
    case unavailable, tooManyPendingTaskRequests, notPermitted

    init(_ error: KernelError) {
        switch error {
        case .invalid: self = .invalid
        case .notPermitted: self = .notPermittedByKernel
        case .notFound: self = .notFound
        case .notSupported: self = .notSupported
        }
    }
}
