// SPDX-License-Identifier: GPL-3.0-or-later
import CExpat

/// An element of an XML file: its name, attributes, child elements and text.
struct XMLElement {
    let name: String
    let attributes: [String: String]
    /// Line on which the element starts, from 1.
    let line: Int
    fileprivate(set) var elements: [XMLElement] = []
    /// Text of the element, without comments, child elements and surrounding white space.
    fileprivate(set) var text = ""

    /// Reason why a file is rejected.
    enum Problem: Error, Equatable {
        case malformed(String, line: Int, column: Int)
        case entity(String)
        case documentType
        case tooDeep(line: Int)
        case noMemory
    }

    /// Deepest accepted nesting.
    ///
    /// Real files have four levels.
    fileprivate static let deepest = 64

    /// Reads the root element of a file.
    ///
    /// Entities are not expanded, so a file that declares entities is rejected. Nothing outside the given bytes is
    /// read.
    init(parsing bytes: [UInt8]) throws(Problem) {
        guard let parser = XML_ParserCreate(nil) else { throw .noMemory }
        defer { XML_ParserFree(parser) }
        let builder = ElementBuilder(parser)
        // `builder` lives longer than the calls of the parser, because they end when `XML_Parse` returns.
        let status = withExtendedLifetime(builder) {
            bytes.withUnsafeBytes { buffer in
                XML_Parse(parser, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count), 1)
            }
        }
        if let problem = builder.problem { throw problem }
        guard status == XML_STATUS_OK, let root = builder.root else {
            let sentence = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? "no element found"
            throw .malformed(
                sentence, line: Int(XML_GetCurrentLineNumber(parser)),
                column: Int(XML_GetCurrentColumnNumber(parser)) + 1)
        }
        self = root
    }

    fileprivate init(_ name: String, _ attributes: [String: String], line: Int) {
        (self.name, self.attributes, self.line) = (name, attributes, line)
    }
}

/// Builds the tree of elements from expat's calls.
private final class ElementBuilder {
    private(set) var root: XMLElement?
    private(set) var problem: XMLElement.Problem?
    private var open: [XMLElement] = []
    private let parser: XML_Parser

    init(_ parser: XML_Parser) {
        self.parser = parser
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser, { ElementBuilder.of($0)?.begin($1, $2) }, { data, _ in ElementBuilder.of(data)?.end() })
        XML_SetCharacterDataHandler(parser) { ElementBuilder.of($0)?.add($1, $2) }
        XML_SetEntityDeclHandler(parser) { data, name, _, _, _, _, _, _, _ in
            ElementBuilder.of(data)?.stop(.entity(name.map { String(cString: $0) } ?? ""))
        }
        XML_SetEndDoctypeDeclHandler(parser) { ElementBuilder.of($0)?.stop(.documentType) }
    }

    private static func of(_ data: UnsafeMutableRawPointer?) -> ElementBuilder? {
        data.map { Unmanaged<ElementBuilder>.fromOpaque($0).takeUnretainedValue() }
    }

    private func begin(_ name: UnsafePointer<CChar>?, _ pairs: UnsafeMutablePointer<UnsafePointer<CChar>?>?) {
        let line = Int(XML_GetCurrentLineNumber(parser))
        guard open.count < XMLElement.deepest else { return stop(.tooDeep(line: line)) }
        var attributes: [String: String] = [:]
        var next = pairs
        while let pair = next, let key = pair[0], let value = pair[1] {
            attributes[String(cString: key)] = String(cString: value)
            next = pair + 2
        }
        open.append(XMLElement(name.map { String(cString: $0) } ?? "", attributes, line: line))
    }

    private func end() {
        guard var element = open.popLast() else { return }
        let isSpace = { (character: Character) in character.isWhitespace }
        element.text = String(element.text.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
        if open.isEmpty { root = element } else { open[open.count - 1].elements.append(element) }
    }

    private func add(_ text: UnsafePointer<CChar>?, _ length: Int32) {
        guard let text, !open.isEmpty else { return }
        let bytes = UnsafeRawBufferPointer(start: text, count: Int(length))
        open[open.count - 1].text += String(decoding: bytes, as: UTF8.self)
    }

    private func stop(_ found: XMLElement.Problem) {
        if problem == nil { problem = found }
        XML_StopParser(parser, 0)
    }
}
