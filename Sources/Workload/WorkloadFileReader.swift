// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Files
import Quantities
import Vocabulary

extension WorkloadFile {
    /// Reads a workload file; every broken row is reported, with its location.
    ///
    /// - Parameter name: The file as the user named it, for messages.
    /// - Throws: `Diagnostics` with every problem of the file.
    public init(bytes: [UInt8], name: String) throws(Diagnostics) {
        var reader = WorkloadFileReader(name: name)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Diagnostics([.notUTF8(bytes, file: name)])
        }
        // Spreadsheets begin a file with a byte-order mark.
        let rows = text.unicodeScalars.first == "\u{feff}" ? Substring(text.unicodeScalars.dropFirst()) : text[...]
        for line in rows.split(omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" }) {
            reader.read(line)
        }
        self = try reader.finish()
    }
}

/// Reads the lines of a workload file and collects its problems.
struct WorkloadFileReader {
    private let name: String
    private var file = WorkloadFile()
    private var problems = Diagnostics()
    private var appIndices: [Substring: Int] = [:]
    private var lineNumber = 0
    private var hasColumns = false
    private var last = SimTime.zero

    init(name: String) { self.name = name }

    mutating func finish() throws(Diagnostics) -> WorkloadFile {
        if !hasColumns {
            problems.append(
                Diagnostic(
                    "the line with the names of the columns is missing", at: location(column: 1), line: "",
                    hint: "a workload file contains \"\(WorkloadFile.columns)\" after its comments"))
        }
        guard problems.isEmpty else { throw problems }
        file.finish()
        return file
    }

    mutating func read(_ line: Substring) {
        lineNumber += 1
        if line.isEmpty { return }
        if line.utf8.first == UInt8(ascii: "#") { return readComment(line) }
        if !hasColumns {
            hasColumns = true
            guard line != WorkloadFile.columns else { return }
            return report(
                "expected the columns \"\(WorkloadFile.columns)\", found \"\(line)\"", line, line)
        }
        readRow(line)
    }

    private mutating func readComment(_ line: Substring) {
        let text = line.dropFirst().drop { $0 == " " }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !hasColumns else { return file.notes.append(String(text)) }
        let value = String(parts[1].drop { $0 == " " })
        switch parts[0] {
        case "zone": file.zone = value
        case "origin": file.origin = value
        case "start":
            if CalendarDate(value) == nil {
                report("expected a date such as 2026-03-02, found \"\(value)\"", parts[1], line)
            }
            file.start = value
        case "covered_s": if let span = span(parts[1], line) { file.covered = span }
        default:
            if let part = WorkloadPart.allCases.first(where: { "covered_\($0.rawValue)_s" == parts[0] }) {
                file.coveredParts[part] = span(parts[1], line)
            } else {
                file.notes.append(String(text))
            }
        }
    }

    private mutating func span(_ text: Substring, _ line: Substring) -> Range<SimTime>? {
        let words = text.split(separator: " ")
        guard words.count == 3, words[1] == "to", let from = DecimalSeconds.parse(words[0].utf8),
            let to = DecimalSeconds.parse(words[2].utf8), from <= to
        else {
            report("expected a span of seconds such as \"0 to 86400\", found \"\(text)\"", text, line)
            return nil
        }
        return from..<to
    }

    private mutating func readRow(_ line: Substring) {
        guard let fields = Self.fields(of: line) else {
            return report("a quoted name does not end on its line", line, line)
        }
        guard fields.count == 4 else {
            return report("expected 4 fields (\(WorkloadFile.columns)), found \(fields.count)", line, line)
        }
        guard let time = DecimalSeconds.parse(fields[0].utf8) else {
            return report(
                "expected seconds with at most nine decimals, found \"\(fields[0])\" (at t_s)", fields[0], line)
        }
        if time < last {
            report("this row is earlier than the row before it; sort the rows by time", fields[0], line)
        }
        last = max(last, time)
        guard let kind = Self.kinds[String(fields[1])] else {
            return report(
                "unknown event \"\(fields[1])\"", fields[1], line,
                hint: nearest(to: String(fields[1]), in: WorkloadEventKind.allCases.map(\.name))
                    .map { "did you mean \"\($0)\"?" })
        }
        var event = WorkloadEvent(kind, at: time)
        guard readApp(fields[2], of: &event, line), readValue(fields[3], of: &event, line) else { return }
        file.events.append(event)
    }

    private mutating func readApp(_ field: Substring, of event: inout WorkloadEvent, _ line: Substring) -> Bool {
        let kind = event.kind
        if field.isEmpty {
            if kind.needsApp { report("\(kind.name) needs the name of an app", field, line) }
            return !kind.needsApp
        }
        guard kind.mayHaveApp else {
            report("\(kind.name) must not name an app, found \"\(field)\"", field, line)
            return false
        }
        event.app = Int32(index(ofApp: field))
        return true
    }

    private mutating func index(ofApp field: Substring) -> Int {
        if let index = appIndices[field] { return index }
        let inner = field.first == "\"" ? field.dropFirst().dropLast() : field
        let text = SpreadsheetText.plain(inner)
        let name = text.split(separator: "\"\"", omittingEmptySubsequences: false).joined(separator: "\"")
        // The same name may occur with and without its apostrophe.
        let known = text == inner ? nil : file.apps.firstIndex(of: name)
        appIndices[field] = known ?? file.apps.count
        if known == nil { file.apps.append(name) }
        return known ?? file.apps.count - 1
    }

    private mutating func readValue(_ field: Substring, of event: inout WorkloadEvent, _ line: Substring) -> Bool {
        let problemsBefore = problems.count
        var seen: [WorkloadValueKey] = []
        for part in field.split(separator: " ") {
            guard let (key, text) = keyed(part, event.kind, line) else { return false }
            if seen.contains(key) { report("\(key.rawValue) appears twice", part, line) }
            seen.append(key)
            set(key, to: text, of: &event, line)
        }
        for key in event.kind.requiredKeys where !seen.contains(key) {
            report("\(event.kind.name) needs a value for \"\(key.rawValue)\"", field, line)
        }
        return problems.count == problemsBefore
    }

    private mutating func keyed(
        _ part: Substring, _ kind: WorkloadEventKind, _ line: Substring
    ) -> (WorkloadValueKey, Substring)? {
        let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = kind.valueKeys.first else {
            report("\(kind.name) must not have a value, found \"\(part)\"", part, line)
            return nil
        }
        if halves.count == 1 { return (first, part) }
        if let key = WorkloadValueKey(rawValue: String(halves[0])), kind.valueKeys.contains(key) {
            return (key, halves[1])
        }
        let names = kind.valueKeys.map(\.rawValue)
        report(
            "unknown part \"\(halves[0])\" of the value of \(kind.name); known: \(names.joined(separator: ", "))",
            halves[0], line)
        return nil
    }

    private mutating func set(
        _ key: WorkloadValueKey, to text: Substring, of event: inout WorkloadEvent, _ line: Substring
    ) {
        switch key {
        case .seconds:
            if let value = number(text, "seconds", 0...1e9, line) { event.seconds = value }
        case .locked:
            if let value = number(text, "0 or 1", 0...1, line) { event.isLocked = value == 1 }
        case .watts:
            if let value = number(text, "watts", 0...1e4, line) { event.watts = value }
        case .level:
            if let value = number(text, "a level from 0 to 1", 0...1, line) { event.level = value }
        case .until:
            guard let until = DecimalSeconds.parse(text.utf8), until >= event.time else {
                return report("expected a time not before the row's own time, found \"\(text)\" (at until)", text, line)
            }
            event.until = until
        case .network:
            guard let network = Network.allCases.first(where: { $0.name == text }) else {
                return report("expected \(Network.alternatives), found \"\(text)\" (at network)", text, line)
            }
            event.network = network.rawValue
        case .signal:
            guard let level = SignalLevel(rawValue: String(text)) else {
                let levels = SignalLevel.allCases.map(\.rawValue).joined(separator: ", ")
                return report("expected one of \(levels), found \"\(text)\" (at signal)", text, line)
            }
            event.network = UInt8(level.number)
        case .location:
            guard let location = Location(rawValue: String(text)) else {
                let locations = Location.allCases.map(\.rawValue).joined(separator: ", ")
                return report("expected one of \(locations), found \"\(text)\" (at location)", text, line)
            }
            event.network = location.number
        case .state:
            guard text == "on" || text == "off" else {
                return report("expected on or off, found \"\(text)\" (at state)", text, line)
            }
            event.isOn = text == "on"
        case .by:
            guard let reason = OpenReason.allCases.first(where: { $0.name == text }) else {
                let words = OpenReason.allCases.map(\.name).joined(separator: ", ")
                return report("expected one of \(words), found \"\(text)\" (at by)", text, line)
            }
            event.reason = reason
        case .local:
            if let value = number(text, "0 or 1", 0...1, line) { event.isLocal = value == 1 }
        }
    }

    private mutating func number(
        _ text: Substring, _ what: String, _ range: ClosedRange<Double>, _ line: Substring
    ) -> Double? {
        if let value = Double(text), range.contains(value) { return value }
        report("expected \(what), found \"\(text)\"", text, line)
        return nil
    }

    private mutating func report(_ message: String, _ part: Substring, _ line: Substring, hint: String? = nil) {
        let start = max(part.startIndex, line.startIndex)
        // A very long line is not shown, so that its characters are not counted again for each mistake.
        let isShown = line.utf8.count < 10_000
        let column =
            isShown
            ? line.distance(from: line.startIndex, to: start)
            : line.utf8.distance(from: line.startIndex, to: start)
        problems.append(
            Diagnostic(
                message, at: location(column: column + 1, length: max(1, part.count)),
                line: isShown ? String(line) : nil, hint: hint))
    }

    private func location(column: Int, length: Int = 1) -> SourceLocation {
        SourceLocation(file: name, line: lineNumber, column: column, length: length)
    }

    /// The fields of a line, where only a quoted field may contain a comma; nil when a quote is not closed.
    private static func fields(of line: Substring) -> [Substring]? {
        guard line.utf8.contains(UInt8(ascii: "\"")) else {
            return line.split(separator: ",", omittingEmptySubsequences: false)
        }
        var fields: [Substring] = []
        var start = line.startIndex
        var isQuoted = false
        for index in line.indices {
            if line[index] == "\"" { isQuoted.toggle() }
            if line[index] == ",", !isQuoted {
                fields.append(line[start..<index])
                start = line.index(after: index)
            }
        }
        fields.append(line[start...])
        return isQuoted ? nil : fields
    }

    private static let kinds: [String: WorkloadEventKind] = Dictionary(
        uniqueKeysWithValues: WorkloadEventKind.allCases.map { ($0.name, $0) })
}
