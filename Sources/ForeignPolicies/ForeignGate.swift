// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization
import Vocabulary

/// Decides whether foreign code may start.
///
/// No foreign code is loaded or started before this decision.
///
/// The gate allows code that the user named on the command line, allowed earlier, or allows when asked. With
/// `allowsAll`, the gate allows all code. A gate in a child process also allows the code that its parent could start.
/// No other code starts, so a gate without settings is closed.
public struct ForeignGate: Sendable {
    /// Command line option that opens the gate for one call of the program.
    public static let option = "--allow-foreign"

    /// Whether all code is allowed for this call of the program.
    public var allowsAll = false
    /// Words of the command line, which include the code that the user named.
    public var words: [String] = []
    /// Fingerprints of the code that the parent program was allowed to start.
    public var inherited: Set<String> = []
    /// File with earlier permissions; nil if no file is read.
    public var trusted: TrustedPolicies?
    /// Asks the user about code; nil if the program cannot ask.
    public var ask: (@Sendable (ForeignCode) -> Bool)?
    private let given = Given()

    /// Answers during this call of the program, by the hash of the code without its folder.
    ///
    /// No question is asked twice.
    private final class Given: Sendable {
        let answers = Mutex<[String: Bool]>([:])
    }

    /// Creates a closed gate.
    public init() {}

    /// Throws an error if the code may not start.
    ///
    /// The error explains how to allow the code.
    func pass(_ code: ForeignCode, _ files: CodeFiles, namedIn text: String) throws(ForeignPolicyError) {
        if allowsAll || inherited.contains(files.fingerprint) || isNamed(text) { return remember(files, true) }
        if let known = given.answers.withLock({ $0[files.content] }) {
            if known { return }
            throw refusal(code)
        }
        if trusted?.contains(files.fingerprint) == true { return remember(files, true) }
        guard let ask else { throw refusal(code) }
        let isAllowed = ask(code)
        remember(files, isAllowed)
        guard isAllowed else { throw refusal(code) }
        try trusted?.add(files.fingerprint, code)
    }

    /// Whether the user typed the text that names the code.
    private func isNamed(_ text: String) -> Bool {
        !text.isEmpty && words.contains { $0 == text || $0.hasPrefix("--") && $0.hasSuffix("=" + text) }
    }

    private func remember(_ files: CodeFiles, _ isAllowed: Bool) {
        given.answers.withLock { $0[files.content] = isAllowed }
    }

    private func refusal(_ code: ForeignCode) -> ForeignPolicyError {
        ForeignPolicyError(
            "a foreign policy runs its author's code with your rights, and this policy is not allowed yet: "
                + code.shown,
            hint: "if you trust its author, run the same command with \(Self.option)")
    }
}

/// Creates foreign policies without starting their code.
///
/// The policies have no descriptions, and cannot run.
public struct UncheckedPolicies: ForeignPolicySource {
    /// Creates a source.
    public init() {}

    /// A placeholder for the eviction policy of a library or a program.
    public func eviction(
        _ code: ForeignCode, namedIn text: String
    ) throws(ForeignPolicyError) -> ForeignPolicy<EvictionPolicyEntry> {
        try CodeFiles(code).policy(
            EvictionPolicyEntry(Self.stranger(code)) { _ in Self.refuse(code) }, isKnown: false)
    }

    /// A placeholder for the scheduling policy of a library or a program.
    public func scheduling(
        _ code: ForeignCode, namedIn text: String
    ) throws(ForeignPolicyError) -> ForeignPolicy<SchedulingPolicyEntry> {
        try CodeFiles(code).policy(
            SchedulingPolicyEntry(Self.stranger(code)) { _ in Self.refuse(code) }, isKnown: false)
    }

    private static func stranger(_ code: ForeignCode) -> PolicyDescriptor {
        PolicyDescriptor(name: code.text, summary: "not asked", source: "")
    }

    private static func refuse(_ code: ForeignCode) -> Never {
        PolicyFailure.end("the foreign policy \(code.shown) was not started, so it cannot run")
    }
}
