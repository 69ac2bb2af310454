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

/// Results for many phones: one row for each phone, the process exits by category, and personas fitted to phones with
/// enough days.
struct TwinFleet {
    let folder: TwinFolder
    let options: RecordingOptions
    let isAnonymous: Bool

    /// Reads the phones of a folder and writes their common results.
    func run(_ path: String, json: Bool) throws -> Int32 {
        guard let paths = try phonesOfFleet(path) else {
            throw Diagnostics(
                "--fleet expects a folder, found \(path)",
                hint: "the folder must contain a file or a folder for each phone")
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
        guard !phones.isEmpty else { throw Diagnostics("\(path) contains no phone that flotsam can read") }
        try folder.write(table(phones), to: "fleet.csv")
        var report = Report()
        report.say("\(count(phones.count, "phone")) of \(count(paths.count, "file"))\n")
        for name in isAnonymous ? [] : left.prefix(5) { report.say("left out: \(name.excerpt)\n") }
        let ends = ends(phones.map(\.phone))
        say(ends, in: &report)
        report.say(sentence: try writePopulation(phones.map(\.phone)))
        if let fleet = Fleet(phones.map(\.phone), library: .located()) {
            say(fleet, in: &report)
            report.say(sentence: try write(fleet, ends: ends.map(\.category)))
        }
        let code = report.out(json: json)
        if !json { Console.out("\nphones: \(FilePath.join(folder.path, "fleet.csv"))\n") }
        return code
    }

    private func table(_ phones: [(name: String, phone: RecordedPhone)]) -> String {
        let fleet = Fleet(phones.map(\.phone), library: .located())
        var text =
            "phone,platform,system,memory_mib,capacity_mah,days,sessions_per_day,apps,deaths,"
            + "footprint_mib,launch_ms,opens,foreground_s,wifi_mib,cellular_mib,app_days\n"
        for (number, (name, phone)) in phones.enumerated() {
            let trace = phone.workload
            let days = trace.map { ($0.covered.upperBound - $0.covered.lowerBound) / .day }
            let sessions = trace?.events.count { $0.kind == .unlock }
            let cells: [String] = [
                isAnonymous ? "phone-\(number + 1)" : "\"\(name.replacing("\"", with: "\"\""))\"",
                phone.platform?.rawValue ?? "",
                phone.system == nil ? "" : TwinModel.system(of: phone),
                phone.memory.map { "\(Int($0.mebibytes))" } ?? "", phone.capacity.map { "\(Int($0))" } ?? "",
                days.map { Figures.short($0, digits: 3) } ?? "",
                sessions.flatMap { count in days.map { Figures.short(Double(count) / max($0, 0.01), digits: 3) } }
                    ?? "",
                "\(max(phone.apps.count, trace?.apps.count ?? 0))", "\(phone.deaths.count)",
            ]
            let app = fleet.flatMap { phone.apps[$0.app] }
            func cell(_ value: Double?) -> String { value.map { $0 > 0 ? Figures.short($0, digits: 4) : "" } ?? "" }
            let own = [
                app?.footprint?.mebibytes, app?.launch.map { $0.seconds * 1000 }, app?.opens, app?.foreground,
                app.map { $0.wifiBytes / 1_048_576 }, app.map { $0.cellularBytes / 1_048_576 },
                app.map { Double($0.days) },
            ]
            text += (cells + own.map(cell)).joined(separator: ",") + "\n"
        }
        return text
    }

    /// Process exits by category, over all phones that report them.
    private func ends(_ phones: [RecordedPhone]) -> [(category: String, count: Int, phones: Int)] {
        var counts: [String: (Int, Int)] = [:]
        for phone in phones {
            var own: [String: Int] = [:]
            for app in phone.apps.values { own.merge(app.exits) { $0 + $1 } }
            for death in phone.deaths where phone.platform == .android && TwinBand.isForMemory(death.reason) {
                own["lmkd, " + TwinBand(adjustment: death.band).rawValue, default: 0] += 1
            }
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

    /// Adds the differences between the phones for the app that most of them report.
    private func say(_ fleet: Fleet, in report: inout Report) {
        let days = fleet.days > 0 ? ", \(count(fleet.days, "day"))" : ""
        report.say("\n\(isAnonymous ? "app-1" : fleet.app.excerpt), \(count(fleet.phones, "phone"))\(days):\n")
        func number(_ value: Double) -> Report.Cell { Report.Cell(Figures.short(value, digits: 3), value) }
        report.table(
            "figures", fleet.figures,
            [
                .left("", "figure") { Report.Cell($0.name) }, .left("", "unit") { Report.Cell($0.unit) },
                .right("phones", "phones") { Report.Cell($0.values.count) },
                .right("10 %", "low") { number($0.quantile(0.1)) }, .right("half", "median") { number($0.median) },
                .right("90 %", "high") { number($0.quantile(0.9)) },
            ])
    }

    /// Writes the experiment and the population of a fleet; prints the traits that are missing from the phones' files.
    private func write(_ fleet: Fleet, ends: [String]) throws -> String {
        let base = "average"
        let persona = try SimulatedUsers.experiment(
            user: "{persona: \(base)}", apps: nil, days: 1, replications: 1, seed: 1, folder.setting
        ).points[0].user.persona
        if let people = fleet.populationText(persona, named: base) { try folder.write(people, to: "people.yaml") }
        // Normal ends need no attention.
        let known = ends.filter { ($0.hasPrefix("bg_") || $0.hasPrefix("fg_")) && !$0.hasSuffix("_normal") }.prefix(4)
        let name = isAnonymous ? "app-1" : fleet.name
        try folder.write(
            fleet.experimentText(persona, named: base, app: name, ends: Array(known)), to: "fleet.yaml")
        let path = FilePath.join(folder.path, "fleet.yaml")
        _ = try loadExperiment(path: path, overrides: [], catalog: folder.setting.policies)
        let told = fleet.told(persona)
        let people =
            told.isEmpty
            ? "no traits are taken from the phones: all people have those of the persona \(base)"
            : "traits taken from the phones: \(told.joined(separator: ", ")); others are those of the persona \(base)"
        return "\(people)\nexperiment: \(path)"
    }

    /// Personas fitted to the phones with enough recorded days.
    private func writePopulation(_ phones: [RecordedPhone]) throws -> String {
        var traces: [String] = []
        for (number, phone) in phones.enumerated() {
            let model = try TwinModel(phone, library: .located(), isAnonymous: isAnonymous)
            guard WorkloadFit.canFit(model), var trace = model.trace else { continue }
            trace.notes.append(String(TwinFolder.mark.dropFirst(2)))
            let name = "trace-\(number + 1).csv"
            try folder.target(name).write(trace.encoded(), mark: TwinFolder.mark)
            traces.append(FilePath.join(folder.path, name))
        }
        guard !traces.isEmpty else { return "no phone was recorded for three days, so no population is fitted" }
        let fit = WorkloadFit(base: "average", name: "fleet", setting: folder.setting)
        return try fit.fit(traces, to: folder.target("population.yaml"))
    }
}
