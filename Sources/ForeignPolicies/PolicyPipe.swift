// SPDX-License-Identifier: GPL-3.0-or-later
import CPolicies
import Platform
import Vocabulary

/// A program that contains a policy: the words of its command and the folder in which it starts.
struct PolicyCommand: Sendable {
    let words: [String]
    let folder: String

    /// Text of the command, for messages.
    var text: String { words.joined(separator: " ") }
}

/// Connection to the process of a policy, which receives lines and answers with lines.
///
/// The process can neither block the reader forever nor fill its memory. Output of the process is read while lines are
/// written to it. The length and the time of answers are limited. Only the last part of the messages on standard error
/// is kept.
final class PolicyPipe {
    private static let longestTail = 8192
    /// Largest number of characters of the last line that are in the reason of a failure.
    ///
    /// The kept output contains the rest.
    private static let longestLine = 300

    private let name: String
    /// Largest time for an answer, in seconds; nil if there is no limit.
    private let patience: Double?
    /// Smallest limit for the answer to the greeting, in seconds, because a program may start slowly on a busy machine.
    private static let leastForGreeting = 30.0
    private var isGreeted = false
    private var process = policy_process()
    private var received: [UInt8] = []
    private var tail: [UInt8] = []
    private var messagesAreOpen = true

    /// Starts the program.
    init(_ command: PolicyCommand) throws(ForeignPolicyError) {
        name = command.text
        patience = Double(ForeignLimits.seconds)
        // A failed write is reported as an error, which shows that the process has ended.
        _ = signal(SIGPIPE, SIG_IGN)
        var words: [UnsafeMutablePointer<CChar>?] = command.words.map { strdup($0) }
        words.append(nil)
        var code: Int32 = 0
        Offspring.start {
            code = policy_process_start(
                words, command.folder, ForeignLimits.memory, ForeignLimits.fileSize, &process)
            return code == 0 ? process.identifier : 0
        }
        for word in words { free(word) }
        guard code == 0 else {
            throw ForeignPolicyError(
                "the policy \(command.text) does not start: \(String(cString: strerror(code)))",
                hint: "the first word must be a program on the search path or a path relative to \(command.folder)")
        }
    }

    /// Creates a connection to the parent of this process over the standard streams.
    private init(standardStreams name: String) {
        self.name = name
        patience = nil
        process = policy_process(identifier: 0, input: 1, output: 0, messages: -1, end: -1)
        messagesAreOpen = false
        _ = signal(SIGPIPE, SIG_IGN)
    }

    /// Connection to the parent of this process over the standard streams.
    static func standardStreams() -> PolicyPipe { PolicyPipe(standardStreams: "at the other end") }

    deinit { end() }

    /// Ends the process and all processes that it started, and waits for it.
    private func end() {
        guard process.identifier > 0 else { return }
        // Processes may have left the group of the process. They are found as its descendants, or later as orphans of
        // this process.
        Offspring.end(below: process.identifier)
        kill(-process.identifier, SIGKILL)
        kill(process.identifier, SIGKILL)
        for end in [process.input, process.output, process.messages, process.end] where end >= 0 { close(end) }
        while waitpid(process.identifier, nil, 0) < 0 && errno == EINTR {}
        forget()
    }

    /// Forgets a process that has ended, and ends the orphans that it left.
    private func forget() {
        Offspring.release(process.identifier)
        Offspring.endOrphans()
        process.identifier = 0
    }

    /// Last output of the process on its standard error.
    var lastSaid: String { String(decoding: tail, as: UTF8.self) }

    /// Writes lines that have no answer.
    func send(_ lines: [UInt8]) throws(ForeignPolicyError) { try exchange(lines, longest: nil) }

    /// Writes lines and waits for an answer of one line.
    ///
    /// Returns the answer without its line end.
    func ask(_ lines: [UInt8], longest: Int) throws(ForeignPolicyError) -> String {
        received.removeAll(keepingCapacity: true)
        try exchange(lines, longest: longest)
        guard received.last == 10, let text = String(validating: received.dropLast(), as: UTF8.self) else {
            throw failure("gave an answer that is not text")
        }
        isGreeted = true
        return text
    }

    /// Writes all lines.
    ///
    /// If an answer is expected, reads until its line is complete.
    private func exchange(_ lines: [UInt8], longest: Int?) throws(ForeignPolicyError) {
        var sent = 0
        var time = patience.map {
            AnswerTime(isGreeted ? $0 : max($0, Self.leastForGreeting), of: process.identifier)
        }
        var isLastLook = false
        while sent < lines.count || longest != nil {
            let left = min(time?.next() ?? .infinity, 3600)
            // After the limit, there is one more check for output that arrived while this process could not run.
            if left <= 0, isLastLook { throw failure("did not answer within \(Int(time?.limit ?? 0)) s") }
            isLastLook = left <= 0
            var ends = [
                pollfd(fd: sent < lines.count ? process.input : -1, events: Int16(POLLOUT), revents: 0),
                pollfd(fd: longest == nil ? -1 : process.output, events: Int16(POLLIN), revents: 0),
                pollfd(fd: messagesAreOpen ? process.messages : -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: process.identifier > 0 ? process.end : -1, events: Int16(POLLIN), revents: 0),
            ]
            if poll(&ends, 4, isLastLook ? 0 : Int32(left * 1000) + 1) < 0 && errno != EINTR { continue }
            if ends[2].revents != 0 { readMessages() }
            if ends[0].revents != 0 {
                let count = lines[sent...].withUnsafeBytes { write(process.input, $0.baseAddress, $0.count) }
                if count > 0 { sent += count } else if errno != EAGAIN && errno != EINTR { throw ended() }
            }
            // A child of the process may keep the pipes open, so the end of the process, not of the pipe, ends the
            // output.
            let hasEnded = ends[3].revents != 0
            if hasEnded, longest == nil { throw ended() }
            guard let longest, hasEnded || ends[1].revents != 0 else { continue }
            let before = received.count
            guard readAnswer(), !hasEnded || received.count > before else { throw ended() }
            guard received.count <= longest else { throw failure("answered with more than \(longest) bytes") }
            if let end = received.firstIndex(of: 10) {
                guard end == received.count - 1 else { throw failure("answered with more than one line") }
                guard sent == lines.count else { throw failure("answered before the question was complete") }
                return
            }
        }
    }

    /// Reads the available part of an answer.
    ///
    /// Returns false at the end of the output.
    private func readAnswer() -> Bool {
        var block = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(process.output, &block, block.count)
        if count > 0 { received += block[..<count] }
        return count > 0 || count < 0 && (errno == EAGAIN || errno == EINTR)
    }

    private func readMessages() {
        var block = [UInt8](repeating: 0, count: 4096)
        let count = read(process.messages, &block, block.count)
        if count == 0 || count < 0 && errno != EAGAIN && errno != EINTR { messagesAreOpen = false }
        guard count > 0 else { return }
        tail += block[..<count]
        if tail.count > Self.longestTail { tail.removeFirst(tail.count - Self.longestTail) }
    }

    /// Error for a process that has ended or closed its pipes, with the last line of its output.
    private func ended() -> ForeignPolicyError {
        guard process.identifier > 0 else { return failure("has gone") }
        let start = AnswerTime.now()
        var status: Int32 = 0
        var gone: pid_t = 0
        while AnswerTime.now() - start < 1, gone == 0 {
            gone = waitpid(process.identifier, &status, WNOHANG)
            var end = pollfd(fd: messagesAreOpen ? process.messages : -1, events: Int16(POLLIN), revents: 0)
            if poll(&end, 1, gone == 0 ? 20 : 0) > 0 { readMessages() }
        }
        guard gone > 0 else { return failure("closed its standard output") }
        // The process's last output is still in the pipe. Later output is from its children and is ignored.
        for _ in 0..<(Self.longestTail / 4096 * 8) where messagesAreOpen {
            var end = pollfd(fd: process.messages, events: Int16(POLLIN), revents: 0)
            if poll(&end, 1, 0) <= 0 { break }
            readMessages()
        }
        kill(-process.identifier, SIGKILL)
        for end in [process.input, process.output, process.messages, process.end] where end >= 0 { close(end) }
        forget()
        let signal = status & 0x7f
        let how =
            signal == 0
            ? "ended with exit code \((status >> 8) & 0xff)"
            : "died of signal \(signal) (\(String(cString: strsignal(signal))))"
        return failure(how)
    }

    func failure(_ what: String) -> ForeignPolicyError {
        let line = lastSaid.split(separator: "\n").last.map { String($0.suffix(Self.longestLine)) }
        let last = line.map { "; its last line: \(ForeignCode.visible($0))" } ?? ""
        return ForeignPolicyError("the policy \(name) \(what)\(last)")
    }
}
