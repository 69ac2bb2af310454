// SPDX-License-Identifier: GPL-3.0-or-later

/// Whether a name starts with a letter and has words of lower-case letters and digits, joined by single hyphens.
public func isKebabCase(_ name: String) -> Bool {
    guard let first = name.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else { return false }
    var wasHyphen = false
    for byte in name.utf8 {
        let isHyphen = byte == UInt8(ascii: "-")
        let isWord =
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        guard isWord || (isHyphen && !wasHyphen) else { return false }
        wasHyphen = isHyphen
    }
    return !wasHyphen
}
