// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics

/// An Android power profile: named currents in mA, in the order of the file.
///
/// Source for the meanings of the items: Android Open Source Project, `PowerProfile.java` and "Measure component
/// power".
struct PowerProfile {
    /// An `<item>` or `<array>` element.
    struct Item {
        let name: String
        let values: [Double]
        let line: Int
    }

    let items: [Item]
    /// Elements that neither Android nor this reader uses, with their line numbers.
    private let passedOver: [String]
    /// Creates a problem of the file at a line.
    let problem: (_ message: String, _ line: Int) -> Diagnostic
    /// Names that were requested so far, including names that are not in the profile.
    private var asked: [String] = []

    init(
        items: [Item], passedOver: [String] = [],
        problem: @escaping (_ message: String, _ line: Int) -> Diagnostic = { message, _ in Diagnostic(message) }
    ) {
        self.items = items
        self.passedOver = passedOver
        self.problem = problem
    }

    /// Items that were not requested, in the order of the file.
    var unusedItems: [Item] { items.filter { !asked.contains($0.name) && $0.name != "none" } }

    /// Names of unused items and unknown elements, with their line numbers.
    var unused: [String] { unusedItems.map { "\($0.name) (line \($0.line))" } + passedOver }

    /// An item by name.
    ///
    /// If a file contains the name twice, the last item is used, as in the Android framework.
    mutating func item(_ name: String) -> Item? {
        asked.append(name)
        return items.last { $0.name == name }
    }

    /// All values of an item; nil when the profile does not have it.
    mutating func values(_ name: String) -> [Double]? { item(name)?.values }

    /// First usable value of the named items.
    ///
    /// Values up to 0.1 are placeholders: vendors write 0 and 0.1 without a measurement.
    mutating func current(_ names: String...) -> (name: String, value: Double)? {
        for name in names {
            guard let value = values(name)?.first, value > 0.1 else { continue }
            return (name, value)
        }
        return nil
    }
}
