// SPDX-License-Identifier: GPL-3.0-or-later

/// Rule for names of experiments, which are also names of folders.
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
