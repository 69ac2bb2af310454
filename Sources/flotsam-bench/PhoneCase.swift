// SPDX-License-Identifier: GPL-3.0-or-later
import Phone
import PhoneCore
import Scenario

/// The whole phone, from drawn workload to metrics, with no table written: events per second and time per user action.
enum PhoneCase {
    /// Numbers of apps, and of days, for which a run takes at most a second.
    private static let sizes = [(apps: 100, days: 120), (apps: 1_000, days: 30), (apps: 10_000, days: 30)]

    static func run(into report: Report) {
        for (apps, days) in sizes {
            guard let specification = specification(apps: apps, days: days, [], report.remark) else { return }
            var events = 0.0
            var actions = 0.0
            let nanoseconds = Measurement.nanoseconds(operations: 1) {
                let outcome = simulate(specification)
                events = Double(outcome.events)
                actions = Double(outcome.userActions)
            }
            report.add("phone", "events", apps, events / nanoseconds * 1e9, "events/s")
            report.add("phone", "user-action", apps, nanoseconds / actions, "ns/action")
            report.add("phone", "events-per-user-action", apps, events / actions, "events/action")
            report.add("phone", "simulated-days", apps, Double(days) / nanoseconds * 1e9, "days/s")
        }
    }

    /// Settings for a phone without recorded daemons, freezer, reaper, the system's own work, slow heat and 5G.
    ///
    /// Parts that a model does not use must cost nothing.
    static let plain = [
        "device.os=ios-18", "device.daemons.as_recorded=false", "device.services=off", "device.memory.reserved=5 %",
        "device.memory.wired=17 %", "device.memory.compressor_ratio=2.7", "device.heat.body_capacity=122.5 J/K",
        "device.heat.air_resistance=3.9 K/W", "user.persona.ambient=22 degC", "device.surroundings=off",
        "device.daemons.services=0", "device.daemons.work_gap=12 h", "device.daemons.extension_gap=12 h",
        "device.radios.cellular=lte-2020", "device.radios.fallback=null",
    ]

    /// One run, for the instruction count.
    static func steady(apps: Int, days: Int, _ settings: [String] = []) {
        guard let specification = specification(apps: apps, days: days, settings, { print($0) }) else { return }
        let outcome = simulate(specification)
        print("events \(outcome.events)")
    }

    private static func specification(
        apps: Int, days: Int, _ settings: [String], _ note: (String) -> Void
    ) -> RunSpecification? {
        guard let path = Checkout.path("Benchmarks/phone.yaml") else {
            note("the phone is skipped: Benchmarks/phone.yaml was not found; run from the checkout")
            return nil
        }
        do {
            let experiment = try loadExperiment(
                path: path, overrides: ["apps.count=\(apps)", "duration=\(days) d"] + settings)
            return experiment.specification(point: 0, policy: 0, replication: 0)
        } catch {
            note("the phone is skipped: \(error)")
            return nil
        }
    }
}
