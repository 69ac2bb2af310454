// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// How far a session is.
public struct Progress: Sendable, Equatable {
    /// Runs of the plan.
    public var total: Int
    /// Runs done, earlier sessions included.
    public var done: Int
    /// Runs that failed in this session.
    public var failed: Int
    /// Seconds left as far as one can tell; nil before the first run is done.
    public var secondsLeft: Double?

    /// The line the user sees.
    public var line: String {
        var text = "\(done)/\(total) runs"
        if failed > 0 { text += ", \(failed) failed" }
        if let secondsLeft { text += ", \(Self.duration(secondsLeft)) left" }
        return text
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

/// Shows progress on standard error: one line that is overwritten on a terminal, plain lines now and then otherwise.
public final class ProgressPrinter {
    private static let plainInterval = 10.0

    private let isTerminal = isatty(2) == 1
    private let isQuiet: Bool
    private var lastPlain = Clock.now()
    private var shown = ""

    /// Creates a printer; a quiet one says nothing.
    public init(isQuiet: Bool) { self.isQuiet = isQuiet }

    /// Shows a state.
    public func show(_ progress: Progress) {
        let line = progress.line
        if isQuiet || line == shown { return }
        if isTerminal {
            say("\r\u{1b}[K" + line)
        } else {
            guard Clock.now() - lastPlain >= Self.plainInterval else { return }
            lastPlain = Clock.now()
            say(line + "\n")
        }
        shown = line
    }

    /// Clears the line, so that what follows begins at its start.
    public func clear() {
        if isTerminal && !isQuiet && !shown.isEmpty { say("\r\u{1b}[K") }
        shown = ""
    }

    /// Says something that stays, above the line.
    public func interrupt(with text: String) {
        clear()
        say(text + "\n")
    }

    private func say(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
    }
}
