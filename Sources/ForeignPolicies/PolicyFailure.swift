// SPDX-License-Identifier: GPL-3.0-or-later
import CPolicies
import ConfigText
import Platform
import Synchronization
import Vocabulary

/// The end of a run whose policy failed.
///
/// Policies answer within an event, where nothing can be thrown. What the policy is asked in ends at once. Its reason
/// is the program's: a worker gives it to its coordinator, by a pipe that no process of a policy has; elsewhere it is
/// the last line on standard error. What the policy said itself is told apart from it.
public enum PolicyFailure {
    /// The exit code: something could not be done, other runs are kept.
    static let exitCode: Int32 = 3
    /// The words in front of a reason, and of what a policy wrote, in the pipe of a worker.
    public static let marks = (reason: "ended", words: "wrote")
    /// More of a reason is not told.
    private static let longestReason = 2000

    /// Where a worker tells its reason; -1 elsewhere.
    private static let pipe = Atomic<Int32>(-1)

    /// Tells reasons in lines to a pipe instead of on standard error.
    public static func report(to pipe: Int32) { self.pipe.store(pipe, ordering: .relaxed) }

    /// Ends the process and whatever foreign code it started.
    ///
    /// - Parameter lastSaid: What the policy said before, for the reader.
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
        // Neither destructors of a foreign library nor other threads have a say.
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

/// What foreign code may use; both can be set in the environment.
public enum ForeignLimits {
    /// Seconds within which a policy has to answer: `FLOTSAM_POLICY_TIMEOUT`, otherwise 30.
    static let seconds = positive("FLOTSAM_POLICY_TIMEOUT") ?? 30
    /// Private memory of a policy's process, and of a worker with a library, in bytes: `FLOTSAM_POLICY_MEMORY` in MiB,
    /// otherwise 4096.
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
    /// Limits the memory of this process, which carries out runs with foreign code; where the system refuses, none is.
    public static func applyToWorker() { _ = policy_limit_memory(memory) }
}
