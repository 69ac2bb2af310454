// SPDX-License-Identifier: GPL-3.0-or-later
import EventKernel
import PhoneCore
import Quantities
import RandomStreams
import Vocabulary
import Workload

extension DeviceTimer {
    /// A phone that is not being touched locks itself before the session of the workload ends.
    @inlinable public static var autoLock: DeviceTimer { DeviceTimer(20) }
}

/// Auto-lock, which switches the display off after a delay; the delay is shorter in Low Power Mode.
///
/// Sessions of a workload come from recorded screen times, so they include the usual delay. In Low Power Mode, a
/// session ends earlier by the difference between the two delays. If the user opens an app within that difference, the
/// session keeps its planned end.
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
