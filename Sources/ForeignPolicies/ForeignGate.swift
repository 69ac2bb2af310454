// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization
import Vocabulary

/// Decides whether foreign code may start; none of it is loaded or started before that.
///
/// The gate allows code that the user named on this command line, allowed before, or allows when asked. It allows all
/// code
/// if the user requested that. All other code does not start, so a gate without settings is closed.
public struct ForeignGate: Sendable {
    /// The option of the command line that opens the gate for one call.
    public static let option = "--allow-foreign"

    /// Whether everything is allowed, for this call.
    public var allowsAll = false
    /// The words of the command line; the user named the code in them.
    public var words: [String] = []
    /// Code that the parent program was allowed to start.
    public var inherited: Set<String> = []
    /// File of remembered permissions; nil where none is read.
    public var trusted: TrustedPolicies?
    /// Asks the user about the code that would run; nil where no user can be asked.
    public var ask: (@Sendable (ForeignCode) -> Bool)?
    private let given = Given()

    /// Answers of this call, by the hash of the code in any folder, so that no question is asked twice.
    private final class Given: Sendable {
        let answers = Mutex<[String: Bool]>([:])
    }

    /// A closed gate.
    public init() {}

    /// Lets code pass, or throws an error with the way to allow it.
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

    /// Whether the text that names the code is a word that the user typed.
    private func isNamed(_ text: String) -> Bool {
        !text.isEmpty && words.contains { $0 == text || $0.hasPrefix("--") && $0.hasSuffix("=" + text) }
    }

    private func remember(_ files: CodeFiles, _ isAllowed: Bool) {
        given.answers.withLock { $0[files.content] = isAllowed }
    }

    private func refusal(_ code: ForeignCode) -> ForeignPolicyError {
        ForeignPolicyError(
            "a foreign policy runs the code of its author with your rights, and this one is not allowed yet: "
                + code.shown,
            hint: "if you trust its author, run the same command with \(Self.option)")
    }
}

/// Policies of foreign code without their descriptions: no code is started, and the policies cannot run.
public struct UncheckedPolicies: ForeignPolicySource {
    /// Creates a source.
    public init() {}

    /// A stand-in for the eviction policy of a library or a program.
    public func eviction(
        _ code: ForeignCode, namedIn text: String
    ) throws(ForeignPolicyError) -> ForeignPolicy<EvictionPolicyEntry> {
        try CodeFiles(code).policy(
            EvictionPolicyEntry(Self.stranger(code)) { _ in Self.refuse(code) }, isKnown: false)
    }

    /// A stand-in for the scheduling policy of a library or a program.
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
