// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Experiments
import Importers
import Recording
import Workload

/// Results of a twin, for people, tables and pages.
struct TwinText {
    let twin: Twin
    var answers: [TwinAnswer] = []
    /// Sentences about the persona that was fitted to the user; nil if there are too few days.
    var persona: String?

    private var phone: RecordedPhone { twin.model.phone }

    /// Description of the phone in one line.
    var heading: String {
        let parts = [phone.product, phone.system.map { (phone.platform == .ios ? "" : "Android ") + $0 }]
        let told = parts.compactMap { $0?.excerpt }
        let size = phone.memory.map { [JetsamReportFormat.memory($0)] } ?? []
        return (told + size).joined(separator: ", ")
    }

    /// Sentences on what the twin is based on.
    var sentences: [String] {
        var sentences = phone.sources.map { "\($0.file): \($0.form)" }
        let count = count(twin.model.apps.count, "app")
        let name = heading.isEmpty ? "the phone" : heading
        sentences.append("\(name): device \(twin.model.base), system \(twin.model.os), \(count)")
        sentences += phone.notes + twin.model.notes
        sentences += twin.model.fitted.map { "fitted: \($0)" }
        if let persona { sentences += persona.split(separator: "\n").prefix(1).map { "fitted: \($0)" } }
        return sentences
    }

    /// Sentence with the number of rows whose interval is narrow and contains the recorded value; nil without rows.
    var verdict: String? {
        guard let rows = twin.replay?.rows, !rows.isEmpty else { return nil }
        let good = rows.count { $0.isInside && $0.isSharp }
        let kind = twin.isHalved ? "The second half, predicted from the first" : "The recorded hours, replayed"
        return
            "\(kind): \(good) of \(rows.count) recorded figures lie in a simulated 95 % interval that is at most half "
            + "as wide as the figure."
    }

    /// Sentence that lists the values that the files do not contain; nil if there are none.
    var missing: String? {
        guard let missing = twin.replay?.missing, !missing.isEmpty else { return nil }
        return "not in the files, so taken from the model: \(missing.joined(separator: ", "))"
    }

    var report: Report {
        var report = Report()
        report.give(["device": .string(twin.model.base), "system": .string(twin.model.os)])
        for sentence in sentences { report.say(sentence: sentence) }
        if let replay = twin.replay {
            report.say("\n")
            report.table(
                "rows", Self.shown(replay.rows),
                [
                    .left("", nil) { Report.Cell($0.name) }, .right("recorded", nil) { number($0.recorded) },
                    .right("simulated", nil) { number($0.simulated) }, .right("from", nil) { number($0.low) },
                    .right("to", nil) { number($0.high) }, .left("", nil) { Report.Cell($0.unit) },
                    .left("", nil) { Report.Cell(Self.verdict(of: $0)) },
                ])
            report.table(
                "rows", replay.rows,
                [
                    .data("name") { .string($0.name) }, .data("group") { .string($0.group) },
                    .data("unit") { .string($0.unit) }, .data("recorded") { .number($0.recorded) },
                    .data("simulated") { .number($0.simulated) }, .data("low") { .number($0.low) },
                    .data("high") { .number($0.high) },
                ])
        } else {
            let hasLevels = twin.model.trace?.response.levels.isEmpty == false
            report.say(
                hasLevels
                    ? "\nthe recorded battery levels cover fewer than two full hours, so there is no replay\n"
                    : "\nno file contains battery levels, so there is no replay\n")
        }
        if let verdict { report.say(sentence: verdict) }
        if let missing { report.say(sentence: missing) }
        say(answers, in: &report)
        return report
    }

    /// Values of the judged metrics on the replayed phone, for a table.
    static func replayed(_ answer: TwinAnswer) -> [String] {
        answer.replayed.map { value in
            value.map { Figures.short($0.mean, digits: 3) + ($0.unit == "1" ? "" : " " + $0.unit) } ?? "-"
        }
    }

    private func say(_ answers: [TwinAnswer], in report: inout Report) {
        if let first = answers.first {
            let values = zip(TwinAnswer.judged, Self.replayed(first)).map { "\($0.words) \($1)" }
            report.say(sentence: "\nThe replayed phone has, per day: \(values.joined(separator: ", ")).")
        }
        for answer in answers {
            report.say("\nwhat if \(answer.change.text)\n")
            for (judged, change) in zip(TwinAnswer.judged, answer.changes) {
                guard let change else { continue }
                report.say("  \(judged.words): \(change.isNone ? "no change" : change.text)\n")
            }
        }
        guard !answers.isEmpty else { return }
        report.table(
            "answers", answers,
            [.data("change") { .string($0.change.text) }, .data("figures") { Report.json($0.figures) }])
    }

    /// Rows with a sample of the hourly levels; the table contains every hour.
    private static func shown(_ rows: [TwinReplay.Row]) -> [TwinReplay.Row] {
        let levels = rows.filter { $0.group == "battery level by hour" }
        let step = max(1, levels.count / 12)
        var number = 0
        return rows.filter { row in
            guard row.group == "battery level by hour" else { return true }
            number += 1
            return number % step == 0
        }
    }

    static func verdict(of row: TwinReplay.Row) -> String {
        row.isInside ? row.isSharp ? "" : "wide" : "outside"
    }

    /// All rows as a table.
    var table: String {
        var text = "group,figure,unit,recorded,simulated,low,high,verdict\n"
        for row in twin.replay?.rows ?? [] {
            let numbers = [row.recorded, row.simulated, row.low, row.high].map { Figures.short($0, digits: 6) }
            text +=
                "\(row.group),\"\(row.name)\",\(row.unit),\(numbers.joined(separator: ",")),\(Self.verdict(of: row))\n"
        }
        return text
    }

    private func number(_ value: Double) -> Report.Cell { Report.Cell(Figures.short(value, digits: 3), value) }
}
