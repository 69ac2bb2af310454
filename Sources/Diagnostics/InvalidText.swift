// SPDX-License-Identifier: GPL-3.0-or-later

extension Diagnostic {
    /// Problem for bytes that are not valid UTF-8, at the first invalid byte.
    public static func notUTF8(_ bytes: [UInt8], file: String) -> Diagnostic {
        var line = 1
        var lineStart = 0
        var column = 1
        var offset = 0
        var decoder = Unicode.UTF8()
        var iterator = bytes.makeIterator()
        while case .scalarValue(let scalar) = decoder.decode(&iterator) {
            offset += Unicode.UTF8.width(scalar)
            column += 1
            if scalar == "\n" { (line, lineStart, column) = (line + 1, offset, 1) }
        }
        guard bytes.indices.contains(offset) else {
            return Diagnostic("\(file) is not UTF-8 text", hint: "save it as UTF-8")
        }
        let text = String(decoding: bytes[lineStart...].prefix { $0 != 10 }, as: UTF8.self)
        return Diagnostic(
            "not UTF-8 text: the byte 0x" + String(bytes[offset], radix: 16),
            at: SourceLocation(file: file, line: line, column: column), line: text, hint: "save it as UTF-8")
    }
}
