// SPDX-License-Identifier: GPL-3.0-or-later

/// Makes foreign text safe to show: without control characters, without changes of direction, and with a limited
/// length.
extension String {
    /// Largest length of a message or a hint, in bytes.
    private static let longest = 1200

    /// The text with every control character replaced by a visible escape such as `\u{1b}`.
    ///
    /// Line ends and tabs remain.
    ///
    /// Control characters are those of ASCII and Latin-1 (ISO 6429), and those that end lines or change the direction
    /// of text (Unicode Standard Annex 9). Complexity: one pass, and no copy if there are none.
    public var visible: String {
        guard mayHoldControls, unicodeScalars.contains(where: \.isControl) else { return self }
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar.isControl {
                text.append(contentsOf: "\\u{\(Swift.String(scalar.value, radix: 16))}".unicodeScalars)
            } else {
                text.append(scalar)
            }
        }
        return Swift.String(text)
    }

    /// First control character in the form `U+001B`; nil if there is none.
    public var firstControl: String? {
        guard mayHoldControls, let scalar = unicodeScalars.first(where: \.isControl) else { return nil }
        let digits = Swift.String(scalar.value, radix: 16, uppercase: true)
        return "U+" + Swift.String(repeating: "0", count: 4 - digits.count) + digits
    }

    /// Whether the text has a byte that may begin a control character.
    ///
    /// Most texts have no such byte.
    private var mayHoldControls: Bool {
        utf8.contains { $0 < 32 && $0 != 10 && $0 != 9 || $0 == 127 || $0 == 0xc2 || $0 == 0xe2 }
    }

    /// The text, or its beginning and its end if it is very long.
    public var shortened: String {
        guard utf8.count > Self.longest else { return self }
        return shortened(beginning: Self.longest * 3 / 4, end: Self.longest / 4)
    }

    /// A foreign text for a message: on one line, and only its beginning if it is long.
    public var excerpt: String {
        let head = utf8.count > Self.shownWord ? shortened(beginning: Self.shownWord, end: 0) : self
        return head.oneLine
    }

    /// The visible text on one line.
    var oneLine: String { visible.replacing("\n", with: "\\n") }

    /// Largest length of a foreign word in a message, in bytes.
    private static let shownWord = 200

    private func shortened(beginning: Int, end: Int) -> String {
        let head = utf8.index(startIndex, offsetBy: beginning)
        let tail = utf8.index(endIndex, offsetBy: -end)
        return Swift.String(decoding: utf8[..<head], as: UTF8.self).whole + "…"
            + Swift.String(decoding: utf8[tail...], as: UTF8.self).whole
    }

    /// The text without incomplete characters at its ends, which result from a cut.
    private var whole: String {
        var text = unicodeScalars[...]
        while text.last == "\u{fffd}" { text.removeLast() }
        while text.first == "\u{fffd}" { text.removeFirst() }
        return Swift.String(text)
    }
}

extension Unicode.Scalar {
    /// Whether a terminal obeys the character instead of printing it.
    ///
    /// Line ends and tabs are not control characters.
    public var isControl: Bool {
        switch value {
        case 9, 10: false
        case 0..<32, 127..<160, 0x2028...0x202e, 0x2066...0x2069: true
        default: false
        }
    }
}
