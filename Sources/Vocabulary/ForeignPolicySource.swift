// SPDX-License-Identifier: GPL-3.0-or-later

/// Where the code of a policy lies that is no part of the program.
public enum ForeignCode: Hashable, Sendable {
    /// A shared library, by its path.
    case library(path: String)
    /// A program with its words, started in a folder; the files named beside its words are part of it.
    case process(words: [String], folder: String, reads: [String])

    /// How messages name it: the file, or the words.
    public var text: String {
        switch self {
        case .library(let path): path
        case .process(let words, _, _): words.joined(separator: " ")
        }
    }

    /// What would run, for the eyes of the user who is asked: nothing in it can move a cursor or hide behind another.
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

    /// A text in which whatever is not seen, or moves what is seen, stands as its number.
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

/// A policy whose code is no part of the program.
public struct ForeignPolicy<Entry: Sendable>: Sendable {
    /// Description and maker.
    public let entry: Entry
    /// Hash of its code: of the library, or of the files of the program.
    public let checksum: UInt64
    /// The files that the hash is of.
    public let files: [String]
    /// What permission to start it is given to: a hash of its folder and its code that nobody can aim at.
    public let fingerprint: String
    /// Whether it was asked what it is; a stand-in was not, and knows nothing of name, parameters and rules.
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

/// Why foreign code gives no policy.
public struct ForeignPolicyError: Error, Sendable {
    /// What is wrong, without a full stop.
    public let message: String
    /// How to mend it.
    public let hint: String?

    /// Creates an error.
    public init(_ message: String, hint: String? = nil) {
        self.message = message
        self.hint = hint
    }
}

/// Makes policies of foreign code, where it may be started at all.
public protocol ForeignPolicySource: Sendable {
    /// The eviction policy of a library or a program.
    ///
    /// - Parameters:
    ///   - code: The library or the program.
    ///   - text: The whole text in which it is named: a file, or a word of the command line.
    func eviction(_ code: ForeignCode, namedIn text: String) throws(ForeignPolicyError)
        -> ForeignPolicy<EvictionPolicyEntry>
    /// The scheduling policy of a library or a program.
    ///
    /// - Parameters:
    ///   - code: The library or the program.
    ///   - text: The whole text in which it is named: a file, or a word of the command line.
    func scheduling(_ code: ForeignCode, namedIn text: String) throws(ForeignPolicyError)
        -> ForeignPolicy<SchedulingPolicyEntry>
}
