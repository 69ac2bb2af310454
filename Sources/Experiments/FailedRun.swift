// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Recording

/// A run that did not finish, and why.
public struct FailedRun: Sendable, Equatable {
    /// The run.
    public let run: PlannedRun
    /// The signal that ended its worker; nil when the run reported an error.
    public let signal: Int32?
    /// What went wrong.
    public let message: String
    /// The last lines of the worker's standard error.
    public let stderrTail: String

    /// Describes a failure.
    public init(run: PlannedRun, signal: Int32?, message: String, stderrTail: String) {
        self.run = run
        self.signal = signal
        self.message = message
        self.stderrTail = stderrTail
    }

    /// The line of `failures.jsonl`.
    func line(plan: Plan, command: String) -> String {
        JSONValue.object([
            "run": .integer(run.number), "identity": .string(hexadecimal(run.identity)),
            "policy": .string(plan.policies[run.policy].name), "replication": .integer(run.replication),
            "seed": .string(String(plan.seed)), "signal": signal.map { .integer(Int($0)) } ?? .null,
            "message": .string(message), "stderr": .string(stderrTail), "command": .string(command),
        ]).compact
    }
}

/// The failures that a directory remembers, of runs that a plan still knows.
public struct RememberedFailures {
    /// The runs.
    public let runs: [FailedRun]
    /// Lines of the file that nobody can read.
    public let damagedLines: Int
    private let path: String

    /// Reads `failures.jsonl`; a directory without one remembers none.
    ///
    /// - Throws: `FileError` when it is there and cannot be read.
    public init(in directory: ResultDirectory, plan: Plan) throws {
        path = directory.file("failures.jsonl")
        let known = Dictionary(
            plan.runs.map { (hexadecimal($0.identity), $0) }, uniquingKeysWith: { first, _ in first })
        var runs: [FailedRun] = []
        var damagedLines = 0
        let bytes = FilePath.exists(path) ? try readFile(path) : []
        for line in bytes.split(separator: 10) {
            guard let json = try? JSONValue(parsing: Array(line)), let identity = json["identity"]?.string else {
                damagedLines += 1
                continue
            }
            guard let run = known[identity] else { continue }
            runs.append(
                FailedRun(
                    run: run, signal: json["signal"]?.integer.map { Int32(truncatingIfNeeded: $0) },
                    message: json["message"]?.string ?? "", stderrTail: json["stderr"]?.string ?? ""))
        }
        self.runs = runs
        self.damagedLines = damagedLines
    }

    /// What is lost of the file, for the user; nil when nothing is.
    public var damage: String? {
        if damagedLines == 0 { return nil }
        return "\(path): " + (damagedLines == 1 ? "1 line is" : "\(damagedLines) lines are") + " damaged and left out"
    }
}
