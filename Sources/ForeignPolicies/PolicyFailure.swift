// SPDX-License-Identifier: GPL-3.0-or-later
import CPolicies
import ConfigText
import Platform
import Synchronization
import Vocabulary

/// Ends a run whose policy failed.
///
/// Policies answer within an event, where errors cannot be thrown, so the process that asked the policy ends
/// immediately. Before that, it writes the reason. A worker sends the reason to its coordinator through a pipe that
/// processes of policies do not have. Other processes write the reason as the last line on standard error. Output of
/// the policy is kept separate.
public enum PolicyFailure {
    /// Exit code for a failure after which the other runs are kept.
    static let exitCode: Int32 = 3
    /// First words of the lines in a worker's pipe: one for the reason, and one for output of the policy.
    public static let marks = (reason: "ended", words: "wrote")
    /// Largest length of a reason in characters.
    ///
    /// The rest is omitted.
    private static let longestReason = 2000

    /// Pipe for the reasons of a worker; -1 in other processes.
    private static let pipe = Atomic<Int32>(-1)

    /// Sets the pipe to which reasons are written as lines, instead of standard error.
    public static func report(to pipe: Int32) { self.pipe.store(pipe, ordering: .relaxed) }

    /// Ends the process and all foreign code that it started.
    ///
    /// - Parameter lastSaid: Earlier output of the policy, for the user.
    static func end(_ message: String, lastSaid: String = "") -> Never {
        let reason = String(ForeignCode.visible(message).prefix(longestReason))
        let pipe = pipe.load(ordering: .relaxed)
        if pipe >= 0 {
            let words = lastSaid.isEmpty ? "" : "\(marks.words) \(JSONText.quoted(lastSaid))\n"
            put("\(words)\(marks.reason) \(reason)\n", to: pipe)
        } else {
            let lines = lastSaid.split(separator: "\n").suffix(20)
            let words = lines.map { "the policy wrote: \(ForeignCode.visible(String($0.suffix(1000))))\n" }
            put(words.joined() + "error: \(reason)\n", to: 2)
        }
        Offspring.endAll()
        // Destructors of a foreign library and other threads do not run.
        _exit(exitCode)
    }

    private static func put(_ text: String, to descriptor: Int32) {
        let text = Array(text.utf8)
        var done = 0
        while done < text.count {
            let count = text[done...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { break }
            done += count
        }
    }
}

/// Limits for foreign code.
///
/// Environment variables can set the time and the memory.
public enum ForeignLimits {
    /// Largest time for an answer of a policy, in seconds: `FLOTSAM_POLICY_TIMEOUT`, or else 30.
    static let seconds = positive("FLOTSAM_POLICY_TIMEOUT") ?? 30
    /// Largest private memory of a policy's process, and of a worker with a library, in bytes.
    ///
    /// The limit is `FLOTSAM_POLICY_MEMORY` in MiB, or else 4096 MiB.
    static let memory = UInt64(positive("FLOTSAM_POLICY_MEMORY") ?? 4096) << 20
    /// Largest file that the process of a policy can write, in bytes.
    static let fileSize: UInt64 = 1 << 30

    private static func positive(_ name: String) -> Int? {
        guard let text = getenv(name), let value = Int(String(cString: text)), value > 0, value < 1 << 30 else {
            return nil
        }
        return value
    }
}

extension ForeignLimits {
    /// Limits the memory of this process, which runs foreign code.
    ///
    /// If the system rejects the limit, memory is unlimited.
    public static func applyToWorker() { _ = policy_limit_memory(memory) }
}
