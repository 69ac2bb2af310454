// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Processes
import Quantities
import SchedulingPolicies
import Vocabulary

/// What a scenario keeps of one kind of requests of one app besides the table.
struct ScriptWork {
    /// When the request is to be asked about again.
    var wakeAt = SimTime.distantFuture
    /// When the work under way has used up its time.
    var endsAt = SimTime.distantFuture
    /// The last answer, and how the last request ended.
    var answer = RequestAnswer(.nothing, reason: .nothingPending)
    var ended: RequestOutcome?
}

/// Why the system runs an app for an event.
enum ScriptEvent {
    case none, silentPush, call, transfer, alarm
}

/// What a scenario keeps of the events of one app.
struct ScriptEvents {
    /// What runs the app now, and until when at most.
    var event = ScriptEvent.none
    var endsAt = SimTime.distantFuture
    /// What became of the last push, the rule that holds or dropped it, and when a held one is to be looked at again.
    var push = ScriptPushState.none
    var pushRule: SystemRule?
    var pushWakeAt = SimTime.distantFuture
    /// How many alarms have gone off.
    var alarms = 0
    /// Calls in a row that were not reported.
    var missedCalls = 0
}

/// The background half of a scenario: the tables that a phone has too, and the state of the device.
struct ScriptBackground {
    var requests: RequestTable
    var gate: PushGate
    var transfers: TransferTable
    var alarms: AlarmTable
    var urgent: UrgentMessages
    var device = DeviceConditions()
    /// By app and kind.
    var work: [ScriptWork]
    var events: [ScriptEvents]
    /// Changes that nobody was asked about yet.
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

    /// Whether background work or an event holds the app running.
    func holds(_ app: AppID) -> Bool {
        events[Int(app.index)].event != .none || requests.isRunning(app, .refresh)
            || requests.isRunning(app, .processing)
    }

    /// What is due first: the index of an app, and when.
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

    /// The next change that somebody may wait for.
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

    /// Keeps how requests ended that never ran.
    mutating func collectUnrun() {
        for request in requests.unrun { work[lane(request.app, request.kind)].ended = request.outcome }
        requests.clearUnrun()
    }
}
