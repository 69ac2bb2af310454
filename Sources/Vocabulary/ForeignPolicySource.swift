// SPDX-License-Identifier: GPL-3.0-or-later

/// Location of a policy's code outside the program.
public enum ForeignCode: Hashable, Sendable {
    /// A shared library, by its path.
    case library(path: String)
    /// A command line that starts in a folder; `reads` lists further files of the code.
    case process(words: [String], folder: String, reads: [String])

    /// Name of the code in messages: the library's file, or the command line.
    public var text: String {
        switch self {
        case .library(let path): path
        case .process(let words, _, _): words.joined(separator: " ")
        }
    }

    /// The code that would run, as shown to the user who is asked for permission; control characters appear as numbers.
    public var shown: String {
        switch self {
        case .library(let path): return Self.visible(path)
        case .process(let words, let folder, _):
            let plain = words.map { word in
                let isPlain = word.allSatisfy { $0.isLetter || $0.isNumber || "-_./=:,+%@".contains($0) }
                let isBare = !word.isEmpty && isPlain
                return isBare ? word : "'" + word.replacing("'", with: "'\\''") + "'"
            }
            return Self.visible(plain.joined(separator: " ")) + "   (in the folder \(Self.visible(folder)))"
        }
    }

    /// The text, with each invisible or cursor-moving character replaced by its number.
    public static func visible(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned:
                result += "\\u{" + String(scalar.value, radix: 16) + "}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

/// A policy whose code is not part of the program.
public struct ForeignPolicy<Entry: Sendable>: Sendable {
    /// Description of the policy, and the function that creates it.
    public let entry: Entry
    /// Hash of the code: of the library, or of the files of the program.
    public let checksum: UInt64
    /// Files that the hash covers.
    public let files: [String]
    /// Identity of the code for which permission is granted: a collision-resistant hash of its folder and its code.
    public let fingerprint: String
    /// Whether the code has supplied its description; false for a placeholder without name, parameters and rules.
    public let isKnown: Bool

    /// Creates a policy.
    public init(entry: Entry, checksum: UInt64, files: [String], fingerprint: String = "", isKnown: Bool = true) {
        self.entry = entry
        self.checksum = checksum
        self.files = files
        self.fingerprint = fingerprint
        self.isKnown = isKnown
    }
}

/// Why foreign code yields no policy.
public struct ForeignPolicyError: Error, Sendable {
    /// Description of the fault, without a full stop.
    public let message: String
    /// How to fix the fault.
    public let hint: String?

    /// Creates an error.
    public init(_ message: String, hint: String? = nil) {
        self.message = message
        self.hint = hint
    }
}

/// Creates policies from foreign code, if the user allows it to run.
public protocol ForeignPolicySource: Sendable {
    /// The eviction policy of a library or a program.
    ///
    /// - Parameters:
    ///   - code: The library or the program.
    ///   - text: The whole text that names the code: a file, or a word of the command line.
    func eviction(_ code: ForeignCode, namedIn text: String) throws(ForeignPolicyError)
        -> ForeignPolicy<EvictionPolicyEntry>
    /// The scheduling policy of a library or a program.
    ///
    /// - Parameters:
    ///   - code: The library or the program.
    ///   - text: The whole text that names the code: a file, or a word of the command line.
    func scheduling(_ code: ForeignCode, namedIn text: String) throws(ForeignPolicyError)
        -> ForeignPolicy<SchedulingPolicyEntry>
}
