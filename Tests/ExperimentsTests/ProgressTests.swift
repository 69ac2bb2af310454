// SPDX-License-Identifier: GPL-3.0-or-later
import Recording
import Testing

@testable import Experiments

@Suite struct ProgressTests {
    /// What a printer writes, with a clock that is set by hand.
    private final class Screen {
        var text: [String] = []
        var time = 100.0

        func printer(isQuiet: Bool = false, isJSON: Bool = false, isTerminal: Bool = false) -> ProgressPrinter {
            ProgressPrinter(
                isQuiet: isQuiet, isJSON: isJSON, isTerminal: isTerminal, now: { self.time },
                write: { self.text.append($0) })
        }
    }

    private func state(_ done: Int, failed: Int = 0, left: Double? = nil) -> Progress {
        Progress(total: 12, done: done, failed: failed, secondsLeft: left)
    }

    @Test func `programs get an object a line, once a second and at the end`() throws {
        let screen = Screen()
        let printer = screen.printer(isJSON: true)
        printer.show(state(1))
        screen.time += 0.5
        printer.show(state(2))
        screen.time += 0.5
        printer.show(state(3, failed: 1, left: 41.26))
        screen.time += 0.1
        printer.show(state(12))
        printer.interrupt(with: "run 3 \"failed\"")
        printer.clear()
        printer.clear()
        #expect(screen.text.allSatisfy { $0.hasSuffix("\n") && !$0.dropLast().contains("\n") })
        let lines = try screen.text.map { try JSONValue(parsing: Array($0.utf8)) }
        #expect(lines.map { $0["done"]?.integer } == [1, 3, nil, 12])
        #expect(lines[1]["runs"]?.integer == 12 && lines[1]["failed"]?.integer == 1)
        #expect(lines[1]["seconds_left"]?.number == 41.3 && lines[0]["seconds_left"] == .null)
        #expect(lines[2]["notice"]?.string == "run 3 \"failed\"")
    }

    @Test func `people get a line at once and every five seconds, or one that is overwritten on a terminal`() {
        let screen = Screen()
        let printer = screen.printer()
        for _ in 0..<25 {
            screen.time += 1
            printer.show(state(Int(screen.time) - 100, left: 61))
        }
        printer.clear()
        #expect(screen.text == [1, 6, 11, 16, 21].map { "\($0)/12 runs, 1 min 01 s left\n" })
        let terminal = Screen()
        let overwriting = terminal.printer(isTerminal: true)
        overwriting.show(state(1))
        overwriting.show(state(1))
        overwriting.interrupt(with: "careful")
        #expect(terminal.text == ["\r\u{1b}[K1/12 runs", "\r\u{1b}[K", "careful\n"])
    }

    @Test func `a quiet one says no more than what has to stay`() {
        let screen = Screen()
        let printer = screen.printer(isQuiet: true, isTerminal: true)
        printer.show(state(1))
        printer.interrupt(with: "careful")
        printer.clear()
        #expect(screen.text == ["careful\n"])
    }
}
