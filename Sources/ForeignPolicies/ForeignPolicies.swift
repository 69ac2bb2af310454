// SPDX-License-Identifier: GPL-3.0-or-later
// ForeignPolicies owns policies whose code is no part of the program: shared libraries behind `flotsam_policy.h`, and
// processes that speak lines of JSON.
// In: a path or the words of a command (`ForeignCode`). Out: entries like those of built-in policies, with a hash of
// the code. The phone does not know of it: what comes out conforms to the two protocols of `Vocabulary`.
// A policy that traps, hangs or answers nonsense ends the process that it is asked in, with the reason
// (`PolicyFailure`); runs have workers of their own, so that it ends one run and no other.
// Read first: this file, then `PolicyLibrary.swift` and `LibraryEviction.swift`, then `PolicyProcess.swift`.

import CPolicies
import Files
import Quantities
import Vocabulary

/// Makes policies of libraries and processes.
public struct ForeignPolicies: ForeignPolicySource {
    /// Creates a source; nothing is loaded before a policy is asked for.
    public init() {}

    /// The eviction policy of a library or a program.
    public func eviction(_ code: ForeignCode) throws(ForeignPolicyError) -> ForeignPolicy<EvictionPolicyEntry> {
        let files = try CodeFiles(code)
        switch code {
        case .library(let path):
            let library = try PolicyLibrary(path)
            let policy = try library.eviction()
            let exported = policy.pointer.pointee
            let about = try library.description(exported.about, bringsTrigger: exported.triggers)
            return files.policy(EvictionPolicyEntry(about) { library.makeEviction(policy, about, $0) })
        case .process(let words, let folder, _):
            let command = PolicyCommand(words: words, folder: folder)
            let about = try command.about(kind: .eviction)
            return files.policy(
                EvictionPolicyEntry(about.descriptor) { ProcessEviction(PolicySession(command, about, $0)) })
        }
    }

    /// The scheduling policy of a library or a program.
    public func scheduling(_ code: ForeignCode) throws(ForeignPolicyError) -> ForeignPolicy<SchedulingPolicyEntry> {
        let files = try CodeFiles(code)
        switch code {
        case .library(let path):
            let library = try PolicyLibrary(path)
            let policy = try library.scheduling()
            let about = try library.description(policy.pointer.pointee.about, bringsTrigger: false)
            return files.policy(SchedulingPolicyEntry(about) { library.makeScheduling(policy, about, $0) })
        case .process(let words, let folder, _):
            let command = PolicyCommand(words: words, folder: folder)
            let about = try command.about(kind: .scheduling)
            return files.policy(
                SchedulingPolicyEntry(about.descriptor) { ProcessScheduling(PolicySession(command, about, $0)) })
        }
    }
}

/// The files that hold the code of a policy, and their hash: results are known by it.
struct CodeFiles {
    let files: [String]
    let checksum: UInt64

    /// Reads the files: a library, or those among the words of a command and beside them.
    init(_ code: ForeignCode) throws(ForeignPolicyError) {
        var checksum = Checksum()
        var files: [String] = []
        switch code {
        case .library(let path):
            checksum.add(part: "library")
            files = [path]
        case .process(let words, let folder, let reads):
            for word in words {
                checksum.add(part: word)
                let path = FilePath.join(folder, word)
                // What is named by its whole path is like an interpreter: there wherever the experiment is.
                if isRegularFile(path), !word.hasPrefix("/") { files.append(path) }
            }
            for path in reads.map({ FilePath.join(folder, $0) }) where !files.contains(path) { files.append(path) }
        }
        for path in files {
            do throws(FileError) {
                checksum.add(part: Self.hexadecimal(Checksum.of(try readFile(path))))
            } catch {
                throw ForeignPolicyError("cannot read \(path): \(error.reason)")
            }
        }
        self.files = files
        self.checksum = checksum.value
    }

    func policy<Entry>(_ entry: Entry) -> ForeignPolicy<Entry> {
        ForeignPolicy(entry: entry, checksum: checksum, files: files)
    }

    private static func hexadecimal(_ value: UInt64) -> String { String(value, radix: 16) }
}
