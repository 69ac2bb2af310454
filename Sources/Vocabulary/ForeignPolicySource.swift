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
}

/// A policy whose code is no part of the program.
public struct ForeignPolicy<Entry: Sendable>: Sendable {
    /// Description and maker.
    public let entry: Entry
    /// Hash of its code: of the library, or of the files of the program.
    public let checksum: UInt64
    /// The files that the hash is of.
    public let files: [String]

    /// Creates a policy.
    public init(entry: Entry, checksum: UInt64, files: [String]) {
        self.entry = entry
        self.checksum = checksum
        self.files = files
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

/// Whoever can make policies of foreign code; asking runs that code.
public protocol ForeignPolicySource: Sendable {
    /// The eviction policy of a library or a program.
    func eviction(_ code: ForeignCode) throws(ForeignPolicyError) -> ForeignPolicy<EvictionPolicyEntry>
    /// The scheduling policy of a library or a program.
    func scheduling(_ code: ForeignCode) throws(ForeignPolicyError) -> ForeignPolicy<SchedulingPolicyEntry>
}
