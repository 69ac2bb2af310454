// SPDX-License-Identifier: GPL-3.0-or-later
import EventKernel
import Power
import Quantities
import Vocabulary

/// A timer of the device itself.
///
/// A behaviour declares its own timers in its file; a test checks that all numbers are different.
@frozen
public struct DeviceTimer: BitwiseCopyable {
    /// Number of the timer, below 32.
    public let number: Int

    /// Creates the timer with this number, which no other device timer may have.
    @inlinable
    public init(_ number: Int) { self.number = number }

    /// Lets a switch compare numbers; public like the constants, so that the compiler creates a jump table.
    @inlinable
    public static func ~= (timer: DeviceTimer, value: DeviceTimer) -> Bool { timer.number == value.number }

    /// The next intent of the user's day.
    @inlinable public static var intent: DeviceTimer { DeviceTimer(0) }
    /// The battery's next step or threshold.
    @inlinable public static var battery: DeviceTimer { DeviceTimer(1) }
    /// The next app finishes ageing in the process table.
    @inlinable public static var aging: DeviceTimer { DeviceTimer(4) }
    /// The hourly rows and budgets.
    @inlinable public static var hour: DeviceTimer { DeviceTimer(5) }
    /// The run enters its next stage: the warm-up ends, or other policies take over.
    @inlinable public static var stage: DeviceTimer { DeviceTimer(6) }

    /// First timer number of radios after the first two.
    private static let furtherRadios = 28

    /// The timer of a radio's state machine: number 2 or 3, or a number from 28 on.
    @inline(__always)
    static func radio(_ interface: Interface) -> DeviceTimer {
        DeviceTimer(interface.number(first: 2, further: furtherRadios))
    }

    /// The radio of this timer; nil for other timers.
    @inline(__always)
    var radio: Interface? {
        if number == 2 || number == 3 { return Interface(number - 2) }
        return number >= Self.furtherRadios ? Interface(number - Self.furtherRadios + 2) : nil
    }
}

/// A timer of an app or a daemon.
///
/// A behaviour declares its own timers in its file; a test checks that all numbers are different.
@frozen
public struct AppTimer: BitwiseCopyable {
    /// Number of the timer, below 32.
    public let number: Int

    /// Creates the timer with this number, which no other app timer may have.
    @inlinable
    public init(_ number: Int) { self.number = number }

    /// Lets a switch compare numbers; public like the constants, so that the compiler creates a jump table.
    @inlinable
    public static func ~= (timer: AppTimer, value: AppTimer) -> Bool { timer.number == value.number }

    /// A launch completes, an interruption ends, or the grace in the background ends.
    @inlinable public static var lifeCycle: AppTimer { AppTimer(0) }
    /// A run for an event reaches its next stage or its limit.
    @inlinable public static var event: AppTimer { AppTimer(10) }
}

/// Order of events at one instant: physics, then the system, then external events, then counting.
public enum EventClass {
    /// Charge, heat and voltage.
    @inlinable public static var battery: UInt8 { 0 }
    /// State machines of radios.
    @inlinable public static var radio: UInt8 { 1 }
    /// Launches, ageing and ends of processes.
    @inlinable public static var lifeCycle: UInt8 { 2 }
    /// Running background work.
    @inlinable public static var work: UInt8 { 3 }
    /// Requests for background work.
    @inlinable public static var request: UInt8 { 4 }
    /// Pushes.
    @inlinable public static var push: UInt8 { 5 }
    /// Actions of the user.
    @inlinable public static var intent: UInt8 { 6 }
    /// Rows and counters.
    @inlinable public static var counting: UInt8 { 7 }
    /// Changes of policies; counts up to this instant belong to the previous policies.
    @inlinable public static var policies: UInt8 { 8 }
}

/// Slot numbers of timers.
///
/// Each entity has room for 32 timers: the device first, then the apps, then the daemons. After them, there is one slot
/// for each continued task that may run at once.
public enum Slots {
    /// Layout of the slots of the device's and each app's timers.
    @inlinable public static var layout: SlotLayout { SlotLayout(kindBits: 5) }

    /// The slot of a timer of the device.
    @inlinable @inline(__always)
    public static func device(_ timer: DeviceTimer) -> Int { timer.number }

    /// The slot of a timer of an app.
    @inlinable @inline(__always)
    public static func app(_ app: AppID, _ timer: AppTimer) -> Int {
        layout.slot(entity: Int(app.index) + 1, kind: timer.number)
    }

    /// The first slot after those of the processes.
    package static func continued(processes: Int) -> Int { layout.slots(entities: processes + 1) }

    static func count(processes: Int, continued: Int) -> Int { self.continued(processes: processes) + continued }
}

/// Deadlines in the event queue, so that only changed deadlines are scheduled again.
struct ArmedDeadlines {
    var battery = SimTime.distantFuture
    var aging = SimTime.distantFuture
}
