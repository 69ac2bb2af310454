// SPDX-License-Identifier: GPL-3.0-or-later
import Experiments
import PhoneCore
import Quantities
import Recording

extension PolicyFork {
    private static var sides: [Report.Column<Row>] {
        [
            .left("", "metric") { Report.Cell("  " + $0.name, .string($0.name)) },
            .right("as it was", "original") { Report.Cell(Figures.short($0.original), $0.original) },
            .right("changed", "continued") { Report.Cell(Figures.short($0.continued), $0.continued) },
            .left("", "unit") { Report.Cell($0.unit == "1" ? "" : $0.unit) },
        ]
    }

    /// Comparison of both runs: shown metrics and largest changes for people, all metrics for programs.
    func report(of replay: RunReplay) -> Report {
        var report = Report()
        report.say(
            "run \(replay.run.number) of \(replay.directory.path) under \(replay.policyName), compared with a run that "
                + "changes to \(policyName) at \(instant.dayAndClock); the figures cover the "
                + "\(Figures.short(days)) days after the change\n\n")
        report.give([
            "run": .integer(replay.run.number), "policy": .string(replay.policyName),
            "continued_under": .string(policyName), "t_s": .number(instant.seconds), "days": .number(days),
        ])
        report.table(nil, Array(rows.prefix(shown)), Self.sides)
        let moved = rows.dropFirst(shown).filter { $0.change > 0.05 }.sorted {
            ($0.change, $1.name) > ($1.change, $0.name)
        }
        if !moved.isEmpty { report.say("\nwhat else changed most:\n") }
        report.table(nil, moved, most: Self.mostMoved, Self.sides)
        report.give(["metrics": Report.json(rows, Self.sides)])
        return report
    }

    private static let mostMoved = 12
}

extension PolicyFork.Row {
    /// Difference of the two values, as a share of the larger value; 0 if a value is missing.
    fileprivate var change: Double {
        let larger = max(abs(original), abs(continued))
        return larger > 0 && larger.isFinite ? abs(original - continued) / larger : 0
    }
}
