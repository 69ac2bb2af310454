// SPDX-License-Identifier: GPL-3.0-or-later
import CPolicies
import Glibc

/// The end of a run whose policy failed.
///
/// Policies answer within an event, where nothing can be thrown. What the policy is asked in ends, at once and with the
/// reason in the last line of its standard error that begins with `error:`; of a worker, that is the run's failure.
enum PolicyFailure {
    /// The exit code: something could not be done, other runs are kept.
    static let exitCode: Int32 = 3

    /// Ends the process.
    ///
    /// - Parameter lastSaid: What the policy said before, for the reader; it stands in front of the reason.
    static func end(_ message: String, lastSaid: String = "") -> Never {
        let before = lastSaid.isEmpty || lastSaid.hasSuffix("\n") ? lastSaid : lastSaid + "\n"
        let text = Array((before + "error: " + message.replacing("\n", with: " ") + "\n").utf8)
        var done = 0
        while done < text.count {
            let count = text[done...].withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { break }
            done += count
        }
        // Neither destructors of a foreign library nor other threads have a say.
        _exit(exitCode)
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
