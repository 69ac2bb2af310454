// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import ForeignPolicies
import Phone
import Platform
import Recording

/// Command that starts a worker: this program with a hidden verb.
public struct WorkerCommand: Sendable {
    /// Path of the program; by default the running program, even if its file was replaced.
    public var program: String
    /// Arguments after the program's name; the segment's path is added at the end.
    public var arguments: [String]
    /// Text that the worker inherits; nil for none.
    public var text: InheritedText?
    /// Build of the program, which is written into its records.
    public var build: UInt64

    /// Creates a command.
    public init(program: String = OperatingSystem.program, arguments: [String], text: InheritedText? = nil) {
        self.program = program
        self.arguments = arguments
        self.text = text
        build = program == OperatingSystem.program ? Build.current : Build.identity(ofProgram: program)
    }
}

/// Worker as the coordinator sees it: a process, a pipe for its input and two pipes for its output.
final class WorkerProcess {
    private static let longestTail = 8192
    /// Number of bytes that are read from one worker before the others are read.
    private static let mostAtOnce = 1 << 20

    let identifier: pid_t
    /// Pipe of the worker's answers, one a line.
    let answers: Int32
    /// Pipe of the worker's standard error.
    let complaints: Int32
    /// Descriptor that is readable when the worker has ended, even if a child keeps its pipes open; -1 where the
    /// system
    /// has no such descriptor.
    let end: Int32
    private(set) var run: PlannedRun?
    var isReady = false
    /// Whether the worker waits for more runs without a time limit.
    var isResting = false
    /// Whether the worker has closed its answers and its standard error.
    private(set) var hasClosed = false
    private(set) var complainsNoMore = false
    /// Whether the worker has ended and its status was collected.
    var isGone = false
    /// Seconds that the current step has taken: starting, its run, or ending.
    var busy = 0.0
    /// Reason why the coordinator ended the worker; nil when it did not.
    private(set) var verdict: String?
    /// Reason that the worker gave before it ended itself, and the last output of the policy that caused it.
    private(set) var ownReason: String?
    private(set) var policyWords: String?
    /// Time at which the worker received its run.
    private(set) var began = Clock.now()
    private let page = SharedPosition()
    private let feed: Int32
    private var unfinishedLine: [UInt8] = []
    private var tail: [UInt8] = []

    init(_ command: WorkerCommand, segment: String) throws(FileError) {
        let toWorker = try Self.makePipe()
        let fromWorker = try Self.makePipe()
        let errors = try Self.makePipe()
        var descriptors: [(own: Int32, its: Int32)] = [(toWorker.read, 0), (fromWorker.write, 1), (errors.write, 2)]
        if let page { descriptors.append((page.file, SharedPosition.descriptor)) }
        if let text = command.text { descriptors.append((text.file, InheritedText.descriptor)) }
        let words = [CommandLine.arguments.first ?? "flotsam"] + command.arguments + [segment]
        var identifier = pid_t()
        var code: Int32 = 0
        Offspring.start {
            (code, identifier) = OperatingSystem.spawn(
                command.program, words, environment: Self.environment(), descriptors: descriptors)
            return identifier
        }
        for end in [toWorker.read, fromWorker.write, errors.write] { close(end) }
        page?.closeFile()
        self.identifier = identifier
        feed = toWorker.write
        answers = fromWorker.read
        complaints = errors.read
        end = code == 0 ? Offspring.watch(identifier) : -1
        for pipe in [answers, complaints] { _ = fcntl(pipe, F_SETFL, O_NONBLOCK) }
        guard code == 0 else { throw FileError(action: "start a worker", path: command.program, code: code) }
    }

    deinit {
        close(feed)
        close(answers)
        close(complaints)
        if end >= 0 { close(end) }
    }

    /// Last lines of its standard error.
    var stderrTail: String { String(decoding: tail, as: UTF8.self) }

    /// Records the lines that a worker writes before it ends itself; other lines are ignored.
    func hear(_ answer: String) {
        let words = answer.split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2, run != nil else { return }
        switch words[0] {
        case PolicyFailure.marks.reason: ownReason = words[1]
        case PolicyFailure.marks.words: policyWords = (try? JSONValue(parsing: Array(words[1].utf8)))?.string
        default: return
        }
    }

    /// Gives the worker a run; if the worker is gone, the end of its answers shows that later.
    func start(_ run: PlannedRun) {
        self.run = run
        isResting = false
        busy = 0
        began = Clock.now()
        send(String(run.number))
    }

    /// Dismisses the worker, which then ends.
    func dismiss() {
        isResting = false
        busy = 0
        send(WorkerLoop.end)
    }

    /// Ends the worker at once and keeps the reason; its unfinished run is ignored.
    func destroy(because reason: String) {
        verdict = verdict ?? reason
        kill(identifier, SIGKILL)
    }

    /// Event that its run has reached; nil before the first.
    var lastEvent: RunPosition? { page.map(\.position).flatMap { $0.event > 0 ? $0 : nil } }

    private func send(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = bytes.withUnsafeBytes { write(feed, $0.baseAddress, $0.count) }
    }

    /// Takes the run back, because it is finished or failed.
    func takeRun() -> PlannedRun? {
        defer { run = nil }
        return run
    }

    /// Answers since the last call, one a line.
    func takeAnswers() -> [String] {
        var count = 0
        while count < Self.mostAtOnce, !hasClosed {
            guard let bytes = Self.readSome(answers) else {
                hasClosed = true
                break
            }
            if bytes.isEmpty { break }
            count += bytes.count
            unfinishedLine += bytes
        }
        var lines = unfinishedLine.split(separator: 10, omittingEmptySubsequences: false)
        unfinishedLine = Array(lines.removeLast())
        return lines.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Reads the standard error of the worker.
    func readComplaints() {
        guard let bytes = Self.readSome(complaints) else {
            complainsNoMore = true
            return
        }
        tail += bytes
        if tail.count > Self.longestTail { tail.removeFirst(tail.count - Self.longestTail) }
    }

    /// Ends a worker that continues after it has closed its answers.
    func endAfterClosing() {
        var watched = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
        if end >= 0, poll(&watched, 1, 1000) == 0 { destroy(because: "the worker closed the pipe for its answers") }
    }

    /// Waits for the worker's end and ends its children; returns the signal that ended it, or 0 and its exit code.
    func wait() -> (signal: Int32, code: Int32) {
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
        Offspring.release(identifier)
        Offspring.endOrphans()
        // The children have ended; their remaining output is not awaited.
        for _ in 0..<(Self.mostAtOnce / 4096) where !complainsNoMore {
            var watched = pollfd(fd: complaints, events: Int16(POLLIN), revents: 0)
            if poll(&watched, 1, 0) <= 0 { break }
            readComplaints()
        }
        let signal = status & 0x7f
        return (signal, signal == 0 ? (status >> 8) & 0xff : 0)
    }

    /// Available bytes; empty where there are none, nil at the end.
    private static func readSome(_ descriptor: Int32) -> [UInt8]? {
        var block = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor, &block, block.count)
            if count > 0 { return Array(block[..<count]) }
            if count < 0 && errno == EINTR { continue }
            return count < 0 && errno == EAGAIN ? [] : nil
        }
    }

    private static func makePipe() throws(FileError) -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw FileError(action: "create a pipe", path: "worker", code: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Environment of this process, with the setting for backtraces of traps (`TrapText`), unless the user set that
    /// otherwise.
    private static func environment() -> [String] {
        var variables = OperatingSystem.environment
        if !variables.contains(where: { $0.hasPrefix("SWIFT_BACKTRACE=") }) {
            variables.append(TrapText.environment)
        }
        return variables
    }
}
