// SPDX-License-Identifier: GPL-3.0-or-later
import EventKernel
import Quantities
import Vocabulary

/// Timers of the device itself.
package enum DeviceTimer: Int {
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
    /// The user moves.
    case movement
    /// The system's push connection may need a heartbeat.
    case pushHeartbeat
    /// A continued task that waits may start, or one has not reported for too long.
    case continued
}

/// Timers of an app.
package enum AppTimer: Int {
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
    case daemon
    /// The next silent push arrives.
    case silentPush
    /// A run for an event reaches its next stage or its limit.
    case event
    /// A silent push that waits may be let through.
    case heldPush
    /// A VoIP push is sent.
    case call
    /// A call moves its next piece; it may end.
    case callPiece, callEnd
    /// What goes on in the background comes to its end; music fetches its next piece.
    case playback, musicPiece
    /// An accessory has something for its app.
    case accessory
    /// The app has something to transfer; a transfer may begin; a piece has passed.
    case wantTransfer, transferDue, transferPiece
    /// A widget asks to be reloaded.
    case widget
    /// The app's own connection may need a heartbeat.
    case heartbeat
}

/// Events of one instant happen in this order: physics, then the system, then what comes from outside, then counting.
package enum EventClass {
    package static let battery: UInt8 = 0
    package static let radio: UInt8 = 1
    package static let lifeCycle: UInt8 = 2
    package static let work: UInt8 = 3
    package static let request: UInt8 = 4
    package static let push: UInt8 = 5
    package static let intent: UInt8 = 6
    package static let counting: UInt8 = 7
}

/// Slot numbers: room for 32 timers per entity, the device first, then the apps, then the daemons; after them one for
/// each continued task that may run at once.
package enum Slots {
    package static let layout = SlotLayout(kindBits: 5)

    @inline(__always)
    package static func device(_ timer: DeviceTimer) -> Int { timer.rawValue }

    @inline(__always)
    package static func app(_ app: AppID, _ timer: AppTimer) -> Int {
        layout.slot(entity: Int(app.index) + 1, kind: timer.rawValue)
    }

    /// The first slot behind those of the processes.
    package static func continued(processes: Int) -> Int { layout.slots(entities: processes + 1) }

    static func count(processes: Int, continued: Int) -> Int { self.continued(processes: processes) + continued }
}

/// Deadlines as they stand in the event queue, so that only those that moved are scheduled again.
struct ArmedDeadlines {
    var battery = SimTime.distantFuture
    var wifi = SimTime.distantFuture
    var cellular = SimTime.distantFuture
    var aging = SimTime.distantFuture
}
