// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import PhoneCore
import Quantities

extension DeviceReader {
    /// Reads an optional part: a map, or `off` if the phone lacks a part of its base device.
    func readPart<Part>(_ root: MapReader, _ name: String, _ usual: Part, _ keys: [FileKey<Part>]) -> Part? {
        guard let cursor = root.cursor(name) else { return nil }
        if cursor.node.scalar != nil {
            _ = ValueReader<String>.word(of: ["off"], what: "word for \(name)").read(cursor)
            return nil
        }
        let map = MapReader(cursor, expected: "off or a map")
        var part = usual
        map.set(&part, keys)
        map.finish()
        return part
    }
}
