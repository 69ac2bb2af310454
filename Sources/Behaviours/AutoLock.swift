// SPDX-License-Identifier: GPL-3.0-or-later
import EventKernel
import PhoneCore
import Quantities
import RandomStreams
import Vocabulary
import Workload

extension DeviceTimer {
    /// An unlocked phone that was put down locks itself, earlier than the session of the workload ends.
    @inlinable public static var autoLock: DeviceTimer { DeviceTimer(20) }
}

/// Sessions that end by auto-lock: the display goes off after a while, and sooner in Low Power Mode.
///
/// The sessions of a workload are those of recorded screens, so they include the wait. In Low Power Mode they end
/// earlier by the difference of the waits. A session in which an app is opened during that end was not waiting, and is
/// unchanged.
package struct AutoLock {
    private var stream: RandomStream
    /// Planned end of the session.
    private(set) package var sessionEnd = SimTime.zero

    package init(_ core: borrowing PhoneCore) { stream = core.stream("device", "auto-lock") }

    /// Begins a session of a planned length.
    package mutating func unlocked(for length: SimDuration, _ core: inout PhoneCore) {
        let habits = core.device.habits
        guard habits.autoLockShare > 0 else { return }
        let isLeft = stream.bernoulli(habits.autoLockShare)
        core.engine.cancel(Slots.device(.autoLock))
        let sooner = habits.autoLock - habits.lowPowerAutoLock
        guard isLeft, core.conditions.lowPowerMode, sooner > .zero, length > sooner else { return }
        sessionEnd = core.now + length
        core.engine.schedule(Slots.device(.autoLock), at: sessionEnd - sooner, class: EventClass.intent)
    }
}
