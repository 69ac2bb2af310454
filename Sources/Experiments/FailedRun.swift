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

    /// The failures a directory remembers, of runs that the plan still knows.
    public static func remembered(in directory: ResultDirectory, plan: Plan) -> [FailedRun] {
        guard let bytes = try? readFile(directory.file("failures.jsonl")) else { return [] }
        let runs = Dictionary(plan.runs.map { (hexadecimal($0.identity), $0) }, uniquingKeysWith: { first, _ in first })
        return bytes.split(separator: 10).compactMap { line in
            guard let json = try? JSONValue(parsing: Array(line)), let identity = json["identity"]?.string,
                let run = runs[identity]
            else { return nil }
            return FailedRun(
                run: run, signal: json["signal"]?.integer.map { Int32(truncatingIfNeeded: $0) },
                message: json["message"]?.string ?? "", stderrTail: json["stderr"]?.string ?? "")
        }
    }
}
