// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Phone
import Power
import Quantities

extension DeviceReader {
    /// Reads the radios, each of which is the name of a file or a map.
    func readRadios(_ map: MapReader, into power: inout PowerParameters) {
        for interface in Interface.allCases { readRadio(map, interface, into: &power.radios[interface]) }
        map.set(&power, PowerParameters.radioKeys)
        guard let cursor = map.cursor("fallback"), !cursor.node.isNull, let whole = trees.whole(cursor, .radios) else {
            return
        }
        var fallback = RadioParameters.lte2020
        readRadio(whole, cursor, .cellular, into: &fallback)
        power.cellularFallback = fallback
    }

    private func readRadio(_ map: MapReader, _ interface: Interface, into radio: inout RadioParameters) {
        guard let cursor = map.cursor(interface.name), let whole = trees.whole(cursor, .radios) else { return }
        readRadio(whole, cursor, interface, into: &radio)
    }

    /// Reads a radio from its expanded tree.
    func readRadio(_ whole: Node, _ cursor: Cursor, _ interface: Interface, into radio: inout RadioParameters) {
        let inner = MapReader(Cursor(whole, path: cursor.path, report: cursor.report))
        readHeader(inner)
        let word = ValueReader<String>.word(of: Interface.allCases.map(\.name), what: "interface")
        if let meant = inner.optional("interface", word), meant != interface.name {
            cursor.fail("this radio is for \"\(meant)\", so it cannot be used for \"\(interface.name)\"")
        }
        inner.set(&radio, RadioParameters.keys)
        warn(radio, inner)
        inner.finish()
    }
}
