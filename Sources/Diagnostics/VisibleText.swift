// SPDX-License-Identifier: GPL-3.0-or-later

/// Makes foreign text safe to show: no control characters, no change of direction, limited length.
extension String {
    /// Most bytes of a message or a hint.
    private static let longest = 1200

    /// Text with every control character as a visible escape such as `\u{1b}`; line ends and tabs remain.
    ///
    /// Controls are those of ASCII and Latin-1 (ISO 6429), and those that end lines or change the direction of text
    /// (Unicode Standard Annex 9). Complexity: one pass, and no copy where there are none.
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

    /// First control character, as `U+001B`; nil where there is none.
    public var firstControl: String? {
        guard mayHoldControls, let scalar = unicodeScalars.first(where: \.isControl) else { return nil }
        let digits = Swift.String(scalar.value, radix: 16, uppercase: true)
        return "U+" + Swift.String(repeating: "0", count: 4 - digits.count) + digits
    }

    /// Whether the text has a byte with which a control character begins; most texts have none.
    private var mayHoldControls: Bool {
        utf8.contains { $0 < 32 && $0 != 10 && $0 != 9 || $0 == 127 || $0 == 0xc2 || $0 == 0xe2 }
    }

    /// The text itself, or its beginning and its end where it is very long.
    public var shortened: String {
        guard utf8.count > Self.longest else { return self }
        return shortened(beginning: Self.longest * 3 / 4, end: Self.longest / 4)
    }

    /// Foreign word or text for a message: on one line, only its beginning where it is long.
    public var excerpt: String {
        let head = utf8.count > Self.shownWord ? shortened(beginning: Self.shownWord, end: 0) : self
        return head.oneLine
    }

    /// The visible text on one line.
    var oneLine: String { visible.replacing("\n", with: "\\n") }

    /// Most bytes of a foreign word in a message.
    private static let shownWord = 200

    private func shortened(beginning: Int, end: Int) -> String {
        let head = utf8.index(startIndex, offsetBy: beginning)
        let tail = utf8.index(endIndex, offsetBy: -end)
        return Swift.String(decoding: utf8[..<head], as: UTF8.self).whole + "…"
            + Swift.String(decoding: utf8[tail...], as: UTF8.self).whole
    }

    /// Text without the partial characters that a cut has left at its ends.
    private var whole: String {
        var text = unicodeScalars[...]
        while text.last == "\u{fffd}" { text.removeLast() }
        while text.first == "\u{fffd}" { text.removeFirst() }
        return Swift.String(text)
    }
}

extension Unicode.Scalar {
    /// Whether a terminal does not simply print the character; line ends and tabs count as text.
    public var isControl: Bool {
        switch value {
        case 9, 10: false
        case 0..<32, 127..<160, 0x2028...0x202e, 0x2066...0x2069: true
        default: false
        }
    }
}
