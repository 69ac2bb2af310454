// SPDX-License-Identifier: GPL-3.0-or-later
import Workload

/// Assigns numbers to names in the order of their first appearance, without creating a text for every field.
struct NameTable {
    private(set) var names: [String] = []
    private var indices: [String: Int] = [:]
    private var byBytes: [UInt64: Int] = [:]
    private var spelled: [[UInt8]] = []
    /// Number of the last requested name.
    private var last = 0

    /// Converts a foreign name to a form that a workload row allows: not empty, without line ends and control
    /// characters.
    static func plain(_ name: String) -> String {
        func isPlain(_ scalar: Unicode.Scalar) -> Bool {
            scalar.value >= 32 && !(127..<160).contains(scalar.value) && !(0x2028...0x2029).contains(scalar.value)
        }
        if name.isEmpty { return "unnamed" }
        if name.unicodeScalars.allSatisfy(isPlain) { return name }
        return String(String.UnicodeScalarView(name.unicodeScalars.map { isPlain($0) ? $0 : "\u{fffd}" }))
    }

    /// The number of a name.
    mutating func index(_ name: String) -> Int {
        if let index = indices[name] { return index }
        let name = Self.plain(name)
        if let index = indices[name] { return index }
        indices[name] = names.count
        names.append(name)
        spelled.append([])
        return names.count - 1
    }

    /// The number of the name in a field.
    mutating func index(_ field: ForeignTable.Field, in table: ForeignTable) -> Int {
        // Rows of one app often follow each other.
        if last < names.count, !spelled[last].isEmpty, table.bytes.equals(field.bytes, spelled[last]) { return last }
        let hash = table.bytes.hash(field.bytes)
        if let index = byBytes[hash], table.bytes.equals(field.bytes, spelled[index]) {
            last = index
            return index
        }
        let index = index(table.text(field))
        if byBytes[hash] == nil {
            byBytes[hash] = index
            spelled[index] = Array(table.bytes[field.bytes])
        }
        return index
    }
}
