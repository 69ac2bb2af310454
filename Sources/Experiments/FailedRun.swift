// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Phone
import Quantities
import Recording
import Scenario
import Vocabulary

/// Run that did not finish, with the reason.
public struct FailedRun: Sendable, Equatable {
    /// Run that failed.
    public let run: PlannedRun
    /// Signal that ended its worker; nil when the run reported an error.
    public let signal: Int32?
    /// Error message.
    public let message: String
    /// Last lines of the worker's standard error, written by the program and its libraries.
    public let stderrTail: String
    /// Last text that a policy's own process wrote to its standard error; nil if no such process failed.
    public let policyWords: String?
    /// Number of attempts.
    public let attempts: Int
    /// Event at which the run ended; nil when the event is unknown.
    public let last: RunPosition?

    /// Creates the description of a failure.
    public init(
        run: PlannedRun, signal: Int32?, message: String, stderrTail: String, policyWords: String? = nil,
        attempts: Int = 1, last: RunPosition? = nil
    ) {
        self.run = run
        self.signal = signal
        self.message = message
        self.stderrTail = stderrTail
        self.policyWords = policyWords
        self.attempts = attempts
        self.last = last
    }

    /// Line of `failures.jsonl`; its `command` repeats the run.
    func line(plan: Plan, command: String) -> String {
        JSONValue.object([
            "run": .integer(run.number), "identity": .string(hexadecimal(run.identity)),
            "policy": .string(plan.policies[run.policy].name), "replication": .integer(run.replication),
            "seed": .string(String(plan.seed)), "signal": signal.map { .integer(Int($0)) } ?? .null,
            "message": .string(message), "stderr": .string(stderrTail),
            "policy_wrote": policyWords.map { .string($0) } ?? .null, "attempts": .integer(attempts),
            "last_event": last.map { .integer(Int($0.event)) } ?? .null,
            "last_event_s": last.map { .number($0.time.seconds) } ?? .null,
            "token": .string(run.token(modelVersion: modelVersion)), "command": .string(command),
        ]).compact
    }

    /// Reads a line of `failures.jsonl`.
    init(_ json: JSONValue, of run: PlannedRun) {
        self.init(
            run: run, signal: json["signal"]?.integer.map { Int32(truncatingIfNeeded: $0) },
            message: json["message"]?.string ?? "", stderrTail: json["stderr"]?.string ?? "",
            policyWords: json["policy_wrote"]?.string, attempts: json["attempts"]?.integer ?? 1,
            last: json["last_event"]?.integer.flatMap { event in
                json["last_event_s"]?.number.map {
                    RunPosition(time: .seconds(max(0, $0)), event: UInt64(max(0, event)))
                }
            })
    }

    /// Sentence about the run, the error and the last event.
    public func text(plan: Plan) -> String {
        var words = ["run \(run.number) (\(plan.policies[run.policy].name)"]
        words += zip(plan.axes, plan.points[run.point].values).map { "\($0) \($1)" }
        words.append("replication \(run.replication)")
        words.append("\(run.token(modelVersion: modelVersion))) failed: \(message)")
        var text = words.joined(separator: ", ")
        if let last { text += "; its last event was number \(last.event), at \(last.time.dayAndClock)" }
        let isForeign = !plan.policies[run.policy].code.isEmpty
        if isForeign {
            // A policy's library writes to the worker's standard error, so the text may be the library's.
            let words = policyWords ?? stderrTail
            if let line = words.split(separator: "\n").last {
                text += "\n  the policy wrote: \(ForeignCode.visible(String(line.suffix(300))))"
            }
            return text
        }
        // A trap is already in the message. Without a trap, the last line may explain why the worker was killed.
        if signal != nil, TrapText(stderrTail).text == nil, let last = stderrTail.split(separator: "\n").last {
            text += "\n  \(last)"
        }
        return text
    }
}

/// Failures that are recorded in a directory, for runs that the plan still contains.
public struct RememberedFailures {
    /// File-name ending of the lists of failures that attempts write next to their segments.
    static let ending = ".failures.jsonl"
    /// Name of the list of failures among the tables.
    private static let name = "failures.jsonl"

    /// Failed runs in the order of their numbers, each of them once.
    public let runs: [FailedRun]
    /// Number of unreadable lines.
    public let damagedLines: Int
    /// First file with an unreadable line.
    private let damagedPath: String

    /// Reads `failures.jsonl` and the lists next to the segments.
    ///
    /// A directory without these files has no failures.
    ///
    /// - Throws: `FileError` when such a file exists and cannot be read.
    public init(in directory: ResultDirectory, plan: Plan) throws {
        let own = Self.name
        var lists: [(folder: Folder, name: String)] = []
        if FilePath.exists(directory.path), let home = try ResultLayout.home(of: own, in: directory.folder()) {
            lists.append((home, own))
        }
        if let segments = try directory.segmentFolder() {
            lists += try segments.names().filter { $0.hasSuffix(Self.ending) }.map { (segments, $0) }
        }
        // The table is made only if there is a failure, which is rare.
        lazy var known = Dictionary(
            plan.runs.lazy.map { ($0.identity, $0.number) }, uniquingKeysWith: { first, _ in first })
        var failures: [Int: FailedRun] = [:]
        var damaged: [String] = []
        for (folder, name) in lists {
            let path = name == own ? directory.file(own) : folder.path(name)
            for line in (try folder.bytes(name, upTo: ResultLayout.largestDocument) ?? []).split(separator: 10) {
                guard let json = try? JSONValue(parsing: Array(line)), let text = json["identity"]?.string,
                    let identity = UInt64(text, radix: 16)
                else {
                    damaged.append(path)
                    continue
                }
                if let number = known[identity] { failures[number] = FailedRun(json, of: plan.runs[number]) }
            }
        }
        runs = failures.values.sorted { $0.run.number < $1.run.number }
        damagedLines = damaged.count
        damagedPath = damaged.first ?? directory.file(own)
    }

    /// Writes the failures of an attempt at a shard into a file next to its segments, if there are any.
    static func leave(
        _ failures: [FailedRun], of attempt: ShareName, plan: Plan, in directory: ResultDirectory
    ) throws {
        if failures.isEmpty { return }
        let lines = failures.map {
            $0.line(
                plan: plan, command: "flotsam cluster exec \(shellWord(directory.path)) --runs \($0.run.number)") + "\n"
        }
        let segments = try directory.folder().makeFolder(ResultLayout.segments)
        try segments.replace(attempt.text + ending) { file in try file.write(Array(lines.joined().utf8)) }
    }

    /// Message for the user about unreadable lines; nil when there are none.
    public var damage: String? {
        if damagedLines == 0 { return nil }
        return "\(damagedPath): " + (damagedLines == 1 ? "1 line is" : "\(damagedLines) lines are")
            + " damaged and left out"
    }
}
