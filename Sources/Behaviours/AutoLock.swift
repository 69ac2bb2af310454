// SPDX-License-Identifier: GPL-3.0-or-later
import EventKernel
import PhoneCore
import Quantities
import RandomStreams
import Vocabulary
import Workload

extension DeviceTimer {
    /// A phone that was put down unlocked locks itself, sooner than the session of the workload ends.
    @inlinable public static var autoLock: DeviceTimer { DeviceTimer(20) }
}

/// Sessions that nobody ends: the display goes off after a while, and sooner in Low Power Mode.
///
/// The sessions of a workload are those of recorded screens, so they hold the wait; by what it is shorter in Low Power
/// Mode they end sooner. A session in which an app is opened during that end was not waiting, and stays as it is.
package struct AutoLock {
    private var stream: RandomStream
    /// When the session would end by itself.
    private(set) package var sessionEnd = SimTime.zero

    package init(_ core: borrowing PhoneCore) { stream = core.stream("device", "auto-lock") }

    /// The user has picked the phone up, for so long.
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
