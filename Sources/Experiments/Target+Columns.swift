import ConfigText
import Diagnostics
import Recording
import Scenario

extension Experiment {
    /// What is wrong with the columns that the targets name; the tables are known here, not where files are read.
    public var targetProblems: Diagnostics {
        var problems = Diagnostics()
        for target in targets {
            for quantity in [target.quantity, target.reference?.quantity].compactMap({ $0 }) {
                guard case .table(let figure) = quantity, let place = figure.place else { continue }
                for message in figure.columnProblems {
                    problems.append(place.problem("target \(target.id): \(message.text)", hint: message.hint))
                }
            }
        }
        return problems
    }
}

extension TableFigure {
    fileprivate var columnProblems: [(text: String, hint: String?)] {
        let known = TableFigureReading.columns(of: table)
        let name = TableCatalog.name(of: table)
        var found: [(String, String?)] = []
        func check(_ column: String, isNumber: Bool) {
            guard let match = known.first(where: { $0.name == column }) else {
                let near = nearest(to: column, in: known.map(\.name))
                found.append(
                    (
                        "the table \(name) has no column \"\(column)\"",
                        near.map { "did you mean \"\($0)\"?" } ?? "flotsam list columns shows them"
                    ))
                return
            }
            if isNumber, match.kind == .string { found.append(("the column \"\(column)\" holds words", nil)) }
        }
        for column in columns { check(column, isNumber: statistic != .distinct) }
        if let minus { check(minus, isNumber: true) }
        for condition in conditions {
            if case .words = condition.wish {
                check(condition.column, isNumber: false)
            } else {
                check(condition.column, isNumber: true)
            }
        }
        return found
    }
}
