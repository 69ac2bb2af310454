// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Files
import Platform

/// Prints results to standard output, and diagnostics and progress to standard error.
///
/// Outputs may contain names and texts from other authors. Control characters in them are therefore made visible here,
/// once for each output. The remaining control characters come from this program.
enum Console {
    /// Prints results; returns the exit code, which is an error if they could not be written.
    ///
    /// - Parameter isColored: Whether the program has added colours to the text.
    @discardableResult
    static func out(_ text: String, isColored: Bool = false) -> Int32 {
        if put(clean(text, isColored: isColored), to: 1) { return ExitCode.ok }
        diagnose("error: cannot write to standard output: \(String(cString: strerror(errno)))\n")
        return ExitCode.output
    }

    /// Prints to standard error: warnings, errors, hints, notes.
    static func diagnose(_ text: String) { _ = put(named(text.visible), to: 2) }

    /// Prints problems to standard error, in colours on a terminal that supports them.
    static func diagnose(_ problems: Diagnostics) {
        // The rendered text is already visible, except for its colours.
        _ = put(named(problems.rendered(isColored: wantsColor(on: 2))), to: 2)
    }

    /// Prints remarks of one kind, each on a line; for many remarks, prints the first ones and the number of the
    /// others.
    static func diagnose(_ prefix: String, each remarks: [String]) {
        for remark in remarks.prefix(Diagnostics.mostKept) { diagnose(prefix + remark.shortened + "\n") }
        let more = remarks.count - Diagnostics.mostKept
        if more > 0 { diagnose("\(prefix)and \(more) more\n") }
    }

    /// Colours of results.
    enum Colour: String, CaseIterable {
        case red = "\u{1b}[31m"
        case green = "\u{1b}[32m"
        case none = "\u{1b}[0m"
    }

    /// Text with control characters made visible, except for the program's own colours.
    static func clean(_ text: String, isColored: Bool) -> String {
        var clean = text.visible
        guard isColored else { return clean }
        for colour in Colour.allCases { clean.replace(colour.rawValue.visible, with: colour.rawValue) }
        return clean
    }

    /// Text in which this program's commands are spelled as the user's shell finds them.
    ///
    /// Only `flotsam VERB` is a command, because the project and the user's files may also be named `flotsam`.
    static func named(_ text: String) -> String {
        let word = FilePath.programWord
        guard word != "flotsam", text.contains("flotsam ") else { return text }
        var result = ""
        var rest = text[...]
        while let found = rest.firstRange(of: "flotsam ") {
            let before = rest[..<found.lowerBound].last ?? " "
            let verb = rest[found.upperBound...].prefix { $0.isLetter || $0 == "-" }
            let isApart = !before.isLetter && !"/-.".contains(before)
            let isCommand =
                isApart && (Commands.all.contains { $0.name == verb } || Commands.renamed[String(verb)] != nil)
            result += rest[..<found.lowerBound] + (isCommand ? word + " " : "flotsam ")
            rest = rest[found.upperBound...]
        }
        return result + rest
    }

    /// Whether a stream is a terminal on which colours are wanted (no-color.org).
    static func wantsColor(on stream: Int32) -> Bool {
        isatty(stream) == 1 && FilePath.environment("NO_COLOR") == nil
    }

    /// Columns and lines of the terminal on standard output; nil without a terminal.
    static var terminal: (columns: Int, lines: Int)? {
        guard isatty(1) == 1 else { return nil }
        var size = winsize()
        guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return (80, 24) }
        return (max(20, Int(size.ws_col)), max(2, Int(size.ws_row)))
    }

    /// Largest width of a table in columns, from the terminal or `COLUMNS`; nil without a limit.
    static var width: Int? {
        FilePath.environment("COLUMNS").flatMap { Int($0) }.map { max(20, $0) } ?? terminal?.columns
    }

    /// Prints results that may be longer than a screen: on a terminal through `$PAGER`, or through `less` if
    /// installed.
    static func page(_ text: String) -> Int32 {
        let pager = FilePath.environment("PAGER") ?? (FilePath.onSearchPath("less") == nil ? "cat" : "less -FRX")
        guard let terminal, text.count(where: { $0 == "\n" }) >= terminal.lines, pager != "cat",
            let pipe = popen(pager, "w")
        else { return out(text) }
        // A user who leaves the pager early has seen enough.
        signal(SIGPIPE, SIG_IGN)
        fputs(text.visible, pipe)
        pclose(pipe)
        return ExitCode.ok
    }

    private static func put(_ text: String, to descriptor: Int32) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var done = 0
            while done < bytes.count, let base = bytes.baseAddress {
                let count = write(descriptor, base + done, bytes.count - done)
                if count < 0 && errno == EINTR { continue }
                if count <= 0 { return errno == EPIPE }
                done += count
            }
            return true
        }
    }
}
