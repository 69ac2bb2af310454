// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Platform
import Recording

/// Progress of a session.
public struct Progress: Sendable, Equatable {
    /// Number of runs of the plan.
    public var total: Int
    /// Number of finished runs, including those of earlier sessions.
    public var done: Int
    /// Number of runs that failed in this session.
    public var failed: Int
    /// Estimated remaining time in seconds; nil before the first run has ended.
    public var secondsLeft: Double?

    /// Creates the progress of a session without failures.
    public init(done: Int, of total: Int) { self.init(total: total, done: done, failed: 0, secondsLeft: nil) }

    init(total: Int, done: Int, failed: Int, secondsLeft: Double?) {
        (self.total, self.done, self.failed, self.secondsLeft) = (total, done, failed, secondsLeft)
    }

    /// Progress line for the user.
    public var line: String {
        var text = "\(done)/\(total) runs"
        if failed > 0 { text += ", \(failed) failed" }
        if let secondsLeft { text += ", \(Self.duration(secondsLeft)) left" }
        return text
    }

    /// The progress as JSON, for programs.
    var json: JSONValue {
        .object([
            "runs": .integer(total), "done": .integer(done), "failed": .integer(failed),
            "seconds_left": secondsLeft.map { .number(($0 * 10).rounded() / 10) } ?? .null,
        ])
    }

    /// A duration for people: `42 s`, `3 min 20 s`, `2 h 05 min`.
    public static func duration(_ seconds: Double) -> String {
        let whole = Int(seconds.rounded(.up))
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        if whole < 60 { return "\(whole) s" }
        if whole < 3600 { return "\(whole / 60) min \(two(whole % 60)) s" }
        return "\(whole / 3600) h \(two(whole / 60 % 60)) min"
    }
}

/// Shows progress on standard error.
///
/// A terminal gets one line that is overwritten; other outputs get a new line every few seconds. Programs get one JSON
/// object per line, once a second and at the end; notices have the key `notice`.
public final class ProgressPrinter {
    /// Seconds between two lines if the output is no terminal; the first line is printed at once.
    private static let plainInterval = 5.0
    private static let jsonInterval = 1.0

    private let isTerminal: Bool
    private let isQuiet: Bool
    private let isJSON: Bool
    private let now: () -> Double
    private let write: (String) -> Void
    private var last: Double
    private var shown = ""
    private var pending: Progress?

    /// Creates a printer; `isQuiet` suppresses all output, unless the output is JSON.
    public convenience init(isQuiet: Bool, isJSON: Bool = false) {
        self.init(
            isQuiet: isQuiet && !isJSON, isJSON: isJSON, isTerminal: isatty(2) == 1 && !isJSON, now: Clock.now,
            write: Self.toStandardError)
    }

    init(
        isQuiet: Bool, isJSON: Bool, isTerminal: Bool, now: @escaping () -> Double, write: @escaping (String) -> Void
    ) {
        self.isQuiet = isQuiet
        self.isJSON = isJSON
        self.isTerminal = isTerminal
        self.now = now
        self.write = write
        last = -.infinity
    }

    /// Shows the progress.
    public func show(_ progress: Progress) {
        let line = isJSON ? progress.json.compact : progress.line.visible
        if isQuiet || line == shown { return }
        if isTerminal {
            write("\r\u{1b}[K" + line)
        } else {
            pending = progress
            let time = now()
            guard time - last >= (isJSON ? Self.jsonInterval : Self.plainInterval) else { return }
            last = time
            pending = nil
            write(line + "\n")
        }
        shown = line
    }

    /// Clears the line, so that later output starts at its beginning; JSON output gets the last progress instead.
    public func clear() {
        if isTerminal && !isQuiet && !shown.isEmpty { write("\r\u{1b}[K") }
        if isJSON, let pending { write(pending.json.compact + "\n") }
        pending = nil
        shown = ""
    }

    /// Prints a text that remains above the progress line.
    public func interrupt(with text: String) {
        if isJSON {
            write(JSONValue.object(["notice": .string(text)]).compact + "\n")
        } else {
            clear()
            write(text.visible + "\n")
        }
    }

    private static func toStandardError(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { Platform.write(2, $0.baseAddress, $0.count) }
    }
}
