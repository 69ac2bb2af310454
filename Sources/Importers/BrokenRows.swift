// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics

/// Largest number of broken rows that are skipped.
///
/// A recording with more broken rows is rejected.
public enum SkipLimit: Sendable, Equatable {
    /// A share of the rows, 0 to 1.
    case share(Double)
    /// A number of rows.
    case count(Int)

    /// One row in a thousand.
    public static let standard = share(0.001)

    /// Reads `0.1 %`, `5%` or `20`; nil for any other text.
    public init?(_ text: String) {
        let body = text.filter { $0 != " " }
        if body.last == "%" {
            guard let percent = Double(body.dropLast()), (0...100).contains(percent) else { return nil }
            self = .share(percent / 100)
        } else {
            guard let count = Int(body), count >= 0 else { return nil }
            self = .count(count)
        }
    }

    func allows(_ broken: Int, of rows: Int) -> Bool {
        switch self {
        case .share(let share): Double(broken) <= share * Double(rows)
        case .count(let count): broken <= count
        }
    }
}

/// Counts the rows and the broken rows of a recording.
///
/// The first broken rows are kept for messages.
struct BrokenRows {
    /// Largest number of problems in messages.
    static let shown = 20

    private(set) var rows = 0
    private(set) var broken = 0
    private var list: [Diagnostic] = []

    /// Counts a row, broken or not.
    mutating func countRow() { rows += 1 }

    /// Counts a broken row.
    ///
    /// The problem is computed only if it will be in a message.
    mutating func add(_ problem: @autoclosure () -> Diagnostic) {
        broken += 1
        if list.count < Self.shown { list.append(problem()) }
    }

    /// Throws if too many rows are broken.
    ///
    /// Otherwise returns a sentence about skipped rows, or nil if no row is broken.
    func judge(_ limit: SkipLimit) throws(Diagnostics) -> String? {
        guard broken > 0 else { return nil }
        if limit.allows(broken, of: rows) {
            let first = list.first?.location.map { ", the first in line \($0.line)" } ?? ""
            return "\(broken) of \(rows) rows could not be read and were skipped" + first
        }
        var problems = Diagnostics(list)
        let more = broken > list.count ? "and \(broken - list.count) more: " : ""
        problems.append(
            Diagnostic(
                more + "\(broken) of \(rows) rows are broken",
                hint: "--skip-broken \(broken) skips them; by default, at most one row in a thousand may be broken"))
        throw problems
    }
}
