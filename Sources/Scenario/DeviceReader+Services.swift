// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import PhoneCore

extension DeviceReader {
    /// What the system does for itself: `services: off` for a phone without accounts, or a map of powers.
    func readServices(_ root: MapReader) -> ServiceParameters? {
        guard let cursor = root.cursor("services") else { return nil }
        if cursor.node.scalar != nil {
            _ = ValueReader<String>.word(of: ["off"], what: "word for services").read(cursor)
            return nil
        }
        let map = MapReader(cursor, expected: "off or a map")
        var services = ServiceParameters()
        map.set(&services, ServiceParameters.keys)
        map.finish()
        return services
    }
}
