// SPDX-License-Identifier: GPL-3.0-or-later

/// Rule for the name of an experiment, which becomes the name of a folder.
public enum NameRule {
    /// Largest number of letters in a name.
    static let longest = 100

    /// Whether a text consists of lower-case letters, digits and hyphens.
    static func hasRightLetters(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
    }

    /// Whether a text is a valid name.
    public static func allows(_ text: String) -> Bool { hasRightLetters(text) && text.utf8.count <= longest }
}
