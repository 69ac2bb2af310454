// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Quantities
import Vocabulary

extension WorkloadFile {
    /// The file as text, with `\n` line ends.
    public func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(events.count * 32)
        for piece in encodedPieces() { bytes.append(contentsOf: piece) }
        return bytes
    }

    /// The file as text in pieces, so that the whole text is never in memory.
    public func encodedPieces() -> AnyIterator<[UInt8]> {
        let names = apps.map { Array(Self.quoted(SpreadsheetText.guarded($0)).utf8) }
        var next: Int?
        return AnyIterator {
            var bytes: [UInt8] = []
            let start = next ?? 0
            if next == nil { appendHeader(to: &bytes) } else if start == events.count { return nil }
            let end = min(start + Self.piece, events.count)
            for event in events[start..<end] { append(event, names, to: &bytes) }
            next = end
            return bytes
        }
    }

    /// Number of rows in a piece.
    private static let piece = 1 << 13

    private func appendHeader(to bytes: inout [UInt8]) {
        func comment(_ key: String, _ text: String) {
            bytes.append(contentsOf: "# \(key): \(text)\n".utf8)
        }
        if !zone.isEmpty { comment("zone", zone) }
        if !origin.isEmpty { comment("origin", origin) }
        if !start.isEmpty { comment("start", start) }
        func comment(_ key: String, _ span: Range<SimTime>) {
            comment(key, "\(Self.seconds(span.lowerBound)) to \(Self.seconds(span.upperBound))")
        }
        if !covered.isEmpty { comment("covered_s", covered) }
        for part in WorkloadPart.allCases {
            if let span = coveredParts[part] { comment("covered_\(part.rawValue)_s", span) }
        }
        for note in notes { bytes.append(contentsOf: "# \(note)\n".utf8) }
        bytes.append(contentsOf: (Self.columns + "\n").utf8)
    }

    private func append(_ event: WorkloadEvent, _ names: [[UInt8]], to bytes: inout [UInt8]) {
        DecimalSeconds.append(event.time.nanoseconds, to: &bytes)
        bytes.append(UInt8(ascii: ","))
        bytes.append(contentsOf: event.kind.name.utf8)
        bytes.append(UInt8(ascii: ","))
        if event.app >= 0 { bytes.append(contentsOf: names[Int(event.app)]) }
        bytes.append(UInt8(ascii: ","))
        appendValue(of: event, to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Writes the parts of a value with their names; a first part that is alone is written as a bare number.
    private func appendValue(of event: WorkloadEvent, to bytes: inout [UInt8]) {
        let start = bytes.count
        for (index, key) in event.kind.valueKeys.enumerated() {
            guard let text = text(of: key, event) else { continue }
            if bytes.count > start {
                bytes.append(UInt8(ascii: " "))
            } else if index == 0, !event.kind.valueKeys.dropFirst().contains(where: { self.text(of: $0, event) != nil })
            {
                bytes.append(contentsOf: text.utf8)
                return
            }
            bytes.append(contentsOf: key.rawValue.utf8)
            bytes.append(UInt8(ascii: "="))
            bytes.append(contentsOf: text.utf8)
        }
    }

    private func text(of key: WorkloadValueKey, _ event: WorkloadEvent) -> String? {
        switch key {
        case .seconds: event.seconds.isNaN ? nil : Self.number(event.seconds)
        case .locked: event.isLocked ? "1" : nil
        case .watts: event.watts.isNaN ? nil : Self.number(event.watts)
        case .level: event.level.isNaN ? nil : Self.number(event.level)
        case .until: event.until == event.time ? nil : Self.seconds(event.until)
        case .network: Network(rawValue: event.network).map(\.name)
        case .state: event.isOn ? "on" : "off"
        case .by: event.reason == .icon ? nil : event.reason.name
        case .local: event.isLocal ? "1" : nil
        case .signal: SignalLevel(number: Int(event.network)).rawValue
        case .location: Location(number: event.network).rawValue
        }
    }

    /// Shortest text that reads back as the same number; whole numbers have no fraction.
    private static func number(_ value: Double) -> String {
        if value == value.rounded(), abs(value) < 1e15 { return String(Int64(value)) }
        return "\(value)"
    }

    private static func seconds(_ time: SimTime) -> String {
        var bytes: [UInt8] = []
        DecimalSeconds.append(time.nanoseconds, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func quoted(_ name: String) -> String {
        guard name.utf8.contains(where: { $0 == 44 || $0 == 34 || $0 == 10 || $0 == 13 }) else { return name }
        return "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
