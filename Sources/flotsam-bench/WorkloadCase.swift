// SPDX-License-Identifier: GPL-3.0-or-later
import Experiments
import Files
import Importers
import Phone
import PhoneCore
import Platform
import Recording
import Scenario
import Vocabulary
import Workload

/// Time and memory to draw months and years of users, to run a population under two policies, and to import exports.
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
        importingForms(into: report)
    }

    private static func draw(_ run: RunSpecification, replication: Int, days: Int) {
        var workload = PersonaWorkload(
            persona: run.persona, apps: run.apps, seed: 1, replication: replication, startWeekday: 0, days: days)
        var intents: [Intent] = []
        while workload.nextDay(into: &intents) { keep(UInt64(intents.count)) }
    }

    /// Runs seven days of each person once under jetsam and once under LRU, one run after the other.
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

    /// An export as a phone writes it: the text above its rows, its rows, and its importer.
    private struct Export: Sendable {
        let name: String
        let head: String
        let row: @Sendable (Int) -> String
        let read: @Sendable (String) throws -> WorkloadFile
    }

    /// Exports with a row every forty seconds; in "App Usage", the newest row comes first.
    private static let exports = [
        Export(name: "app-usage", head: "\"App name\",\"Date\",\"Time\",\"Duration\"\n") { row in
            let (date, clock) = stamp(rows - row)
            let name = row % 3 == 0 ? "Screen off (locked)" : "App number \(row % 61)"
            return "\"\(name)\",\"\(two(date.day))/\(two(date.month))/\(date.year)\",\"\(clock)\","
                + "\"00:\(two(5 + row % 30))\"\n"
        } read: {
            try importAppUsage(paths: [$0], AppUsageOptions())
        },
        Export(name: "aware", head: "time,screen_status\n") { row in
            "\(start + row * 40).195,\([1, 3, 0, 2][row % 4])\n"
        } read: {
            try importAware(paths: [$0], RecordingOptions(zone: "Europe/Helsinki"))
        },
        Export(name: "usagestats", head: "user=0\n  Last 24 hour events\n") { row in
            let (date, clock) = stamp(row)
            let kind = ["SCREEN_INTERACTIVE", "ACTIVITY_RESUMED", "ACTIVITY_PAUSED", "SCREEN_NON_INTERACTIVE"][row % 4]
            return "    time=\"\(date.year)-\(two(date.month))-\(two(date.day)) \(clock)\" type=\(kind) "
                + "package=com.example.app\(row / 4 % 61) class=com.example.Main instanceId=12 flags=0x0\n"
        } read: {
            try importUsagestats(paths: [$0], RecordingOptions())
        },
        Export(name: "lsapp", head: "user_id\tsession_id\ttimestamp\tapp_name\tevent_type\n") { row in
            let (date, clock) = stamp(row)
            return "0\t\(row / 20)\t\(date.year)-\(two(date.month))-\(two(date.day)) \(clock)\t"
                + "App number \(row / 2 % 61)\t\(row % 2 == 0 ? "Opened" : "Closed")\n"
        } read: {
            try importMappedTable(paths: [$0], MappedTableOptions(map: .lsapp))
        },
        Export(name: "batterystats", head: "Battery History [Format: 2] (9% used, 1KB used of 4096KB):\n") { row in
            let (date, clock) = stamp(row)
            let what = ["+screen", "top=u0a\(row / 4 % 61):\"com.example.app\(row / 4 % 61)\"", "-screen", "+running"]
            return "  \(two(date.month))-\(two(date.day)) \(clock).838 0\(two(99 - row % 90)) \(what[row % 4])\n"
        } read: { path in
            var options = BatterystatsOptions()
            options.recording.zone = "+02:00"
            return try importBatterystats(path: path, options)
        },
    ]

    private static let start = 1_600_000_000 - 1_600_000_000 % 86400

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func stamp(_ row: Int) -> (date: (year: Int, month: Int, day: Int), clock: String) {
        let second = start + row * 40
        let clock = [second % 86400 / 3600, second % 3600 / 60, second % 60].map(two).joined(separator: ":")
        return (CalendarDate(daysSince1970: second / 86400).parts, clock)
    }

    private static func importing(into report: Report) {
        for export in exports {
            var text = export.head
            for row in 0..<rows { text += export.row(row) }
            do {
                let folder = try ScratchFolder()
                defer { withExtendedLifetime(folder) {} }
                let path = folder.path + "/export"
                try replaceFile(path) { try $0.write(Array(text.utf8)) }
                let before = residentMiB()
                let events = try export.read(path).events.count
                let megabytes = Double(text.utf8.count) / 1e6
                let more = (residentMiB() - before) * 1.048576
                let nanoseconds = Measurement.nanoseconds(operations: 1) {
                    let again = try? export.read(path).events.count
                    if again != events {
                        report.remark("\(export.name): a second import gave another number of events")
                    }
                }
                report.add("workload", "import-\(export.name)", rows, megabytes / nanoseconds * 1e9, "MB/s")
                // The largest resident size so far is meaningful only for the first export.
                if export.name == exports[0].name {
                    report.add("workload", "import-memory", rows, more / megabytes, "of the file")
                }
            } catch {
                report.remark("importing \(export.name) is skipped: \(error)")
            }
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

    /// Imports 100 MB of the screen's states, plain, packed and in UTF-16, and reports the peak memory of each import.
    private static func importingForms(into report: Report) {
        guard let export = exports.first(where: { $0.name == "aware" }) else { return }
        let rows = 5_900_000
        do {
            let folder = try ScratchFolder()
            defer { withExtendedLifetime(folder) {} }
            let forms = try writeForms(export, rows: rows, to: folder.path)
            for form in forms {
                guard let before = resetPeakMiB() else {
                    return report.remark("this system does not report peaks of memory")
                }
                keep(UInt64(try export.read(folder.path + "/" + form).events.count))
                report.add("workload", "import-peak-\(form)", rows, (peakMiB() ?? .nan) - before, "MiB more")
            }
        } catch {
            report.remark("importing packed files is skipped: \(error)")
        }
    }

    private static func writeForms(_ export: Export, rows: Int, to folder: String) throws -> [String] {
        var text = Array(export.head.utf8)
        for row in 0..<rows { text += export.row(row).utf8 }
        try replaceFile(folder + "/plain") { try $0.write(text) }
        try replaceFile(folder + "/utf-16") { try $0.write([0xff, 0xfe] + text.flatMap { [$0, 0] }) }
        try replaceFile(folder + "/gzip") { file throws(FileError) in
            var packed = try GzipFile(file)
            try packed.write(text, to: file)
            try packed.finish(file)
        }
        return ["plain", "gzip", "utf-16"]
    }

    /// Resets the peak of the resident size; returns the present size, nil where Linux does not report it.
    private static func resetPeakMiB() -> Double? {
        guard let file = fopen("/proc/self/clear_refs", "w") else { return nil }
        defer { fclose(file) }
        fputs("5", file)
        fflush(file)
        return peakMiB()
    }

    /// Largest resident size since the reset.
    private static func peakMiB() -> Double? {
        guard let bytes = try? readFile("/proc/self/status") else { return nil }
        let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) }.map { $0 / 1024 }
    }

    /// Largest resident size of this process so far.
    private static func residentMiB() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return Double(usage.ru_maxrss) / 1024
    }
}
