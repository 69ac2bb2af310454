// SPDX-License-Identifier: GPL-3.0-or-later
// ForeignPolicies owns policies whose code is no part of the program: shared libraries behind `flotsam_policy.h`, and
// processes that speak lines of JSON.
// In: a path or the words of a command (`ForeignCode`). Out: entries like those of built-in policies, with a hash of
// the code. The phone does not know of it: what comes out conforms to the two protocols of `Vocabulary`.
// A policy that traps, hangs or answers nonsense ends the process that it is asked in, with the reason
// (`PolicyFailure`); runs have workers of their own, so that it ends one run and no other.
// Nothing is loaded or started but by `ForeignPolicies`, behind its `ForeignGate`.
// Read first: this file, then `ForeignGate.swift`, `PolicyLibrary.swift` and `LibraryEviction.swift`, then
// `PolicyPipe.swift`.

import CPolicies
import Quantities
import Vocabulary

/// Makes policies of libraries and processes that a gate lets pass; there is no other way to make one.
public struct ForeignPolicies: ForeignPolicySource {
    private let gate: ForeignGate

    /// Creates a source; no code is loaded before a policy is requested and the gate lets it pass.
    public init(_ gate: ForeignGate = ForeignGate()) { self.gate = gate }

    /// The files of code that may start.
    private func files(
        _ code: ForeignCode, namedIn text: String
    ) throws(ForeignPolicyError) -> CodeFiles {
        let files = try CodeFiles(code)
        try gate.pass(code, files, namedIn: text)
        Offspring.adopt()
        return files
    }

    /// The eviction policy of a library or a program.
    public func eviction(
        _ code: ForeignCode, namedIn text: String
    ) throws(ForeignPolicyError) -> ForeignPolicy<EvictionPolicyEntry> {
        let files = try files(code, namedIn: text)
        switch code {
        case .library(let path):
            let library = try PolicyLibrary(path, files)
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
    public func scheduling(
        _ code: ForeignCode, namedIn text: String
    ) throws(ForeignPolicyError) -> ForeignPolicy<SchedulingPolicyEntry> {
        let files = try files(code, namedIn: text)
        switch code {
        case .library(let path):
            let library = try PolicyLibrary(path, files)
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
