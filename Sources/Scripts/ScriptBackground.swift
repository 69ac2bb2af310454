// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Processes
import Quantities
import SchedulingPolicies
import Vocabulary

/// State of an app's requests of one kind that the request table does not keep.
struct ScriptWork {
    /// When the request is considered next.
    var wakeAt = SimTime.distantFuture
    /// When the time limit of the running work is reached.
    var endsAt = SimTime.distantFuture
    /// Last answer, and outcome of the last request.
    var answer = RequestAnswer(.nothing, reason: .nothingPending)
    var ended: RequestOutcome?
}

/// Events for which the system runs an app.
enum ScriptEvent {
    case none, silentPush, call, transfer, alarm
}

/// State of the events of one app.
struct ScriptEvents {
    /// Event for which the app runs now, and when the time for the event is over.
    var event = ScriptEvent.none
    var endsAt = SimTime.distantFuture
    /// State of the last push, the rule that holds or dropped the push, and when a held push is considered again.
    var push = ScriptPushState.none
    var pushRule: SystemRule?
    var pushWakeAt = SimTime.distantFuture
    /// Number of alarms that have gone off.
    var alarms = 0
    /// Number of consecutive calls that the app did not report.
    var missedCalls = 0
}

/// Background work in a scenario, kept in the same tables as on a phone, and the state of the device.
struct ScriptBackground {
    var requests: RequestTable
    var gate: PushGate
    var transfers: TransferTable
    var alarms: AlarmTable
    var urgent: UrgentMessages
    var device = DeviceConditions()
    /// Requests by app and kind.
    var work: [ScriptWork]
    var events: [ScriptEvents]
    /// Changes that happened since the waiting requests were last considered.
    var raised: ConditionChanges = []

    init(apps: [AppModel], policy name: String, profile: OSProfile) {
        let parameters = BackgroundParameters(profile.family)
        let entry = SchedulingPolicies.named(name)
        let policy = entry.map { $0.make($0.descriptor.defaultArguments(seed: 1)) } ?? Never()
        requests = RequestTable(apps: apps, parameters: parameters, policy: policy)
        gate = PushGate(apps: apps.count, parameters: parameters.pushes)
        transfers = TransferTable(apps: apps.count, parameters: parameters.transfers)
        alarms = AlarmTable(apps: apps, parameters: parameters.alarms, mayBeExact: profile.exactAlarms)
        urgent = UrgentMessages(apps: apps.count, parameters: parameters.pushes)
        work = Array(repeating: ScriptWork(), count: 2 * apps.count)
        events = Array(repeating: ScriptEvents(), count: apps.count)
    }

    func lane(_ app: AppID, _ kind: RequestKind) -> Int { 2 * Int(app.index) + Int(kind.rawValue) }

    /// Whether background work or an event keeps the app running.
    func holds(_ app: AppID) -> Bool {
        events[Int(app.index)].event != .none || requests.isRunning(app, .refresh)
            || requests.isRunning(app, .processing)
    }

    /// The earliest time at which an app has something due, with this app.
    var next: (app: AppID, time: SimTime)? {
        var result: (app: AppID, time: SimTime)?
        for index in events.indices {
            let due = min(
                min(work[2 * index].wakeAt, work[2 * index].endsAt),
                min(work[2 * index + 1].wakeAt, work[2 * index + 1].endsAt),
                min(events[index].endsAt, events[index].pushWakeAt))
            if due < (result?.time ?? .distantFuture) { result = (AppID(index), due) }
        }
        return result
    }

    /// Removes and returns the next raised change; nil if none is left.
    mutating func popRaised() -> ConditionChanges? {
        for bit in 0..<ConditionChanges.count {
            let change = ConditionChanges(rawValue: 1 << UInt16(bit))
            if raised.contains(change) {
                raised.remove(change)
                return change
            }
        }
        return nil
    }

    /// Records the outcomes of requests that ended without running.
    mutating func collectUnrun() {
        for request in requests.unrun { work[lane(request.app, request.kind)].ended = request.outcome }
        requests.clearUnrun()
    }
}
