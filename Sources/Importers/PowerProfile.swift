// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics

/// An Android power profile as in the file: named currents in mA, in the order of the file.
///
/// Meaning of the items: Android Open Source Project, `PowerProfile.java` and "Measure component power".
struct PowerProfile {
    /// One `<item>` or `<array>`.
    struct Item {
        let name: String
        let values: [Double]
        let line: Int
    }

    let items: [Item]
    /// Elements that neither Android nor this reader uses, with their lines.
    private let passedOver: [String]
    /// A problem of the file at a line.
    let problem: (_ message: String, _ line: Int) -> Diagnostic
    /// Names that were requested so far, including names that the profile does not have.
    private var asked: [String] = []

    init(
        items: [Item], passedOver: [String] = [],
        problem: @escaping (_ message: String, _ line: Int) -> Diagnostic = { message, _ in Diagnostic(message) }
    ) {
        self.items = items
        self.passedOver = passedOver
        self.problem = problem
    }

    /// Items that were never requested, in the order of the file.
    var unusedItems: [Item] { items.filter { !asked.contains($0.name) && $0.name != "none" } }

    /// Unused items with their lines, and elements unknown to all versions of the format.
    var unused: [String] { unusedItems.map { "\($0.name) (line \($0.line))" } + passedOver }

    /// An item; the last one wins when a file names it twice, as in the Android framework.
    mutating func item(_ name: String) -> Item? {
        asked.append(name)
        return items.last { $0.name == name }
    }

    /// All values of an item.
    mutating func values(_ name: String) -> [Double]? { item(name)?.values }

    /// The value of an item unless it is a placeholder: vendors write 0 and 0.1 instead of a measurement.
    mutating func current(_ names: String...) -> (name: String, value: Double)? {
        for name in names {
            guard let value = values(name)?.first, value > 0.1 else { continue }
            return (name, value)
        }
        return nil
    }
}
