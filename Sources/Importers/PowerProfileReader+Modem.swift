// SPDX-License-Identifier: GPL-3.0-or-later

/// Reads the section `<modem>`, which profiles may contain since Android 13, and converts it to ordinary items.
///
/// Source of the format: Android Open Source Project, `ModemPowerProfile.java`. The section has `<sleep>`, `<idle>`,
/// and an `<active>` for each technology (attribute `rat`; NR also has an `nrFrequency`). An `<active>` has `<receive>`
/// and five `<transmit level="…">`, all in mA.
extension PowerProfileReader {
    /// Number of transmit power levels in the format.
    private static let levels = 5

    /// Adds the items `modem.sleep`, `modem.idle`, `modem.LTE.receive`, `modem.NR.LOW.transmit` and so on.
    mutating func appendModem(_ modem: XMLElement) {
        for node in modem.elements {
            let kind = node.name
            let line = node.line
            switch kind {
            case "sleep", "idle":
                if let value = number(node, what: "modem \(kind)") { add("modem.\(kind)", [value], line: line) }
            case "active": appendActive(node, line: line)
            default: passOver("modem.\(kind)", line: line)
            }
        }
    }

    private mutating func appendActive(_ active: XMLElement, line: Int) {
        let frequency = Self.attribute("nrFrequency", of: active).flatMap { $0 == "DEFAULT" ? nil : $0 }
        let technology = [Self.attribute("rat", of: active) ?? "DEFAULT", frequency].compactMap { $0 }
            .joined(separator: ".")
        var transmit = [Double?](repeating: nil, count: Self.levels)
        for node in active.elements {
            let kind = node.name
            let own = node.line
            if kind == "receive" {
                guard let value = number(node, what: "modem \(technology) receive") else { continue }
                add("modem.\(technology).receive", [value], line: own)
            } else if kind == "transmit" {
                let text = Self.attribute("level", of: node) ?? ""
                guard let level = Int(text), transmit.indices.contains(level) else {
                    reject("<transmit> needs a level from 0 to \(Self.levels - 1), found \"\(text.prefix(40))\"", own)
                    continue
                }
                transmit[level] = number(node, what: "modem \(technology) transmit") ?? 0
            } else {
                passOver("modem.active.\(kind)", line: own)
            }
        }
        // A missing level counts as unknown, as zero does.
        if transmit.contains(where: { $0 != nil }) {
            add("modem.\(technology).transmit", transmit.map { $0 ?? 0 }, line: line)
        }
    }
}
