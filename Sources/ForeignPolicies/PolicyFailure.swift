// SPDX-License-Identifier: GPL-3.0-or-later
import CPolicies
import ConfigText
import Platform
import Synchronization
import Vocabulary

/// End of a run whose policy failed.
///
/// Policies answer within an event, where no error can be thrown, so the process that asked ends at once. The program
/// provides the reason. A worker sends it to its coordinator through a pipe that no policy's process has. Elsewhere
/// the
/// reason is the last line on standard error. Output of the policy itself is kept separate.
public enum PolicyFailure {
    /// The exit code: something could not be done, other runs are kept.
    static let exitCode: Int32 = 3
    /// The words before a reason, and before output of a policy, in the pipe of a worker.
    public static let marks = (reason: "ended", words: "wrote")
    /// Longest reason; the rest is cut.
    private static let longestReason = 2000

    /// Pipe for a worker's reason; -1 elsewhere.
    private static let pipe = Atomic<Int32>(-1)

    /// Writes reasons as lines to a pipe instead of to standard error.
    public static func report(to pipe: Int32) { self.pipe.store(pipe, ordering: .relaxed) }

    /// Ends the process and all foreign code that it started.
    ///
    /// - Parameter lastSaid: Earlier output of the policy, for the reader.
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
        // Neither destructors of a foreign library nor other threads run.
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

/// Limits of foreign code; both can be set in the environment.
public enum ForeignLimits {
    /// Seconds within which a policy must answer: `FLOTSAM_POLICY_TIMEOUT`, otherwise 30.
    static let seconds = positive("FLOTSAM_POLICY_TIMEOUT") ?? 30
    /// Private memory of a policy's process, and of a worker with a library, in bytes.
    ///
    /// `FLOTSAM_POLICY_MEMORY` in MiB, otherwise 4096.
    static let memory = UInt64(positive("FLOTSAM_POLICY_MEMORY") ?? 4096) << 20
    /// Largest file that a policy's process can write, in bytes.
    static let fileSize: UInt64 = 1 << 30

    private static func positive(_ name: String) -> Int? {
        guard let text = getenv(name), let value = Int(String(cString: text)), value > 0, value < 1 << 30 else {
            return nil
        }
        return value
    }
}

extension ForeignLimits {
    /// Limits the memory of this process, which runs foreign code; there is no limit where the system refuses it.
    public static func applyToWorker() { _ = policy_limit_memory(memory) }
}
