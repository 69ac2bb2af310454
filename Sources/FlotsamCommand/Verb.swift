// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import Glibc
import Vocabulary

/// The exit codes of the contract.
enum ExitCode {
    static let ok: Int32 = 0
    static let usage: Int32 = 1
    static let missed: Int32 = 2
    static let output: Int32 = 3
    static let nonDeterminism: Int32 = 4
}

/// What every verb may use.
struct Setting {
    /// The policies that experiments may name.
    let policies: PolicyCatalog
}

/// One verb of the command line.
protocol Verb {
    /// The word the user types.
    static var name: String { get }
    /// What it does, without a full stop.
    static var summary: String { get }
    /// A command line that works.
    static var example: String { get }
    /// Does it; returns the exit code.
    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32
}

extension ArgumentReader {
    /// The exit code when there is nothing more to do: help was asked for, or something is wrong.
    ///
    /// Call it when everything has been read.
    func settled() -> Int32? {
        if wantsHelp { return Console.out(help) }
        if let problem {
            Console.diagnose(problem)
            return ExitCode.usage
        }
        return nil
    }
}

extension ArgumentReader {
    /// The option that says whether verdicts have colours; without it they do on a terminal, unless NO_COLOR is set.
    func color() -> Bool {
        let when = option("--color", value: "WHEN", help: "Colour verdicts: always, never or auto", default: "auto")
        if !["always", "never", "auto"].contains(when) {
            report("--color expects always, never or auto, found \(when)")
        }
        return when == "always" || when == "auto" && Console.wantsColor
    }
}

/// Results go to standard output, diagnostics and progress to standard error.
enum Console {
    /// Prints results; returns the exit code, which tells when they could not be written.
    @discardableResult
    static func out(_ text: String) -> Int32 {
        if put(text, to: 1) { return ExitCode.ok }
        diagnose("error: cannot write to standard output: \(String(cString: strerror(errno)))\n")
        return ExitCode.output
    }

    /// Prints to standard error: warnings, errors, hints, notes.
    static func diagnose(_ text: String) { _ = put(text, to: 2) }

    /// Whether standard output is a terminal that wants colour (no-color.org).
    fileprivate static var wantsColor: Bool {
        let isSet = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
        return isatty(1) == 1 && !isSet
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
