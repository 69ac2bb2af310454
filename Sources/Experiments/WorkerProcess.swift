// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import ForeignPolicies
import Phone
import Platform
import Recording

/// Command that starts a worker: this program, with a verb that the help does not list.
public struct WorkerCommand: Sendable {
    /// Path of the program; by default that of the running program, even if its file was replaced since.
    public var program: String
    /// Arguments after the program's name; the path of the segment is added.
    public var arguments: [String]
    /// Text that the worker inherits; nil if there is none.
    public var text: InheritedText?
    /// Build of the program, which its records contain.
    public var build: UInt64

    /// Creates a command.
    public init(program: String = OperatingSystem.program, arguments: [String], text: InheritedText? = nil) {
        self.program = program
        self.arguments = arguments
        self.text = text
        build = program == OperatingSystem.program ? Build.current : Build.identity(ofProgram: program)
    }
}

/// Worker from the coordinator's side: a process, a pipe for its input and two pipes for its output.
final class WorkerProcess {
    private static let longestTail = 8192
    /// Largest number of bytes that are read from one worker before the others are read.
    private static let mostAtOnce = 1 << 20

    let identifier: pid_t
    /// Pipe of the worker's answers, with one answer per line.
    let answers: Int32
    /// Pipe of the worker's standard error.
    let complaints: Int32
    /// Descriptor that is readable when the worker has ended, even if a child keeps its pipes open.
    ///
    /// The value is -1 if the system has no such descriptor.
    let end: Int32
    private(set) var run: PlannedRun?
    var isReady = false
    /// Whether the worker waits for further runs without a time limit.
    var isResting = false
    /// Whether the worker has closed the pipe of its answers.
    private(set) var hasClosed = false
    private(set) var complainsNoMore = false
    /// Whether the worker has ended and its status was collected.
    var isGone = false
    /// Duration of the current step so far, in seconds; steps are the start, a run and the end.
    var busy = 0.0
    /// Reason for which the coordinator ended the worker; nil when it did not end it.
    private(set) var verdict: String?
    /// Reason that the worker reported before it ended itself.
    private(set) var ownReason: String?
    /// Last output of the policy's own process, if it made the worker end itself.
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

    /// Last lines of the worker's standard error.
    var stderrTail: String { String(decoding: tail, as: UTF8.self) }

    /// Records lines in which a worker reports why it ends itself; other lines are ignored.
    func hear(_ answer: String) {
        let words = answer.split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2, run != nil else { return }
        switch words[0] {
        case PolicyFailure.marks.reason: ownReason = words[1]
        case PolicyFailure.marks.words: policyWords = (try? JSONValue(parsing: Array(words[1].utf8)))?.string
        default: return
        }
    }

    /// Gives the worker a run.
    ///
    /// If the worker has ended, its closed pipe shows this later.
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

    /// Kills the worker at once and keeps the reason; the worker's unfinished run is ignored.
    func destroy(because reason: String) {
        verdict = verdict ?? reason
        kill(identifier, SIGKILL)
    }

    /// Position that the worker's run has reached; nil before the first event.
    var lastEvent: RunPosition? { page.map(\.position).flatMap { $0.event > 0 ? $0 : nil } }

    private func send(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = bytes.withUnsafeBytes { write(feed, $0.baseAddress, $0.count) }
    }

    /// Returns the worker's run, which is finished or failed, and removes it from the worker.
    func takeRun() -> PlannedRun? {
        defer { run = nil }
        return run
    }

    /// Answers since the last call, one per line.
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

    /// Reads available bytes of the worker's standard error.
    func readComplaints() {
        guard let bytes = Self.readSome(complaints) else {
            complainsNoMore = true
            return
        }
        tail += bytes
        if tail.count > Self.longestTail { tail.removeFirst(tail.count - Self.longestTail) }
    }

    /// Kills a worker that continues after it has closed the pipe of its answers.
    func endAfterClosing() {
        var watched = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
        if end >= 0, poll(&watched, 1, 1000) == 0 { destroy(because: "the worker closed the pipe for its answers") }
    }

    /// Waits until the worker has ended, and ends its children.
    ///
    /// - Returns: the signal that ended the worker, or 0 and the exit code.
    func wait() -> (signal: Int32, code: Int32) {
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
        Offspring.release(identifier)
        Offspring.endOrphans()
        // The children have ended, so only output that is already available is read.
        for _ in 0..<(Self.mostAtOnce / 4096) where !complainsNoMore {
            var watched = pollfd(fd: complaints, events: Int16(POLLIN), revents: 0)
            if poll(&watched, 1, 0) <= 0 { break }
            readComplaints()
        }
        let signal = status & 0x7f
        return (signal, signal == 0 ? (status >> 8) & 0xff : 0)
    }

    /// Available bytes; empty if there are none, nil at the end of the pipe.
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

    /// Environment of this process.
    ///
    /// The setting for backtraces of traps (`TrapText`) is added unless the user set one.
    private static func environment() -> [String] {
        var variables = OperatingSystem.environment
        if !variables.contains(where: { $0.hasPrefix("SWIFT_BACKTRACE=") }) {
            variables.append(TrapText.environment)
        }
        return variables
    }
}
