// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics

/// Reads `power_profile.xml`, and throws the problems of the file.
struct PowerProfileReader {
    private let path: String
    private let bytes: [UInt8]
    /// Offset of the first byte of each line.
    private let lineStarts: [Int]
    private var items: [PowerProfile.Item] = []
    private var passedOver: [String] = []
    private var problems = Diagnostics()

    /// Largest size of a file, in bytes.
    ///
    /// Real files have a few thousand bytes.
    private static let largest = 4_000_000
    /// Largest accepted value.
    ///
    /// The largest real values are speeds in kHz and capacities in mAh.
    private static let largestValue = 1e9
    /// Longest accepted tag, in bytes.
    private static let longestTag = 1 << 16
    /// Largest accepted number of cores in a cluster.
    ///
    /// Phones have up to 8.
    private static let mostCores = 64.0

    static func read(path: String) throws(Diagnostics) -> PowerProfile {
        var reader = PowerProfileReader(path: path, bytes: try readBytes(of: path, upTo: largest))
        try reader.parse()
        if !reader.problems.isEmpty { throw reader.problems }
        return PowerProfile(items: reader.items, passedOver: reader.passedOver) { reader.problem($0, line: $1) }
    }

    private init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
        lineStarts = [0] + bytes.indices.lazy.filter { bytes[$0] == 10 }.map { $0 + 1 }
    }

    static let wanted = "the file is res/xml/power_profile.xml of an Android device tree, with <device> as its root"

    private mutating func parse() throws(Diagnostics) {
        try checkTags()
        let root: XMLElement
        do throws(XMLElement.Problem) {
            root = try XMLElement(parsing: bytes)
        } catch {
            throw Diagnostics([told(error)])
        }
        guard root.name == "device" else {
            throw Diagnostics([problem("not a power profile: the root element is not <device>", line: root.line)])
        }
        for element in root.elements { append(element) }
        if items.isEmpty, problems.isEmpty {
            throw Diagnostics([problem("no <item> or <array> inside <device>", line: root.line)])
        }
    }

    /// Converts a problem to a diagnostic.
    ///
    /// Entities are not expanded, so a file that declares entities is rejected.
    private func told(_ found: XMLElement.Problem) -> Diagnostic {
        switch found {
        case .malformed(let sentence, let line, let column):
            problem("not well-formed XML: \(sentence)", line: line, column: column)
        case .entity(let name):
            problem(
                "the file declares the entity \"\(name.excerpt)\", but entities are not expanded",
                line: line(of: "<!ENTITY"))
        case .documentType:
            problem(
                "the file has a document type, but entities of other files are not expanded",
                line: line(of: "<!DOCTYPE"))
        case .tooDeep(let line): problem("elements are nested too deeply", line: line)
        case .noMemory: Diagnostic("no memory to read \(path)", hint: Self.wanted)
        }
    }

    private mutating func append(_ node: XMLElement) {
        let (kind, line) = (node.name, node.line)
        if kind == "modem" { return appendModem(node) }
        guard kind == "item" || kind == "array" else { return passOver(kind, line: line) }
        guard let name = Self.attribute("name", of: node), !name.isEmpty else {
            return problems.append(problem("<\(kind)> without a name", line: line))
        }
        if kind == "item" {
            if let value = number(node, what: name) { add(name, [value], line: line) }
            return
        }
        var values: [Double] = []
        for inner in node.elements {
            if let value = number(inner, what: name) { values.append(value) }
        }
        if name == "cpu.clusters.cores" { checkCores(values, line: line) }
        add(name, values, line: line)
    }

    mutating func add(_ name: String, _ values: [Double], line: Int) {
        items.append(PowerProfile.Item(name: name, values: values, line: line))
    }

    /// Rejects implausible numbers of cores.
    private mutating func checkCores(_ values: [Double], line: Int) {
        for value in values where value > Self.mostCores || value != value.rounded() {
            reject("cpu.clusters.cores: expected whole numbers from 0 to \(Int(Self.mostCores)), found \(value)", line)
        }
    }

    /// Records an element that Android skips too (`PowerProfile.readPowerValuesFromXml`).
    mutating func passOver(_ kind: String, line: Int) { passedOver.append("<\(kind)> (line \(line))") }

    mutating func reject(_ message: String, _ line: Int) { problems.append(problem(message, line: line)) }

    mutating func number(_ node: XMLElement, what: String) -> Double? {
        let text = node.text
        if let value = Double(text), (0...Self.largestValue).contains(value) { return value }
        let found = "found \"\(text.prefix(40))\""
        problems.append(problem("\(what): expected a number from 0 to 1e9, \(found)", line: node.line))
        return nil
    }

    private func problem(_ message: String, line: Int, column: Int = 1) -> Diagnostic {
        let location = SourceLocation(file: path, line: max(line, 1), column: max(column, 1))
        return Diagnostic(message, at: location, line: text(ofLine: line), hint: Self.wanted)
    }

    /// Text of a line without its line end; nil for a line that is too long for a screen.
    private func text(ofLine line: Int) -> String? {
        guard lineStarts.indices.contains(line - 1) else { return nil }
        let start = lineStarts[line - 1]
        let end = line < lineStarts.count ? lineStarts[line] - 1 : bytes.count
        return end - start < 10_000 ? String(decoding: bytes[start..<end], as: UTF8.self) : nil
    }
}

/// Rejects expensive or suspicious tags, and finds unused elements.
extension PowerProfileReader {
    private func checkTags() throws(Diagnostics) {
        var (open, line) = (Int.max, 1)
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case 10: line += 1
            case UInt8(ascii: "<"): open = index
            case UInt8(ascii: ">"): open = .max
            default: break
            }
            if open < index - Self.longestTag {
                throw Diagnostics([problem("the tag has more than \(Self.longestTag) bytes", line: line)])
            }
        }
    }

    /// Number of the first line that contains a word.
    private func line(of word: StaticString) -> Int {
        let index = bytes.indices.first { bytes.begins($0..<bytes.count, word) } ?? 0
        return bytes[..<index].count { $0 == 10 } + 1
    }

    static func attribute(_ name: String, of node: XMLElement) -> String? {
        node.attributes[name].map { $0.isEmpty ? $0 : NameTable.plain($0) }
    }
}
