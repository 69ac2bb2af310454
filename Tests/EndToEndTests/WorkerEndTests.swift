// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// What a policy that fails leaves behind: nothing that runs, and a reason that is the program's own.
@Suite(.serialized) struct WorkerEndTests {
    /// Greets, answers some questions, and then does something else.
    private static func policy(_ body: String) -> String {
        """
        import json, os, subprocess, sys, time
        for line in sys.stdin:
            asked = json.loads(line)
            if "flotsam_policy" in asked: answer = {"name": "bad"}
            elif "ask" in asked:
                \(body)
            else: continue
            print(json.dumps(answer), flush=True)

        """
    }

    private typealias Failure = (ending: Laboratory.Ending, line: [String: Any])

    /// A run with a policy in Python; what came of it, and the line of `failures.jsonl`.
    private func fail(_ body: String, _ laboratory: Laboratory) throws -> Failure {
        try ForeignTrustTests.write(Self.policy(body), "bad.py", laboratory)
        try ForeignTrustTests.write(
            ForeignTrustTests.experiment("{process: [python3, bad.py]}"), "bad.yaml", laboratory)
        return try failed(laboratory)
    }

    private func failed(_ laboratory: Laboratory) throws -> Failure {
        let words = ["FLOTSAM_POLICY_TIMEOUT=2", Laboratory.program("flotsam"), "run", "bad.yaml", "--allow-foreign"]
        let ending = try laboratory.start(words + ["-o", "r", "-j", "2"], program: "/usr/bin/env").ending()
        #expect(ending.code == 3, "\(ending.errors)")
        let line = try laboratory.text("r/failures.jsonl").split(separator: "\n").first ?? ""
        return (ending, try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]))
    }

    /// The processes whose words hold a text, or whose name does its end.
    private func processes(_ text: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { Int($0) != nil }.compactMap { process in
            let words = try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(process)/cmdline"))
            let line = words.map { String(decoding: $0, as: UTF8.self) } ?? ""
            let name = (try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)) ?? ""
            return line.contains(text) || name.contains(text.suffix(8)) ? line : nil
        }
    }

    /// Children in the group, in a session of their own, and orphaned on purpose.
    private static func children(_ mark: String) -> String {
        "[subprocess.Popen(['sleep', '\(mark)'], start_new_session=own) for own in (False, True)]; "
            + "subprocess.run(['sh', '-c', 'setsid sleep \(mark) & sleep \(mark) &'])"
    }

    @Test(arguments: ["os._exit(9)", "time.sleep(1000)", "print('nonsense', flush=True)", "os.kill(os.getpid(), 9)"])
    func `children of a policy end with it, however it ends`(end: String) throws {
        let laboratory = try Laboratory()
        let mark = "98\(UInt32.random(in: 1_000_000...9_999_999))"
        _ = try fail("\(Self.children(mark)); \(end); answer = {}", laboratory)
        #expect(try processes(mark).isEmpty)
    }

    @Test func `children of a policy that does its work end with its run`() throws {
        let laboratory = try Laboratory()
        let mark = "97\(UInt32.random(in: 1_000_000...9_999_999))"
        let ranks = "{'ranks': [1.0] * len(asked['candidates'])}"
        let answer = "answer = \(ranks) if asked['ask'] == 'rank' else {'rank': None}"
        let once = "globals().get('done') or globals().update(done=[\(Self.children(mark))])"
        try ForeignTrustTests.write(Self.policy(once.replacing("; ", with: ", ") + "; " + answer), "bad.py", laboratory)
        try ForeignTrustTests.write(
            ForeignTrustTests.experiment("{process: [python3, bad.py]}"), "bad.yaml", laboratory)
        for words in [["run", "bad.yaml", "-o", "r", "-q"], ["repeat", "r", "--sample", "100 %"]] {
            let ending = try laboratory.start(words + ["--allow-foreign"]).ending()
            #expect(ending.code == 0, "\(ending.errors)")
            #expect(try processes(mark).isEmpty)
        }
    }

    @Test(arguments: ["_exit(3)", "raise(SIGKILL)", "__builtin_trap()", "for (;;) pause()"])
    func `children of a library end with its worker`(end: String) throws {
        let laboratory = try Laboratory()
        let mark = "96\(UInt32.random(in: 1_000_000...9_999_999))"
        let body = """
            for (int own = 0; own < 2; own++)
                if (fork() == 0) { if (own) setsid(); execlp("sleep", "sleep", "\(mark)", NULL); }
            // This one keeps the pipes of the worker open.
            if (fork() == 0) { setsid(); prctl(PR_SET_NAME, "x\(mark.suffix(8))"); for (;;) pause(); }
            \(end);
            """
        try library(body, laboratory)
        _ = try failed(laboratory)
        #expect(try processes(mark).isEmpty)
    }

    private func library(_ body: String, _ laboratory: Laboratory) throws {
        #expect(try laboratory.run("new", "--policy", "c", "start.c").code == 0)
        try ForeignTrustTests.write(
            """
            #define _GNU_SOURCE
            #include "flotsam_policy.h"
            #include <signal.h>
            #include <stdio.h>
            #include <stdlib.h>
            #include <sys/prctl.h>
            #include <unistd.h>
            static double rank(void *s, const flotsam_candidate *c, flotsam_time n) {
                (void)s, (void)n;
                \(body)
                return c->band;
            }
            const flotsam_eviction *flotsam_eviction_policy(uint32_t v) {
                static const flotsam_eviction p = {.about = {.version = 1, .name = "bad"}, .rank = rank};
                return v == 1 ? &p : NULL;
            }

            """, "bad.c", laboratory)
        let built = try laboratory.start(
            ["clang", "-O1", "-shared", "-fPIC", "-o", "bad.so", "bad.c"], program: "/usr/bin/env"
        ).ending()
        #expect(built.code == 0, "\(built.errors)")
        try ForeignTrustTests.write(ForeignTrustTests.experiment("./bad.so"), "bad.yaml", laboratory)
    }

    @Test func `a process that ends while its child holds its pipes is found to have ended`() throws {
        let laboratory = try Laboratory()
        let (_, line) = try fail("subprocess.Popen(['sleep', '950000001']); os._exit(9); answer = {}", laboratory)
        #expect((line["message"] as? String)?.contains("ended with exit code 9") == true, "\(line)")
    }

    @Test func `a flood on standard error hides no reason, and stands apart from it`() throws {
        let laboratory = try Laboratory()
        let flood = "os.write(2, b'error: all good\\\\n' + b'x' * 9000); "
        let (ending, line) = try fail(flood + "os._exit(7); answer = {}", laboratory)
        let message = line["message"] as? String ?? ""
        #expect(message.hasPrefix("the policy python3 bad.py ended with exit code 7; its last line: xxx"), "\(line)")
        #expect(message.count < 500)
        let words = line["policy_wrote"] as? String ?? ""
        #expect(words.count > 8000 && words.allSatisfy { $0 == "x" }, "\(line)")
        #expect(ending.errors.contains("the policy wrote: xxx") && ending.errors.contains("exit code 7"))
        let endless = "[os.write(2, b'x' * 100000) for _ in iter(int, 1)]; answer = {}"
        let (_, again) = try fail(endless, laboratory)
        #expect((again["message"] as? String)?.contains("did not answer within 2 s") == true, "\(again)")
    }

    @Test func `a library cannot write the reason of its failure`() throws {
        let laboratory = try Laboratory()
        try library("fputs(\"error: all good\\n\", stderr); fflush(stderr); _exit(3);", laboratory)
        let (ending, line) = try failed(laboratory)
        #expect(line["message"] as? String == "the worker ended with exit code 3", "\(line)")
        #expect(ending.errors.contains("the policy wrote: error: all good"), "\(ending.errors)")
    }
}
