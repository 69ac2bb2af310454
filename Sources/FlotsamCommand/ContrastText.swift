// SPDX-License-Identifier: GPL-3.0-or-later
import Experiments
import PhoneCore
import Quantities
import Recording
import Statistics
import Vocabulary

/// Explanation, for people, of why one policy is better than another.
struct ContrastText {
    let contrast: PolicyContrast
    /// Name of the directory, for use in commands.
    let path: String

    private static let mostApps = 12
    /// Number of hours in one row of the table by time of day.
    private static let hoursPerRow = 3

    private typealias Pair = PolicyContrast.Pair
    private typealias Switch = PolicyContrast.Switch

    private var mine: String { contrast.policy }
    private var other: String { contrast.other }

    var report: Report {
        var report = Report()
        report.give([
            "policy": .string(mine), "against": .string(other), "replications": .integer(contrast.pairs.count),
            "days": .number(contrast.days),
        ])
        report.say("\(mine) against \(other): \(count(contrast.pairs.count, "replication")) of ")
        report.say("\(Figures.short(contrast.days)) days, the same users\n\n")
        addSentences(to: &report)
        addOpens("app", most: Self.mostApps, to: &report) { contrast.names[$0.app] }
        addOpens("killed by", most: 12, to: &report) { $0.reason?.name ?? "not killed" }
        addOpens("killed in band", most: 12, to: &report) { $0.band.map { String($0) } ?? "not killed" }
        addOpens("hour of the open", inOrder: true, most: 24, to: &report) { Self.hours($0.time) }
        addKills(to: &report)
        addHeld(to: &report)
        addParting(to: &report)
        let opens = contrast.pairs.enumerated().flatMap { pair in pair.element.switches.map { (pair.offset, $0) } }
        report.table(
            "opens", opens,
            [
                .data("replication") { .integer($0.0) }, .data("app") { .string(contrast.names[$0.1.app]) },
                .data("t_s") { .number($0.1.time.seconds) }, .data("avoided") { .bool($0.1.isSaved) },
                .data("gain_s") { .number($0.1.gain) }, .data("reason") { .string($0.1.reason?.name ?? "") },
                .data("band") { $0.1.band.map { .integer(Int($0)) } ?? .null },
            ])
        return report
    }

    private static func hours(_ time: SimTime) -> String {
        let begin = Int(time.seconds) % 86400 / 3600 / hoursPerRow * hoursPerRow
        func padded(_ hour: Int) -> String { hour < 10 ? "0\(hour)" : "\(hour)" }
        return "\(padded(begin)) to \(padded(begin + hoursPerRow))"
    }

    private func addSentences(to report: inout Report) {
        let saved = contrast.perDay { Double($0.switches.count { $0.isSaved }) }
        let lost = contrast.perDay { Double($0.switches.count { !$0.isSaved }) }
        let wait = contrast.perDay { $0.switches.reduce(0) { $0 + $1.gain } }
        report.say(
            sentence:
                "\(interval(saved)) opens a day resume under \(mine) and are relaunched under \(other); "
                + "\(interval(lost)) a day do the opposite."
        )
        report.say(sentence: "For these opens the user waits \(interval(wait)) s a day less under \(mine).")
    }

    private func interval(_ mean: MeanInterval) -> String {
        guard mean.halfWidth.isFinite else { return Figures.rough(mean.mean) }
        return "\(Figures.rough(mean.mean)) [\(Figures.rough(mean.low)), \(Figures.rough(mean.high))]"
    }

    /// Opens per day whose outcome differs between the policies, grouped by a property; the rows sum to the numbers in
    /// the sentences above.
    private func addOpens(
        _ head: String, inOrder: Bool = false, most: Int, to report: inout Report, _ group: (Switch) -> String
    ) {
        var sums: [String: (saved: Double, lost: Double, gain: Double)] = [:]
        for change in contrast.pairs.flatMap(\.switches) {
            var sum = sums[group(change)] ?? (0, 0, 0)
            sum.saved += change.isSaved ? 1 : 0
            sum.lost += change.isSaved ? 0 : 1
            sum.gain += change.gain
            sums[group(change)] = sum
        }
        guard !sums.isEmpty else { return }
        let total = contrast.days * Double(contrast.pairs.count)
        var rows = sums.sorted {
            if inOrder { return $0.key < $1.key }
            let (left, right) = (abs($0.value.gain), abs($1.value.gain))
            return left == right ? $0.key < $1.key : left > right
        }
        let rest = rows.dropFirst(most).map(\.value)
        if !rest.isEmpty {
            let sum = rest.reduce((0, 0, 0)) { ($0.0 + $1.saved, $0.1 + $1.lost, $0.2 + $1.gain) }
            rows = rows.prefix(most) + [("\(rest.count) others", sum)]
        }
        report.say("\n")
        report.table(
            nil, rows,
            [
                .left(head) { Report.Cell($0.key) },
                .right("avoided /d") { Report.Cell(Figures.rough($0.value.saved / total)) },
                .right("caused /d") { Report.Cell(Figures.rough($0.value.lost / total)) },
                .right("waiting s/d") { Report.Cell(Figures.signed(-$0.value.gain / total)) },
            ])
    }

    /// Kills of apps by band.
    private func addKills(to report: inout Report) {
        let bands = Set(contrast.pairs.flatMap { $0.kills.flatMap(\.keys) }).sorted()
        guard !bands.isEmpty else { return }
        func cell(_ side: Int, _ band: Int16) -> Report.Cell {
            Report.Cell(Figures.rough(contrast.perDay { Double($0.kills[side][band] ?? 0) }.mean) + " /d")
        }
        report.say("\n")
        report.table(
            nil, bands,
            [
                .left("kills of apps in band") { "\($0)" }, .right(mine) { cell(0, $0) }, .right(other) { cell(1, $0) },
            ])
    }

    /// Time for which rules delayed refreshes; empty if it is equal under both policies.
    private func addHeld(to report: inout Report) {
        let names = Set(contrast.pairs.flatMap { $0.held.flatMap(\.keys) })
        let rows = names.map { name in
            (name, [0, 1].map { side in contrast.perDay { $0.held[side][name] ?? 0 }.mean })
        }.filter { PairedComparison.change(from: $0.1[0], to: $0.1[1]) != 0 }.sorted {
            let (left, right) = (abs($0.1[0] - $0.1[1]), abs($1.1[0] - $1.1[1]))
            return left == right ? $0.0 < $1.0 : left > right
        }
        guard !rows.isEmpty else { return }
        report.say("\n")
        report.table(
            nil, rows, most: Self.mostApps,
            [
                .left("why refreshes waited (h/d, all apps)") { Report.Cell($0.0) },
                .right(mine) { Report.Cell(Figures.rough($0.1[0])) },
                .right(other) { Report.Cell(Figures.rough($0.1[1])) },
                .left { Report.Cell(contrast.reasons[$0.0] ?? "the policy's rule \($0.0) applied") },
            ])
    }

    /// First replication in which the runs differ, and the events after the first difference.
    private func addParting(to report: inout Report) {
        report.give([
            "parting": .array(
                contrast.pairs.map { pair in
                    pair.steps.first.map {
                        .object(["t_s": .number($0.time.seconds), "what": .string($0.text)])
                    } ?? .null
                })
        ])
        let parted = contrast.pairs.enumerated().filter { !$0.element.steps.isEmpty }
        guard let first = parted.min(by: { $0.element.steps[0].time < $1.element.steps[0].time }) else {
            return report.say("\nThe runs never differ: both policies do the same.\n")
        }
        report.say("\nThe runs first differ in replication \(first.offset); under \(mine):\n")
        report.table(
            nil, first.element.steps, isHeaded: false,
            [.left { Report.Cell("  " + $0.time.dayAndClock) }, .left { Report.Cell($0.text) }])
        report.say("One run in full: flotsam why \(shellWord("\(path)#\(mine)/\(first.offset)"))\n")
    }
}
