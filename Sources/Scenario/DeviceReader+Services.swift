// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import PhoneCore
import Quantities

extension DeviceReader {
    /// Reads a part that a phone may lack although its base device has one: the word `off`, or a map.
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
