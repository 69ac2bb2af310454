// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Recording

/// Checksum in the first line of a manifest, which detects damage before the content is interpreted.
enum ManifestSeal {
    private static let (head, tail) = (Array("{\n  \"checksum\": \"".utf8), Array("\",\n".utf8))

    /// Text of a manifest that begins with its checksum.
    static func sealed(_ manifest: JSONValue) -> [UInt8] {
        // A manifest that was read from a file also contains its checksum as a key.
        let members = (manifest.members ?? [:]).filter { $0.key != "checksum" }
        let body = Array(JSONValue.object(members).pretty.utf8.dropFirst(2))
        return head + Array(hexadecimal(Checksum.of(body)).utf8) + tail + body
    }

    /// Whether the content matches the checksum; true for a manifest of an earlier version, which has no checksum.
    static func holds(_ bytes: [UInt8]) -> Bool {
        guard bytes.starts(with: head) else { return true }
        let digits = bytes.dropFirst(head.count).prefix(16)
        let rest = bytes.dropFirst(head.count + digits.count)
        guard rest.starts(with: tail) else { return false }
        return Array(hexadecimal(Checksum.of(rest.dropFirst(tail.count))).utf8) == Array(digits)
    }
}
