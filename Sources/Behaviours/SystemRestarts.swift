// SPDX-License-Identifier: GPL-3.0-or-later
import EventKernel
import Measures
import PhoneCore
import Power
import Quantities
import RandomStreams
import Vocabulary

extension DeviceTimer {
    /// At night, the system checks whether to install a new version of itself.
    @inlinable public static var upgrade: DeviceTimer { DeviceTimer(21) }
    /// The system crashes.
    @inlinable public static var systemCrash: DeviceTimer { DeviceTimer(22) }
}

/// Restarts that the user does not request (`RestartParameters`).
///
/// Restarts occur at night for a new version of the system, and at any time after a crash of the system.
package struct SystemRestarts {
    /// Measures of restarts.
    package struct Measures: Sendable {
        let upgrades: Count
        let crashes: Count

        package init(_ builder: inout MeasureBuilder) {
            upgrades = builder.perDay(
                "system_upgrades_per_day", .neutral, "restarts to install a new version of the system")
            crashes = builder.perDay("system_crashes_per_day", .lower, "restarts because the system had crashed")
        }
    }

    private let measures: Measures
    private let rules: RestartParameters
    private var releases: RandomStream
    private var nights: RandomStream
    private var crashes: RandomStream
    /// When the next version is released.
    private var release = SimTime.distantFuture

    package init(_ core: borrowing PhoneCore, _ measures: Measures) {
        self.measures = measures
        rules = core.device.restarts
        releases = core.stream("system", "releases")
        nights = core.stream("system", "upgrades")
        crashes = core.stream("system", "crashes")
    }

    /// Schedules the first night with a possible upgrade, and the first crash, if the device has upgrades or crashes.
    package mutating func schedule(_ core: inout PhoneCore) {
        if rules.upgradesPerMonth > 0, rules.firstHour < rules.lastHour {
            drawRelease(after: core.now)
            scheduleNight(of: 0, &core)
        }
        scheduleCrash(&core)
    }

    // MARK: New versions

    private mutating func drawRelease(after time: SimTime) {
        release = time + .days(30 * releases.exponential(mean: 1 / rules.upgradesPerMonth))
    }

    private mutating func scheduleNight(of day: Int, _ core: inout PhoneCore) {
        let hour = Double(rules.firstHour) + nights.uniform() * Double(rules.lastHour - rules.firstHour)
        core.engine.schedule(
            Slots.device(.upgrade), at: .zero + .days(Double(day)) + .hours(hour), class: EventClass.work)
    }

    /// Installs the newest released version, in the hours of the night for upgrades.
    package mutating func upgradeTimer(_ core: inout PhoneCore) {
        scheduleNight(of: core.now.hour / 24 + 1, &core)
        guard release <= core.now, mayUpgrade(core) else { return }
        drawRelease(after: core.now)
        core.post(.restarting(rules.upgradeTime, .upgrade))
    }

    /// Whether the phone is on a charger, on Wi-Fi, and locked.
    private func mayUpgrade(_ core: borrowing PhoneCore) -> Bool {
        !core.power.isDead && core.conditions.pluggedIn && core.power.interface == .wifi && core.conditions.locked
            && !core.conditions.screenOn
    }

    // MARK: Crashes

    private mutating func scheduleCrash(_ core: inout PhoneCore) {
        guard rules.crashesPerMonth > 0 else { return }
        core.engine.schedule(
            Slots.device(.systemCrash), after: .days(30 * crashes.exponential(mean: 1 / rules.crashesPerMonth)),
            class: EventClass.lifeCycle)
    }

    /// Crashes the system if the phone is on.
    package mutating func crashTimer(_ core: inout PhoneCore) {
        scheduleCrash(&core)
        guard !core.power.isDead else { return }
        core.post(.restarting(rules.crashTime, .crash))
    }

    /// Counts a restart by its cause.
    package func count(_ cause: RestartCause, _ core: inout PhoneCore) {
        switch cause {
        case .user: break
        case .upgrade: core.measures.add(measures.upgrades)
        case .crash: core.measures.add(measures.crashes)
        }
    }
}
