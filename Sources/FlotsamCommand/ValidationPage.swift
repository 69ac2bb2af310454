// SPDX-License-Identifier: GPL-3.0-or-later
import Experiments
import Phone
import Scenario

/// Page about a whole validation; its content depends only on the version of the model.
struct ValidationPage {
    let validation: Validation
    let misses: [KnownMiss]

    /// The page as Markdown.
    var text: String {
        var text = """
            # Validation

            Written by `flotsam validate --page` (`make validate`) with version \(modelVersion) of the model.
            Verdicts, strengths and bases: [experiments.md](../experiments.md#targets).

            ```
            \(ValidationText(validation: validation).summary)```

            | experiment | id | target | found | band | verdict | strength | basis | source | to the edge | phone |
            |---|---|---|---|---|---|---|---|---|---|---|

            """
        for row in validation.rows {
            let target = row.finding.target
            text += Self.line([
                row.experiment, target.id, ValidationText.subject(row.finding), ValidationText.found(row.finding),
                ValidationText.band(target), ValidationText.verdict(row), target.strength.rawValue,
                ValidationText.basis(target), target.source, ValidationText.edge(row.finding),
                row.phone.map { "\($0.device), \($0.system)" } ?? "bench",
            ])
        }
        text += "\n## Known misses\n\n| experiment | id | found between | reason |\n|---|---|---|---|\n"
        for miss in misses {
            let ends = "\(Figures.short(miss.found.lowerBound)) and \(Figures.short(miss.found.upperBound))"
            text += Self.line([miss.experiment, miss.id, ends, miss.reason])
        }
        return text
    }

    private static func line(_ cells: [String]) -> String {
        "| " + cells.map { $0.replacing("|", with: "\\|").replacing("\n", with: " ") }.joined(separator: " | ") + " |\n"
    }
}
