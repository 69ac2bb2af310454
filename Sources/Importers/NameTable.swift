// SPDX-License-Identifier: GPL-3.0-or-later
import Workload

/// Numbers names by their first appearance, without making a text of every field.
struct NameTable {
    private(set) var names: [String] = []
    private var indices: [String: Int] = [:]
    private var byBytes: [UInt64: Int] = [:]
    private var spelled: [[UInt8]] = []

    /// The number of a name.
    mutating func index(_ name: String) -> Int {
        if let index = indices[name] { return index }
        indices[name] = names.count
        names.append(name)
        spelled.append([])
        return names.count - 1
    }

    /// The number of the name in a field.
    mutating func index(_ field: ForeignTable.Field, in table: ForeignTable) -> Int {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in table.bytes[field.bytes] { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        if let index = byBytes[hash], spelled[index].elementsEqual(table.bytes[field.bytes]) { return index }
        let index = index(table.text(field))
        if byBytes[hash] == nil {
            byBytes[hash] = index
            spelled[index] = Array(table.bytes[field.bytes])
        }
        return index
    }
}
