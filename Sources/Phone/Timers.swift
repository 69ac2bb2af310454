import EventKernel
import Quantities
import Vocabulary

/// Timers of the device itself.
enum DeviceTimer: Int {
    /// The next intent of the user's day.
    case intent
    /// The battery's next step or threshold.
    case battery
    /// The state machines of the two radios.
    case wifi, cellular
    /// The next app becomes idle in the process table.
    case aging
    /// Every hour: rows, budgets.
    case hour
    /// The end of the warm-up.
    case warmup
    /// A top-up comes to its end.
    case topUpEnds
    /// A charge that waited at its hold level goes on.
    case chargeResumes
    /// The first errand of the agenda.
    case agenda
}

/// Timers of an app.
enum AppTimer: Int {
    /// A launch completes, an interruption ends, or the background grace runs out.
    case lifeCycle
    /// Background work reaches its next phase or its limit.
    case work
    /// A pending refresh request is looked at again.
    case refresh
    /// A pending processing request is looked at again.
    case processing
    /// The next push arrives.
    case push
    /// The app has work for its next processing task.
    case wantProcessing
    /// The app on screen moves its next piece of data.
    case stream
    /// The planned end of its visit: the user goes to the home screen.
    case home
    /// A daemon or an extension begins or ends a spell of work.
    case system
    /// The next silent push arrives.
    case silentPush
    /// A run for an event reaches its next stage or its limit.
    case wake
}

/// Events of one instant happen in this order: physics, then the system, then what comes from outside, then counting.
enum EventClass {
    static let battery: UInt8 = 0
    static let radio: UInt8 = 1
    static let lifeCycle: UInt8 = 2
    static let work: UInt8 = 3
    static let request: UInt8 = 4
    static let push: UInt8 = 5
    static let intent: UInt8 = 6
    static let counting: UInt8 = 7
}

/// Slot numbers: room for sixteen timers per entity, the device first, then the apps, then the daemons.
enum Slots {
    static let layout = SlotLayout(kindBits: 4)

    @inline(__always)
    static func device(_ timer: DeviceTimer) -> Int { timer.rawValue }

    @inline(__always)
    static func app(_ app: AppID, _ timer: AppTimer) -> Int {
        layout.slot(entity: Int(app.index) + 1, kind: timer.rawValue)
    }

    static func count(processes: Int) -> Int { layout.slots(entities: processes + 1) }
}

/// Deadlines as they stand in the event queue, so that only those that moved are scheduled again.
struct ArmedDeadlines {
    var battery = SimTime.distantFuture
    var wifi = SimTime.distantFuture
    var cellular = SimTime.distantFuture
    var aging = SimTime.distantFuture
    var agenda = SimTime.distantFuture
}
