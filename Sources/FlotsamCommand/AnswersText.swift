// SPDX-License-Identifier: GPL-3.0-or-later
import Experiments
import Statistics

extension AnswersComparison {
    /// One line for each figure: old value, new value, and the change with its interval.
    func text(limit: Double) -> String {
        var table = TextTable([.left, .right, .right, .right, .left])
        table.add(["figure", "before", "now", "change", ""])
        for line in lines {
            let isPassed = line.worsening > limit
            table.add([
                line.name, Figures.rough(line.paired.baselineMean), Figures.rough(line.paired.alternativeMean),
                Figures.interval(line.paired) + (line.unit == "1/d" ? " a day" : " " + line.unit),
                isPassed ? "worse" : line.worsening > 0 ? "worse, within the limit" : line.isBetter ? "better" : "",
            ])
        }
        let passed = lines.count { $0.worsening > limit }
        let share = Figures.short(limit * 100)
        let last =
            passed == 0
            ? "No figure is significantly worse by more than \(share) %."
            : "Significantly worse by more than \(share) %: \(count(passed, "figure"))."
        return "\nCompared with the earlier answers, for the same users:\n" + table.text + last + "\n"
    }
}
