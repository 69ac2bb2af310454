// SPDX-License-Identifier: GPL-3.0-or-later
// ForeignPolicies runs policies whose code is not part of the program: shared libraries with the interface of
// `flotsam_policy.h`, and processes that exchange lines of JSON. In: a path or the words of a command (`ForeignCode`).
// Out: entries like those of built-in policies, with a hash of the code. The phone does not distinguish them, because
// they conform to the two protocols of `Vocabulary`. If a policy traps, hangs or gives an invalid answer, the process
// that called it ends with the reason (`PolicyFailure`). Each run has its own worker, so that only this run ends. Only
// `ForeignPolicies` loads and starts code, after its `ForeignGate` has allowed it. Read first: this file, then
// `ForeignGate.swift`, `PolicyLibrary.swift` and `LibraryEviction.swift`, then `PolicyPipe.swift`.

import CPolicies
import Quantities
import Vocabulary

/// Creates policies from libraries and processes that a gate allows.
///
/// Foreign policies cannot be created in any other way.
public struct ForeignPolicies: ForeignPolicySource {
    private let gate: ForeignGate

    /// Creates a source.
    ///
    /// Code is loaded only after a policy is requested and the gate allows the code.
    public init(_ gate: ForeignGate = ForeignGate()) { self.gate = gate }

    /// Files of code that the gate allows.
    private func files(
        _ code: ForeignCode, namedIn text: String
    ) throws(ForeignPolicyError) -> CodeFiles {
        let files = try CodeFiles(code)
        try gate.pass(code, files, namedIn: text)
        Offspring.adopt()
        return files
    }

    /// Eviction policy of a library or a program.
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

    /// Scheduling policy of a library or a program.
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
