// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Quantities
import Recording
import Scenario
import UserStudies
import Workload

/// `flotsam data workload card`: compares a workload with the people of a population.
struct WorkloadCard {
    let population: String
    let people: Int
    let setting: Setting

    /// Number of simulated days for each person.
    private static let days = 14

    func run(_ paths: [String], output: String?, json: Bool) throws -> Int32 {
        if let output {
            // Problems of the files are reported here, before the script starts.
            for path in paths { _ = try readWorkload(path) }
            let words = paths + ["-o", output, "--population", population, "--people", String(people)]
            return try PlotScript.handOver("card", words)
        }
        let files = try paths.map { ($0, try readWorkload($0)) }
        let experiment = try SimulatedUsers.experiment(
            user: "{population: \(population), size: \(people)}", apps: 120, days: Self.days, replications: people,
            seed: 1, setting)
        let others = SimulatedUsers.samples(of: experiment, count: people).map { UserCard($0) }
        let cards = files.map { path, file in Card(path: path, file: file, card: UserCard(UserSample(file))) }
        if json { return Console.out(self.json(cards, others).compact) }
        return Console.out(cards.map { text($0, others) }.joined(separator: "\n"))
    }

    private struct Card {
        let path: String
        let file: WorkloadFile
        let card: UserCard
    }

    /// Range of the middle 80 % of the people's values.
    private func band(_ values: [Double]) -> (low: Double, high: Double)? {
        guard values.count > 4 else { return nil }
        let sorted = values.sorted()
        func at(_ share: Double) -> Double { sorted[Int((Double(sorted.count - 1) * share).rounded())] }
        return (at(0.1), at(0.9))
    }

    private func band(_ name: String, _ others: [UserCard]) -> (low: Double, high: Double)? {
        band(others.compactMap { other in other.figures.first { $0.name == name }?.value })
    }

    private func text(_ card: Card, _ others: [UserCard]) -> String {
        var table = TextTable([.left, .right, .right, .left])
        table.add([card.path, "here", "range of 8 in 10 people", ""])
        for figure in card.card.figures {
            let band = band(figure.name, others)
            let isOut = band.map { figure.value < $0.low || figure.value > $0.high } ?? false
            table.add([
                figure.name, PersonaFit.short(figure.value),
                band.map { "\(PersonaFit.short($0.low)) to \(PersonaFit.short($0.high))" } ?? "-",
                isOut ? "outside" : "",
            ])
        }
        var text = table.text
        for line in coverage(of: card.file) { text += line + "\n" }
        for oddity in card.file.oddities { text += "implausible: \(oddity)\n" }
        return text
    }

    /// Recorded time of each part of the workload, with one line per part.
    private func coverage(of file: WorkloadFile) -> [String] {
        let whole = PersonaFit.short(file.covered.days)
        return WorkloadPart.allCases.map { part in
            guard file.events.contains(where: { part.includes($0.kind) }) else {
                return "\(part.rawValue): not recorded"
            }
            let days = (file.coveredParts[part] ?? file.covered).days
            return "\(part.rawValue): \(PersonaFit.short(days)) of \(whole) days"
        }
    }

    private func json(_ cards: [Card], _ others: [UserCard]) -> JSONValue {
        .object([
            "population": .string(population), "people": .integer(people), "days": .integer(Self.days),
            "files": .array(
                cards.map { card in
                    .object([
                        "name": .string(card.path), "start": .string(card.file.start),
                        "origin": .string(card.file.origin), "days": .number(card.file.covered.days),
                        "coverage": .array(spans(of: card.file)),
                        "odd": .array(card.file.oddities.map { .string($0) }),
                        "figures": .array(card.card.figures.map { json($0, others) }),
                        "curves": .array(card.card.curves.map { json($0, others) }),
                    ])
                }),
        ])
    }

    private func spans(of file: WorkloadFile) -> [JSONValue] {
        WorkloadPart.allCases.compactMap { part in
            guard file.events.contains(where: { part.includes($0.kind) }) else { return nil }
            let span = file.coveredParts[part] ?? file.covered
            return .object([
                "part": .string(part.rawValue), "from": .number(span.lowerBound.seconds / 86400),
                "to": .number(span.upperBound.seconds / 86400),
            ])
        }
    }

    private func json(_ figure: UserCard.Figure, _ others: [UserCard]) -> JSONValue {
        var members: [String: JSONValue] = ["name": .string(figure.name), "value": .number(figure.value)]
        if let band = band(figure.name, others) {
            members["low"] = .number(band.low)
            members["high"] = .number(band.high)
        }
        return .object(members)
    }

    private func json(_ curve: UserCard.Curve, _ others: [UserCard]) -> JSONValue {
        let theirs = others.compactMap { other in other.curves.first { $0.name == curve.name } }
        let bands = curve.points.indices.map { index in band(theirs.map { $0.values[index] }) }
        var members: [String: JSONValue] = [
            "name": .string(curve.name), "title": .string(curve.title), "axis": .string(curve.axis),
            "unit": .string(curve.unit), "points": .array(curve.points.map { .number($0) }),
            "values": .array(curve.values.map { .number($0) }),
        ]
        if bands.allSatisfy({ $0 != nil }) {
            members["low"] = .array(bands.map { .number($0?.low ?? 0) })
            members["high"] = .array(bands.map { .number($0?.high ?? 0) })
        }
        return .object(members)
    }
}
