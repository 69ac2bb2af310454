// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Experiments
import Files
import Importers
import Quantities
import Measures
import Recording
import Scenario
import Workload

/// Many phones: a row for each, the ends of their apps by category, and people fitted to those with days enough.
struct TwinFleet {
    let folder: TwinFolder
    let options: RecordingOptions
    let isAnonymous: Bool

    /// Reads the phones of a folder and writes what they have in common.
    func run(_ path: String, json: Bool) throws -> Int32 {
        guard let paths = try phonesOfFleet(path) else {
            throw Diagnostics(
                "--fleet expects a folder, found \(path)", hint: "a file or a folder in it for each phone")
        }
        try createDirectory(folder.path)
        var phones: [(name: String, phone: RecordedPhone)] = []
        var left: [String] = []
        for path in paths {
            do throws(Diagnostics) {
                phones.append((FilePath.name(of: path), try readPhone(paths: [path], options)))
            } catch {
                left.append(FilePath.name(of: path))
            }
        }
        guard !phones.isEmpty else { throw Diagnostics("\(path) holds no phone that is known here") }
        try folder.write(table(phones), to: "fleet.csv")
        var report = Report()
        report.say("\(count(phones.count, "phone")) of \(count(paths.count, "file"))\n")
        for name in isAnonymous ? [] : left.prefix(5) { report.say("left out: \(name.excerpt)\n") }
        say(ends(phones.map(\.phone)), in: &report)
        report.say(sentence: try writePopulation(phones.map(\.phone)))
        let code = report.out(json: json)
        if !json { Console.out("\nphones: \(FilePath.join(folder.path, "fleet.csv"))\n") }
        return code
    }

    private func table(_ phones: [(name: String, phone: RecordedPhone)]) -> String {
        var text = "phone,platform,system,memory_mib,capacity_mah,days,sessions_per_day,apps,deaths\n"
        for (number, (name, phone)) in phones.enumerated() {
            let trace = phone.workload
            let days = trace.map { ($0.covered.upperBound - $0.covered.lowerBound) / .day }
            let sessions = trace?.events.count { $0.kind == .unlock }
            let cells: [String] = [
                isAnonymous ? "phone-\(number + 1)" : "\"\(name.replacing("\"", with: "\"\""))\"",
                phone.platform?.rawValue ?? "",
                phone.system == nil ? "" : TwinModel(phone, library: .located()).os,
                phone.memory.map { "\(Int($0.mebibytes))" } ?? "", phone.capacity.map { "\(Int($0))" } ?? "",
                days.map { Figures.short($0, digits: 3) } ?? "",
                sessions.flatMap { count in days.map { Figures.short(Double(count) / max($0, 0.01), digits: 3) } }
                    ?? "",
                "\(max(phone.apps.count, trace?.apps.count ?? 0))", "\(phone.deaths.count)",
            ]
            text += cells.joined(separator: ",") + "\n"
        }
        return text
    }

    /// Ends of processes by category, over all phones that tell of them.
    private func ends(_ phones: [RecordedPhone]) -> [(category: String, count: Int, phones: Int)] {
        var counts: [String: (Int, Int)] = [:]
        for phone in phones {
            var own: [String: Int] = [:]
            for app in phone.apps.values { own.merge(app.exits) { $0 + $1 } }
            for (category, count) in own {
                let known = counts[category] ?? (0, 0)
                counts[category] = (known.0 + count, known.1 + 1)
            }
        }
        return counts.sorted { (-$0.value.0, $0.key) < (-$1.value.0, $1.key) }.map { ($0.key, $0.value.0, $0.value.1) }
    }

    private func say(_ ends: [(category: String, count: Int, phones: Int)], in report: inout Report) {
        guard !ends.isEmpty else { return }
        report.say("ends of processes, by category:\n")
        report.table(
            "ends", ends,
            [
                .left("", "category") { Report.Cell($0.category) }, .right("ends", "ends") { Report.Cell($0.count) },
                .right("phones", "phones") { Report.Cell($0.phones) },
            ])
    }

    /// People fitted to the phones that were recorded for days enough.
    private func writePopulation(_ phones: [RecordedPhone]) throws -> String {
        var traces: [String] = []
        for (number, phone) in phones.enumerated() {
            let model = TwinModel(phone, library: .located(), isAnonymous: isAnonymous)
            guard WorkloadFit.canFit(model), var trace = model.trace else { continue }
            trace.notes.append(String(TwinFolder.mark.dropFirst(2)))
            let name = "trace-\(number + 1).csv"
            try folder.target(name).write(trace.encoded(), mark: TwinFolder.mark)
            traces.append(FilePath.join(folder.path, name))
        }
        guard !traces.isEmpty else { return "no phone was recorded for three days: no people are fitted" }
        let fit = WorkloadFit(base: "average", name: "fleet", setting: folder.setting)
        return try fit.fit(traces, to: folder.target("population.yaml"))
    }
}
