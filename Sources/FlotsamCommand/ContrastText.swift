// SPDX-License-Identifier: GPL-3.0-or-later
import Experiments
import PhoneCore
import Quantities
import Recording
import Statistics
import Vocabulary

/// Why one policy does better than another, as people read it.
struct ContrastText {
    let contrast: PolicyContrast
    /// The directory, as commands name it.
    let path: String

    private static let mostApps = 12
    /// Hours of one row of the table by time of day.
    private static let hoursPerRow = 3

    private typealias Pair = PolicyContrast.Pair
    private typealias Switch = PolicyContrast.Switch

    private var mine: String { contrast.policy }
    private var other: String { contrast.other }

    var text: String {
        let pairs = contrast.pairs.count
        var text = "\(mine) against \(other): \(count(pairs, "replication")) of \(Figures.short(contrast.days)) days, "
        text += "the same users\n\n" + sentences
        let tables = [
            table("app", most: Self.mostApps) { contrast.names[$0.app] },
            table("killed by", most: 12) { $0.reason?.name ?? "not killed" },
            table("killed in band", most: 12) { $0.band.map { String($0) } ?? "not killed" },
            table("hour of the open", inOrder: true, most: 24) { Self.hours($0.time) }, kills, held,
        ]
        for table in tables where !table.isEmpty { text += "\n" + table }
        return text + "\n" + parting
    }

    private static func hours(_ time: SimTime) -> String {
        let begin = Int(time.seconds) % 86400 / 3600 / hoursPerRow * hoursPerRow
        func padded(_ hour: Int) -> String { hour < 10 ? "0\(hour)" : "\(hour)" }
        return "\(padded(begin)) to \(padded(begin + hoursPerRow))"
    }

    private var sentences: String {
        let saved = contrast.perDay { Double($0.switches.count { $0.isSaved }) }
        let lost = contrast.perDay { Double($0.switches.count { !$0.isSaved }) }
        let wait = contrast.perDay { $0.switches.reduce(0) { $0 + $1.gain } }
        let first =
            "\(interval(saved)) opens a day resume under \(mine) and are relaunched under \(other); "
            + "\(interval(lost)) a day the other way round."
        let second = "For these the user waits \(interval(wait)) s a day less."
        return wrapped(first, width: 100) + wrapped(second, width: 100)
    }

    private func interval(_ mean: MeanInterval) -> String {
        guard mean.halfWidth.isFinite else { return Figures.rough(mean.mean) }
        return "\(Figures.rough(mean.mean)) [\(Figures.rough(mean.low)), \(Figures.rough(mean.high))]"
    }

    /// Opens a day that come out otherwise, by some property of them; the rows sum to the sentences above.
    private func table(
        _ head: String, inOrder: Bool = false, most: Int, _ group: (Switch) -> String
    ) -> String {
        var sums: [String: (saved: Double, lost: Double, gain: Double)] = [:]
        for change in contrast.pairs.flatMap(\.switches) {
            var sum = sums[group(change)] ?? (0, 0, 0)
            sum.saved += change.isSaved ? 1 : 0
            sum.lost += change.isSaved ? 0 : 1
            sum.gain += change.gain
            sums[group(change)] = sum
        }
        guard !sums.isEmpty else { return "" }
        let total = contrast.days * Double(contrast.pairs.count)
        var table = TextTable([.left, .right, .right, .right])
        table.add([head, "avoided /d", "caused /d", "waiting s/d"])
        let rows = sums.sorted {
            if inOrder { return $0.key < $1.key }
            let (left, right) = (abs($0.value.gain), abs($1.value.gain))
            return left == right ? $0.key < $1.key : left > right
        }
        func add(_ name: String, _ rows: [(saved: Double, lost: Double, gain: Double)]) {
            let figures = [rows.map(\.saved), rows.map(\.lost), rows.map { -$0.gain }].map { $0.reduce(0, +) / total }
            table.add(
                [name, Figures.rough(figures[0]), Figures.rough(figures[1])]
                    + [Figures.signed(figures[2])])
        }
        for row in rows.prefix(most) { add(row.key, [row.value]) }
        if rows.count > most { add("\(rows.count - most) others", rows.dropFirst(most).map(\.value)) }
        return table.text
    }

    /// Kills of apps by band.
    private var kills: String {
        let bands = Set(contrast.pairs.flatMap { $0.kills.flatMap(\.keys) }).sorted()
        guard !bands.isEmpty else { return "" }
        var table = TextTable([.left, .right, .right])
        table.add(["kills of apps in band", mine, other])
        for band in bands {
            let figures = [0, 1].map { side in
                Figures.rough(contrast.perDay { Double($0.kills[side][band] ?? 0) }.mean) + " /d"
            }
            table.add(["\(band)"] + figures)
        }
        return table.text
    }

    /// How long rules held refreshes back; empty when nothing differs.
    private var held: String {
        let names = Set(contrast.pairs.flatMap { $0.held.flatMap(\.keys) })
        let rows = names.map { name in
            (name, [0, 1].map { side in contrast.perDay { $0.held[side][name] ?? 0 }.mean })
        }.filter { PairedComparison.change(from: $0.1[0], to: $0.1[1]) != 0 }.sorted {
            let (left, right) = (abs($0.1[0] - $0.1[1]), abs($1.1[0] - $1.1[1]))
            return left == right ? $0.0 < $1.0 : left > right
        }
        guard !rows.isEmpty else { return "" }
        var table = TextTable([.left, .right, .right, .left])
        table.add(["refreshes waited for, h/d of all apps", mine, other, ""])
        for (name, hours) in rows.prefix(Self.mostApps) {
            table.add(
                [name] + hours.map { Figures.rough($0) } + [contrast.reasons[name] ?? "the policy's rule \(name)"])
        }
        return table.text
    }

    /// The first replication that parts, and what follows.
    private var parting: String {
        let parted = contrast.pairs.enumerated().filter { !$0.element.steps.isEmpty }
        guard let first = parted.min(by: { $0.element.steps[0].time < $1.element.steps[0].time }) else {
            return "The runs never part: both policies do the same.\n"
        }
        var text = "The runs part first in replication \(first.offset); as seen from \(mine):\n"
        var table = TextTable([.left, .left])
        for step in first.element.steps { table.add(["  " + step.time.dayAndClock, step.text]) }
        text += table.text
        return text + "One run in full: flotsam why \(shellWord("\(path)#\(mine)/\(first.offset)"))\n"
    }

    var json: JSONValue {
        .object([
            "policy": .string(mine), "against": .string(other), "replications": .integer(contrast.pairs.count),
            "days": .number(contrast.days),
            "opens": .array(
                contrast.pairs.enumerated().flatMap { replication, pair in
                    pair.switches.map { change in
                        .object([
                            "replication": .integer(replication), "app": .string(contrast.names[change.app]),
                            "t_s": .number(change.time.seconds), "avoided": .bool(change.isSaved),
                            "gain_s": .number(change.gain), "reason": .string(change.reason?.name ?? ""),
                            "band": change.band.map { .integer(Int($0)) } ?? .null,
                        ])
                    }
                }),
            "parting": .array(
                contrast.pairs.map { pair in
                    pair.steps.first.map {
                        .object(["t_s": .number($0.time.seconds), "what": .string($0.text)])
                    } ?? .null
                }),
        ])
    }
}
