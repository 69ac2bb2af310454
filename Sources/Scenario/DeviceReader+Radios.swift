// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Phone
import Power
import Quantities

extension DeviceReader {
    /// The radios, each by the name of a file or as a map.
    func readRadios(_ map: MapReader, into power: inout PowerParameters) {
        for interface in Interface.allCases { readRadio(map, interface, into: &power.radios[interface]) }
        let attributions: [(String, TailAttribution)] = [("last-user", .lastUser), ("equal-split", .equalSplit)]
        let word = ValueReader<String>.word(of: attributions.map(\.0), what: "tail attribution")
        if let name = map.optional("tail_attribution", word) {
            power.tailAttribution = attributions.first { $0.0 == name }?.1 ?? .lastUser
        }
    }

    private func readRadio(_ map: MapReader, _ interface: Interface, into radio: inout RadioParameters) {
        guard let cursor = map.cursor(interface.name), let whole = trees.whole(cursor, .radios) else { return }
        readRadio(whole, cursor, interface, into: &radio)
    }

    /// A radio's whole tree, found behind a cursor.
    func readRadio(_ whole: Node, _ cursor: Cursor, _ interface: Interface, into radio: inout RadioParameters) {
        let inner = MapReader(Cursor(whole, path: cursor.path, report: cursor.report))
        readHeader(inner)
        let word = ValueReader<String>.word(of: Interface.allCases.map(\.name), what: "interface")
        if let meant = inner.optional("interface", word), meant != interface.name {
            cursor.fail("a radio of the interface \"\(meant)\" cannot stand for \"\(interface.name)\"")
        }
        inner.set(&radio, RadioParameters.keys)
        let stages = ValueReader<[TailStage]>.list(of: stage)
            .checked("at most 4 stages") { $0.count <= 4 }
        inner.set(&radio.tail, "tail", stages)
        inner.finish()
    }

    private var stage: ValueReader<TailStage> {
        ValueReader(example: "{power: 250 mW, duration: 220 ms}") { cursor in
            let map = MapReader(cursor, expected: "a map such as {power: 250 mW, duration: 220 ms}")
            let power = map.required("power", ValueReader<Power>.amount(.power))
            let duration = map.required("duration", .duration())
            let resume = map.value("resume_time", .duration(), default: .zero)
            map.finish()
            guard let power, let duration else { return nil }
            return TailStage(power: power, duration: duration, resumeTime: resume)
        }
    }
}
