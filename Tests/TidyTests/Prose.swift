// SPDX-License-Identifier: GPL-3.0-or-later
import TestSupport

/// What stands in a line, as words: identifiers are parted at their capitals, everything is in lower case.
enum Prose {
    /// The words of a line: letters only, `lastWords` as `last` and `words`.
    static func words(_ line: Substring) -> [String] {
        var words: [String] = []
        var word: [UInt8] = []
        func close() {
            if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
            word.removeAll(keepingCapacity: true)
        }
        for byte in line.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): word.append(byte)
            case UInt8(ascii: "A")...UInt8(ascii: "Z"):
                close()
                word.append(byte | 0x20)
            default: close()
            }
        }
        close()
        return words
    }

    /// The identifiers of a line, as they are written.
    static func identifiers(_ line: Substring) -> [String] {
        var names: [String] = []
        var name: [UInt8] = []
        for byte in line.utf8 + [0x20] {
            let isPart =
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) && byte < 0x80
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
            if isPart { name.append(byte); continue }
            if !name.isEmpty { names.append(String(decoding: name, as: UTF8.self)) }
            name.removeAll(keepingCapacity: true)
        }
        return names
    }
}
