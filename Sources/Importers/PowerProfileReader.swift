// SPDX-License-Identifier: GPL-3.0-or-later
import CXML
import ConfigText
import Diagnostics

/// Reads `power_profile.xml`, or says where it is broken.
struct PowerProfileReader {
    private let path: String
    private let bytes: [UInt8]
    /// Where each line begins.
    private let lineStarts: [Int]
    private var items: [PowerProfile.Item] = []
    private var passedOver: [String] = []
    private var problems = Diagnostics()

    /// Largest file taken; real ones have a few thousand bytes.
    private static let largest = 4_000_000
    /// Largest value taken: the largest real ones are speeds in kHz and capacities in mAh.
    private static let largestValue = 1e9
    /// Longest tag taken: libxml2 compares each attribute of a tag with all before.
    private static let longestTag = 1 << 16
    /// Largest number of cores of a cluster taken; phones have up to 8.
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
        guard let context = xmlNewParserCtxt() else { throw Diagnostics("no memory to read \(path)") }
        defer { xmlFreeParserCtxt(context) }
        let options = Int32(XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue)
        let document = bytes.withUnsafeBytes { buffer in
            let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            return xmlCtxtReadMemory(context, start, Int32(buffer.count), path, nil, options)
        }
        guard let document else { throw Diagnostics([malformed(context)]) }
        defer { xmlFreeDoc(document) }
        try checkEntities(of: document)
        guard let root = xmlDocGetRootElement(document), Self.name(root) == "device" else {
            let line = xmlDocGetRootElement(document).map { Int(xmlGetLineNo($0)) } ?? 1
            throw Diagnostics([problem("not a power profile: the root element is not <device>", line: line)])
        }
        for node in Self.elements(of: root) { append(node) }
        if items.isEmpty, problems.isEmpty {
            throw Diagnostics([problem("no <item> or <array> inside <device>", line: Int(xmlGetLineNo(root)))])
        }
    }

    private func malformed(_ context: xmlParserCtxtPtr) -> Diagnostic {
        guard let error = xmlCtxtGetLastError(context) else {
            return problem("not well-formed XML", line: 1)
        }
        let text = error.pointee.message.map { String(cString: $0) } ?? "not well-formed XML"
        let sentence = String(text.prefix { $0 != "\n" })
        let line = Int(error.pointee.line)
        return problem("not well-formed XML: \(sentence)", line: line, column: Int(error.pointee.int2))
    }

    private mutating func append(_ node: xmlNodePtr) {
        let line = Int(xmlGetLineNo(node))
        let kind = Self.name(node)
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
        for inner in Self.elements(of: node) {
            if let value = number(inner, what: name) { values.append(value) }
        }
        if name == "cpu.clusters.cores" { checkCores(values, line: line) }
        add(name, values, line: line)
    }

    mutating func add(_ name: String, _ values: [Double], line: Int) {
        items.append(PowerProfile.Item(name: name, values: values, line: line))
    }

    /// A cluster of a phone has a few cores; a larger number is a mistake that would make a device of its own kind.
    private mutating func checkCores(_ values: [Double], line: Int) {
        for value in values where value > Self.mostCores || value != value.rounded() {
            reject("cpu.clusters.cores: expected whole numbers from 0 to \(Int(Self.mostCores)), found \(value)", line)
        }
    }

    /// An element that Android passes over too (`PowerProfile.readPowerValuesFromXml`).
    mutating func passOver(_ kind: String, line: Int) { passedOver.append("<\(kind)> (line \(line))") }

    mutating func reject(_ message: String, _ line: Int) { problems.append(problem(message, line: line)) }

    mutating func number(_ node: xmlNodePtr, what: String) -> Double? {
        let text = Self.text(of: node)
        if let value = Double(text), (0...Self.largestValue).contains(value) { return value }
        let found = "found \"\(text.prefix(40))\""
        problems.append(problem("\(what): expected a number from 0 to 1e9, \(found)", line: Int(xmlGetLineNo(node))))
        return nil
    }

    private func problem(_ message: String, line: Int, column: Int = 1) -> Diagnostic {
        let location = SourceLocation(file: path, line: max(line, 1), column: max(column, 1))
        return Diagnostic(message, at: location, line: text(ofLine: line), hint: Self.wanted)
    }

    /// A line without its end; lines that no screen holds are not shown.
    private func text(ofLine line: Int) -> String? {
        guard lineStarts.indices.contains(line - 1) else { return nil }
        let start = lineStarts[line - 1]
        let end = line < lineStarts.count ? lineStarts[line] - 1 : bytes.count
        return end - start < 10_000 ? String(decoding: bytes[start..<end], as: UTF8.self) : nil
    }
}

/// What a profile has no use for, and what would cost or hide something.
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
                throw Diagnostics([problem("a tag of more than \(Self.longestTag) bytes", line: line)])
            }
        }
    }

    /// An entity would stand for text that is not where it seems to be; none is expanded, so none may be there.
    private func checkEntities(of document: xmlDocPtr) throws(Diagnostics) {
        guard let types = document.pointee.intSubset else { return }
        var next = types.pointee.children
        while let node = next {
            if node.pointee.type == XML_ENTITY_DECL {
                let name = Self.name(node).excerpt
                throw Diagnostics([
                    problem("declares the entity \"\(name)\", and no entity is expanded", line: line(of: "<!ENTITY"))
                ])
            }
            next = node.pointee.next
        }
        throw Diagnostics([
            problem("has a document type, and no entity of another file is expanded", line: line(of: "<!DOCTYPE"))
        ])
    }

    /// The line on which a word stands first.
    private func line(of word: StaticString) -> Int {
        let index = bytes.indices.first { bytes.begins($0..<bytes.count, word) } ?? 0
        return bytes[..<index].count { $0 == 10 } + 1
    }
}

/// What the tree of libxml2 says, as Swift text.
extension PowerProfileReader {
    static func name(_ node: xmlNodePtr) -> String { node.pointee.name.map { String(cString: $0) } ?? "" }

    /// The elements right inside one, in the order of the file.
    static func elements(of node: xmlNodePtr) -> [xmlNodePtr] {
        var found: [xmlNodePtr] = []
        var next = node.pointee.children
        while let child = next {
            if child.pointee.type == XML_ELEMENT_NODE { found.append(child) }
            next = child.pointee.next
        }
        return found
    }

    static func attribute(_ name: String, of node: xmlNodePtr) -> String? {
        var next = node.pointee.properties
        while let attribute = next {
            if attribute.pointee.name.map({ String(cString: $0) }) == name {
                let text = text(attribute.pointee.children)
                return text.isEmpty ? text : NameTable.plain(text)
            }
            next = attribute.pointee.next
        }
        return nil
    }

    /// The text inside an element without surrounding white space; comments and inner elements are left out.
    private static func text(of node: xmlNodePtr) -> String { text(node.pointee.children) }

    private static func text(_ first: xmlNodePtr?) -> String {
        var text = ""
        var next = first
        while let node = next {
            if node.pointee.type == XML_TEXT_NODE || node.pointee.type == XML_CDATA_SECTION_NODE {
                if let content = node.pointee.content { text += String(cString: content) }
            }
            next = node.pointee.next
        }
        let isSpace = { (character: Character) in character.isWhitespace }
        return String(text.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
    }
}
