// SPDX-License-Identifier: GPL-3.0-or-later
import EvictionPolicies
import Quantities
import SchedulingPolicies
import Testing
import Vocabulary

@testable import ForeignPolicies

/// Policies in processes, by Python without any package.
@Suite struct ProcessTests {
    private let foreign = ForeignPolicies.open

    static let head = "from flotsam_policy import *\n\n"

    @Test func `the examples in Python answer as the built-in policies do`() throws {
        let workshop = try Workshop()
        for (name, builtIn) in [("lru", LeastRecentlyUsed.entry), ("jetsam", Jetsam.entry)] {
            try workshop.example(name + ".py")
            let code = ForeignCode.process(words: ["python3", name + ".py"], folder: workshop.home, reads: [])
            let policy = try foreign.eviction(code)
            #expect(policy.files == [workshop.path(name + ".py")])
            #expect(policy.entry.descriptor.name == "python-" + name)
            var mine = policy.entry.make(PolicyArguments(values: [], seed: 1))
            var theirs = builtIn.make(PolicyArguments(values: [], seed: 1))
            var second = candidate
            (second.band, second.lastForeground) = (0, .seconds(46.125))
            #expect(mine.ranksTogether)
            #expect(
                mine.ranks(of: [candidate, second], at: .zero) == theirs.ranks(of: [candidate, second], at: .zero))
            #expect(mine.rank(second, at: .zero) == theirs.rank(second, at: .zero))
        }
        try workshop.example("periodic.py")
        let code = ForeignCode.process(words: ["python3", "periodic.py"], folder: workshop.home, reads: [])
        let entry = try foreign.scheduling(code).entry
        let parameter = try #require(entry.descriptor.parameters.first)
        #expect(parameter.name == "every" && parameter.dimension == .duration && parameter.range == 1...604_800)
        #expect(parameter.defaultValue == 900)
        var mine = entry.make(PolicyArguments(values: [240], seed: 1))
        let early = mine.decide(request, DeviceConditions(now: .seconds(299)))
        #expect(!early.proceed && early.rule == .rateLimit && early.reconsider == .seconds(300) && early.score == 0)
        let late = mine.decide(request, DeviceConditions(now: .seconds(300)))
        #expect(late.proceed && late.rule == .immediate && late.score == 1 && late.reconsider == .distantFuture)
    }

    @Test func `a process sees every field, the future only as an oracle, and its answer arrives whole`() throws {
        let workshop = try Workshop()
        let text =
            Self.head + """
                class Mine(SchedulingPolicy):
                    rules = [Rule("one", "one held"), Rule("two", "two held")]
                    is_oracle = ORACLE
                    def decide(self, r, d):
                        expected = Request(9, "refresh", 100 * SECOND, 200 * SECOND, 9000 * SECOND, False, True,
                            30 * SECOND, 60 * SECOND, 0.25, 5000, 8 * SECOND, 0, 0, NEXT)
                        device = Device(300 * SECOND, 0.1, False, "wifi", False, False, True, 0, 0, False, 0, 0.0, 1,
                            False, 0, 0, 1.0, 0.75)
                        assert r == expected, r
                        assert d == device, d
                        return wait("two", until=400 * SECOND, on=["plugged-in", "camera-stopped"], score=0.5,
                            threshold=0.625)
                serve(Mine)
                """
        for (oracle, next) in [("False", "None"), ("True", "500 * SECOND")] {
            let code = try workshop.process(
                "all.py", text.replacing("ORACLE", with: oracle).replacing("NEXT", with: next))
            let entry = try foreign.scheduling(code).entry
            var policy = entry.make(PolicyArguments(values: [], seed: 1))
            var view = request
            view.nextOpen = .seconds(500)
            var device = DeviceConditions(now: .seconds(300))
            (device.batteryLevel, device.network, device.pressure) = (0.1, .wifi, .warning)
            device.cellularBudgetLeft = 0.75
            let answer = policy.decide(view, device)
            #expect(!answer.proceed && answer.score == 0.5 && answer.threshold == 0.625)
            #expect(answer.ownRule == 1 && answer.reconsider == .seconds(400))
            #expect(answer.wakeOn == [.pluggedIn, .cameraStopped])
        }
    }

    @Test func `what happened comes with the next question, in its order, and only what is asked for`() throws {
        let workshop = try Workshop()
        let code = try workshop.process(
            "hears.py",
            Self.head + """
                class Hears(EvictionPolicy):
                    parameters = [Parameter("cost-of", "choice", "energy", ("time", "energy"), "what counts"),
                        Parameter("half", "fraction", 0.5, (0, 1), "a share")]
                    rank_lifetime = 0
                    replaces_trigger = True
                    def start(self):
                        self.heard = ""
                    def did_open(self, app, now):
                        self.heard += f"o{app}@{now} "
                    def did_evict(self, candidate, now):
                        self.heard += f"e{candidate.app}@{now} "
                    def rank(self, candidate, now):
                        print("this goes to standard error")
                        same = self.heard == "o3@1 e7@2 o4@3 " and self.cost_of == "time" and self.half == 0.25
                        return self.seed if same else -1
                    def highest_rank_to_die(self, memory, now):
                        return None if memory.free > 400 << 20 else memory.refaulted >> 20
                serve(Hears)
                """)
        let entry = try foreign.eviction(code).entry
        #expect(entry.descriptor.parameters.map(\.defaultValue) == [1, 0.5])
        #expect(entry.descriptor.replacesTrigger)
        var policy = entry.make(PolicyArguments(values: [0, 0.25], seed: 77))
        #expect(policy.rankLifetime == .zero && policy.replacesTrigger)
        policy.didOpen(AppID(3), at: SimTime(nanoseconds: 1))
        policy.didEvict(candidate, at: SimTime(nanoseconds: 2))
        policy.didOpen(AppID(4), at: SimTime(nanoseconds: 3))
        policy.survey([candidate], at: .zero)
        #expect(policy.ranks(of: [candidate, candidate], at: .zero) == [77, 77])
        #expect(policy.highestRankToDie(memory, at: .zero) == 5)
        var roomy = memory
        roomy.free = .mebibytes(500)
        #expect(policy.highestRankToDie(roomy, at: .zero) == nil)
        #expect(policy.ranks(of: [], at: .zero).isEmpty)
    }

    @Test func `news without end goes without a question, and a large question does not stop anybody`() throws {
        let workshop = try Workshop()
        let code = try workshop.process(
            "counts.py",
            Self.head + """
                class Counts(EvictionPolicy):
                    heard = 0
                    def did_open(self, app, now):
                        self.heard += 1
                    def rank(self, candidate, now):
                        return self.heard + candidate.app / 100000
                serve(Counts)
                """)
        let entry = try foreign.eviction(code).entry
        var policy = entry.make(PolicyArguments(values: [], seed: 1))
        for index in 0..<20_000 { policy.didOpen(AppID(index), at: .seconds(Double(index))) }
        let many = (0..<5_000).map { index in
            var one = candidate
            one.app = AppID(index)
            return one
        }
        let ranks = policy.ranks(of: many, at: .zero)
        #expect(ranks.count == 5_000 && ranks[0] == 20_000 && ranks[4_999] == 20_000.04999)
    }

    @Test(arguments: [
        ("raise SystemExit(5)", "ended with exit code 5"),
        ("print('[]')", "did not answer the greeting with a JSON object: []"),
        ("print('{\"name\": \"x\", \"colour\": 1}')", "describes itself with the unknown key \"colour\""),
        ("print('{\"name\": \"X x\"}')", "its name \"X x\" is not valid"),
        ("print('{\"name\": \"x\", \"hears\": [\"all\"]}')", "requests the event \"all\", which does not exist"),
        ("print('{}\\n{}')", "answered with more than one line"),
        ("1 / 0", "its last line: ZeroDivisionError: division by zero"),
        ("import sys; sys.stdout.buffer.write(b'\\xff\\n')", "gave an answer that is not text"),
        ("while True: print('x' * 4096, end='')", "answered with more than 65536 bytes"),
        ("serve()", "has no eviction policy"),
    ])
    func `a process that cannot be greeted is named with its last line`(body: String, problem: String) throws {
        let workshop = try Workshop()
        let code = try workshop.process("bad.py", Self.head + "import sys\n" + body + "\nsys.stdout.flush()\n")
        let found = message { try foreign.eviction(code) } ?? ""
        #expect(found.contains(problem), "\(found)")
    }

    @Test func `a program that does not exist is named`() throws {
        let code = ForeignCode.process(words: ["no-such-program", "x"], folder: "/", reads: [])
        #expect(
            message { try foreign.scheduling(code) }
                == "the policy no-such-program x does not start: No such file or directory")
    }

    @Test func `the files of a program and those it reads are its code`() throws {
        let workshop = try Workshop()
        try workshop.example("lru.py")
        func checksum(reads: [String] = []) throws -> UInt64 {
            try CodeFiles(.process(words: ["python3", "lru.py"], folder: workshop.home, reads: reads)).checksum
        }
        let plain = try checksum()
        #expect(try checksum() == plain)
        try workshop.write("weights", "1")
        let first = try checksum(reads: ["weights"])
        try workshop.write("weights", "2")
        let second = try checksum(reads: ["weights"])
        #expect(Set([plain, first, second]).count == 3)
        try workshop.write("lru.py", "other")
        #expect(try checksum() != plain)
        #expect(message { try checksum(reads: ["none"]) }?.hasPrefix("cannot read ") == true)
    }

    // MARK: Processes that fail in the middle of a run

    private static func ask(_ body: String) throws {
        let workshop = try Workshop()
        let text = "import os, sys, time\n\nclass Bad(SchedulingPolicy):\n    def decide(self, r, d):\n        "
        let code = try workshop.process("bad.py", head + text + body + "\n\nserve(Bad)\n")
        let entry = try ForeignPolicies.open.scheduling(code).entry
        var policy = entry.make(PolicyArguments(values: [], seed: 1))
        _ = policy.decide(request, DeviceConditions(now: .seconds(300)))
    }

    @Test func `a process that ends ends the run, with its last line`() async {
        let result = await #expect(processExitsWith: .exitCode(3), observing: [\.standardErrorContent]) {
            try Self.ask("raise ValueError('no idea')")
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(said.contains("Traceback"))
        #expect(
            said.hasSuffix(
                "error: the policy python3 bad.py ended with exit code 1; its last line: ValueError: no idea\n"))
    }

    @Test func `an answer that means nothing ends the run`() async {
        let result = await #expect(processExitsWith: .exitCode(3), observing: [\.standardErrorContent]) {
            try Self.ask("return {'proceed': 1, 'rule': 'immediate'}")
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(said.contains("gave an invalid answer to \"decide\": {\"proceed\":1,"), "\(said)")
    }

    @Test func `a rule that nobody declared ends the run`() async {
        let result = await #expect(processExitsWith: .exitCode(3), observing: [\.standardErrorContent]) {
            try Self.ask("return proceed('because')")
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(said.contains("invalid answer to \"decide\": {\"proceed\":true,\"rule\":\"because\"}"), "\(said)")
    }

    @Test func `a process that writes without end, on either pipe, ends the run and not the memory`() async {
        let result = await #expect(processExitsWith: .exitCode(3), observing: [\.standardErrorContent]) {
            try Self.ask("[os.write(1, b'x' * 65536) or os.write(2, b'y' * 65536) for _ in iter(int, 1)]")
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(said.contains("answered with more than 65536 bytes"))
        #expect(said.utf8.count < 20_000)
    }
}
