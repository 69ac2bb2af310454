// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Processes
import Quantities
import Vocabulary

/// What an app asks the system for, what the system is sent for it, and what a debugger does to it.
public enum ScriptBackgroundAction: Sendable, Equatable {
    /// The app submits a request; the floor counts from now.
    case submit(RequestKind, ScriptRequest)
    /// The app cancels its request with this identifier, or all of the kind.
    case cancel(RequestKind, identifier: Int?)
    /// A debugger starts the pending request, or ends the time of the work under way.
    case simulateLaunch(RequestKind), simulateExpiration(RequestKind)
    /// The app reports that its work is done, well or not.
    case complete(RequestKind, isSuccess: Bool)
    /// The app's alarm is due so long from now; it has handled the one that runs it.
    case setAlarm(SimDuration), completeAlarm
    /// A push is sent to the app; it has handled the one that runs it.
    case push(ScriptPush), completePush
    /// An app that a VoIP push runs reports its call.
    case reportCall
    /// The app hands a transfer to the system; all of them have passed; the app has handled that.
    case beginTransfer(ByteCount, isDiscretionary: Bool), endTransfer, completeTransfer
    /// The app writes a file.
    case write(ByteCount, ScriptFolder)
}

/// A request as a scenario submits it.
public struct ScriptRequest: Sendable, Equatable {
    /// The same identifier replaces.
    public var identifier = 0
    /// How long after the submission its floor lies.
    public var floor = SimDuration.zero
    /// Whether it asks for external power.
    public var requiresPower = false
    /// Whether it asks for a network.
    public var requiresNetwork = false
    /// Whether it is a health-research request.
    public var isHealthResearch = false
    /// Whether it needs files that can be read only while the phone is unlocked.
    public var needsUnlockedFiles = false
}

/// The kinds of pushes.
public enum ScriptPush: String, Sendable, CaseIterable {
    /// Shown, and nothing else.
    case alert
    /// A notification that the app has scheduled itself: shown, whatever the network.
    case local
    /// A push that runs its app for a moment (`content-available`).
    case silent
    /// The same with high priority, where the system knows it; the app shows no notification for it, or one.
    case urgent
    case urgentShown = "urgent-shown"
    /// A call.
    case voip
}

/// What becomes of a push to an app.
public enum ScriptPushState: String, Sendable, CaseIterable {
    case none, held, delivered, dropped
}

/// Something about the device that a scenario changes.
public enum ScriptDeviceChange: Sendable, Equatable {
    case network(Network), power(Bool), locked(Bool), screen(Bool), battery(Double), lowPowerMode(Bool)
    case thermal(Int), camera(Bool)
    /// The phone goes off and is on again, in order or because its system has crashed.
    case restart(isCrash: Bool)
}

/// What must be true of an app's background work.
public enum ScriptBackgroundCheck: Sendable, Equatable {
    /// How many requests of a kind are pending, and whether one of them is under way.
    case pending(RequestKind, Int), isRunning(RequestKind, Bool)
    /// The last answer that a request of the kind got, and the rule behind it.
    case decision(RequestKind, ScriptDecision), reason(RequestKind, String)
    /// The system's own rules that stand against the pending request now.
    case against(RequestKind, [String])
    /// How the last request of the kind ended.
    case ended(RequestKind, RequestOutcome)
    /// What became of the last push, and by which rule it is held or was dropped; how many silent ones the present
    /// window still lets through.
    case push(ScriptPushState), pushReason(String), pushesLeft(Int)
    /// How many alarms have gone off.
    case alarms(Int)
    /// How many transfers are under way, whether the system chooses their moment, when they may begin from now on, and
    /// whether they may move now.
    case transfers(Int), isDiscretionary(Bool), beginsIn(SimDuration), mayMove(Bool)
}

/// What the system answers about a request.
public enum ScriptDecision: String, Sendable, CaseIterable {
    /// Nothing is pending.
    case nothing
    case starts, waits, refused
    /// Given up at its deadline.
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

/// The error of the kernel's calls; `Background` has one of the same name.
typealias KernelError = Processes.RequestError

/// The error that an action answers with: of the kernel's calls (`EINVAL`, `ENOSPC`), or of `BGTaskScheduler`.
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
