// SPDX-License-Identifier: GPL-3.0-or-later
import Platform

/// Time that a program has left for an answer.
///
/// The limit counts only the time in which the program can run, not its waits for a processor on a busy machine. The
/// limit of wall-clock time is `mostStretch` times as long.
struct AnswerTime {
    /// Largest factor by which a busy machine can extend the limit.
    static let mostStretch = 10.0

    /// Limit in seconds.
    let limit: Double
    private let start = Self.now()
    private let identifier: pid_t
    /// Total seconds that the program had waited for a processor at the first check, after a tenth of the limit.
    ///
    /// Most answers arrive earlier and need no check.
    private var waited: Double?

    init(_ limit: Double, of identifier: pid_t) {
        self.limit = limit
        self.identifier = identifier
    }

    /// Seconds until the next check.
    ///
    /// If the number is not positive, no time is left.
    mutating func next() -> Double {
        let passed = Self.now() - start
        guard let waited else {
            if passed < limit / 10 { return limit / 10 - passed }
            self.waited = Self.waited(identifier)
            return Self.left(limit, passed: passed, waited: 0)
        }
        return Self.left(limit, passed: passed, waited: Self.waited(identifier) - waited)
    }

    /// Seconds left of a limit after `passed` seconds of wall-clock time; in `waited` of the passed seconds, no
    /// processor was free.
    static func left(_ limit: Double, passed: Double, waited: Double) -> Double {
        min(limit - (passed - waited), mostStretch * limit - passed)
    }

    /// Total seconds that a process was ready to run but had no processor; 0 if the kernel does not count them.
    private static func waited(_ identifier: pid_t) -> Double {
        let file = open("/proc/\(identifier)/schedstat", O_RDONLY | O_CLOEXEC)
        guard identifier > 0, file >= 0 else { return 0 }
        defer { close(file) }
        var block = [UInt8](repeating: 0, count: 128)
        let count = read(file, &block, block.count)
        return count > 0 ? waited(schedstat: String(decoding: block[..<count], as: UTF8.self)) : 0
    }

    /// Seconds from the second of the three numbers in `/proc/PID/schedstat`, in nanoseconds (Linux,
    /// Documentation/scheduler).
    static func waited(schedstat text: String) -> Double {
        let numbers = text.split(whereSeparator: \.isWhitespace)
        return numbers.count == 3 ? (Double(numbers[1]) ?? 0) / 1e9 : 0
    }

    static func now() -> Double {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
    }
}
