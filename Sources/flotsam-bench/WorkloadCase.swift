// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Glibc
import Importers
import Phone
import PhoneCore
import Scenario
import Vocabulary
import Workload

/// Users: their months drawn, their years with many apps, a population under two policies, and exports read.
enum WorkloadCase {
    private static let people = 1_000
    private static let rows = 400_000

    static func run(into report: Report) {
        if let user = specification("{persona: average}", apps: 120, days: 28, report) {
            let months = 20
            let nanoseconds = Measurement.nanoseconds(operations: months) {
                for month in 0..<months { draw(user, replication: month, days: 28) }
            }
            report.add("workload", "user-month", 120, nanoseconds / 1e6, "ms")
        }
        if let user = specification("{persona: heavy}", apps: 10_000, days: 1, report) {
            let before = residentMiB()
            let seconds = Measurement.nanoseconds(operations: 1) { draw(user, replication: 0, days: 365) } / 1e9
            report.add("workload", "heavy-year", 10_000, seconds, "s")
            report.add("workload", "heavy-year-memory", 10_000, residentMiB() - before, "MiB more")
        }
        population(into: report)
        importing(into: report)
    }

    private static func draw(_ run: RunSpecification, replication: Int, days: Int) {
        var workload = PersonaWorkload(
            persona: run.persona, apps: run.apps, seed: 1, replication: replication, startWeekday: 0, days: days)
        var intents: [Intent] = []
        while workload.nextDay(into: &intents) { keep(UInt64(intents.count)) }
    }

    /// Seven days of each person under jetsam and under LRU, once, one run after the other.
    private static func population(into report: Report) {
        let user = "{population: smartphone-users, size: \(people)}"
        guard let experiment = experiment(user, apps: nil, days: 7, replications: people, report) else { return }
        let start = processorSeconds()
        var events = 0.0
        for person in 0..<people {
            for policy in experiment.policies.indices {
                let run = experiment.specification(point: 0, policy: policy, replication: person)
                events += Double(simulate(run).events)
            }
        }
        let seconds = processorSeconds() - start
        report.add("workload", "population-2-policies-7-days", people, seconds, "s")
        report.add("workload", "population-person-week", people, seconds / Double(2 * people) * 1e3, "ms")
        report.add("workload", "population-events", people, events / seconds, "events/s")
    }

    /// An export of "App Usage" with a row every forty seconds, newest first.
    private static func importing(into report: Report) {
        var text = "\"App name\",\"Date\",\"Time\",\"Duration\"\n"
        let start = 1_600_000_000 - 1_600_000_000 % 86400
        for row in (0..<rows).reversed() {
            let second = start + row * 40
            let (hour, minute) = (second % 86400 / 3600, second % 3600 / 60)
            let date = CalendarDate(daysSince1970: second / 86400).parts
            let name = row % 3 == 0 ? "Screen off (locked)" : "App number \(row % 61)"
            func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
            text += "\"\(name)\",\"\(two(date.day))/\(two(date.month))/\(date.year)\","
            text += "\"\(two(hour)):\(two(minute)):\(two(second % 60))\",\"00:\(two(5 + row % 30))\"\n"
        }
        let path = "/tmp/flotsam-bench-\(getpid()).csv"
        defer { unlink(path) }
        do {
            try replaceFile(path) { try $0.write(Array(text.utf8)) }
            let before = residentMiB()
            let events = try importAppUsage(paths: [path], AppUsageOptions()).events.count
            let nanoseconds = Measurement.nanoseconds(operations: 1) {
                let again = try? importAppUsage(paths: [path], AppUsageOptions()).events.count
                if again != events { report.remark("an import gave another number of events the second time") }
            }
            let megabytes = Double(text.utf8.count) / 1e6
            report.add("workload", "import-app-usage", rows, megabytes / nanoseconds * 1e9, "MB/s")
            let more = (residentMiB() - before) * 1.048576
            report.add("workload", "import-memory", rows, more / megabytes, "of the file")
        } catch {
            report.remark("importing is skipped: \(error)")
        }
    }

    private static func specification(
        _ user: String, apps: Int, days: Int, _ report: Report
    ) -> RunSpecification? {
        experiment(user, apps: apps, days: days, replications: 1, report)?
            .specification(point: 0, policy: 0, replication: 0)
    }

    private static func experiment(
        _ user: String, apps: Int?, days: Int, replications: Int, _ report: Report
    ) -> Experiment? {
        guard let path = Checkout.path("Benchmarks/users.yaml") else {
            report.remark("users are skipped: Benchmarks/users.yaml was not found; run from the checkout")
            return nil
        }
        do {
            let count = apps.map { ["apps.count=\($0)"] } ?? []
            return try loadExperiment(
                path: path, overrides: ["user=\(user)", "duration=\(days) d", "replications=\(replications)"] + count)
        } catch {
            report.remark("users are skipped: \(error)")
            return nil
        }
    }

    /// Largest resident size of this process so far.
    private static func residentMiB() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return Double(usage.ru_maxrss) / 1024
    }
}
