// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Quantities
import RandomStreams
import SchedulingPolicies
import Vocabulary

/// Time of the scheduler alone with a pending refresh of every app: per decision, and per change that wakes 64
/// requests.
enum BackgroundCase {
    private static let sizes = [100, 1_000, 10_000]
    private static let operations = 400_000

    static func run(into report: Report) {
        for apps in sizes {
            var phone = Bench(apps: apps)
            let decision = Measurement.nanoseconds(operations: operations) { phone.decide(operations) }
            report.add("background", "decision", apps, decision, "ns/decision")
            report.add("background", "decisions", apps, 1e9 / decision, "decisions/s")
            var change = Bench(apps: apps, waiting: 64)
            let woken = Measurement.nanoseconds(operations: operations / 64) { change.wake(operations / 64) }
            report.add("background", "change-waking-64", apps, woken, "ns/change")
        }
    }

    /// A table with a request of every app, called as a phone calls it.
    private struct Bench {
        var table: RequestTable
        var device = DeviceConditions()
        var random = RandomStream(seed: 1, replication: 0, entity: "background", purpose: "apps")
        var now = SimTime.zero
        let apps: Int

        /// The first `waiting` apps wait for a charger, the others for their score.
        init(apps: Int, waiting: Int = 0) {
            self.apps = apps
            let models = (0..<apps).map { AppModel(name: "app \($0)", category: "bench") }
            table = RequestTable(apps: models, parameters: BackgroundParameters(), policy: Opportunistic())
            device.network = .wifi
            device.batteryLevel = 0.6
            for app in 0..<apps {
                submit(AppID(app), app < waiting ? .processing : .refresh)
                if app < waiting { ask(AppID(app), .processing) }
            }
        }

        mutating func submit(_ app: AppID, _ kind: RequestKind) {
            _ = table.submit(
                app, kind, earliestBegin: now, requiresPower: kind == .processing, requiresNetwork: true, at: now)
        }

        @inline(__always)
        mutating func ask(_ app: AppID, _ kind: RequestKind) {
            device.now = now
            let answer = table.decide(
                app, kind, device: device, openLikelihood: random.uniform() * 0.1, at: now)
            guard answer.action == .start else { return }
            table.finish(app, kind, .success, at: now)
            submit(app, kind)
        }

        /// Handles requests in random order, as timers do; requests that start end at once and are submitted again.
        mutating func decide(_ count: Int) {
            for _ in 0..<count {
                now += .milliseconds(200)
                let app = AppID(random.integer(below: apps))
                if !table.isPending(app, .refresh) { submit(app, .refresh) }
                ask(app, .refresh)
            }
        }

        /// Raises a change for which 64 requests wait, whatever the number of other requests; none of the 64 may run
        /// yet.
        mutating func wake(_ count: Int) {
            for _ in 0..<count {
                while let (app, kind) = table.popWaiter(.pluggedIn) { ask(app, kind) }
            }
        }
    }
}
