// SPDX-License-Identifier: GPL-3.0-or-later

/// What an experiment may be called: its name becomes that of a folder.
public enum NameRule {
    /// Most letters of a name.
    static let longest = 100

    /// Whether a text is lower-case letters, digits and hyphens.
    static func hasRightLetters(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
    }

    /// Whether a text is a name.
    public static func allows(_ text: String) -> Bool { hasRightLetters(text) && text.utf8.count <= longest }
}
