// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// Policies of libraries and processes in whole experiments.
@Suite(.serialized) struct ForeignPolicyTests {
    private static let examples = Laboratory.package.appending(path: "docs/examples/foreign-policies")

    /// A folder with the examples, the libraries built.
    private func workshop() throws -> Laboratory {
        let laboratory = try Laboratory()
        #expect(try laboratory.run("new", "--policy", "c", "mine.c").code == 0)
        #expect(try laboratory.run("new", "--policy", "python", "mine.py").code == 0)
        for file in try FileManager.default.contentsOfDirectory(atPath: Self.examples.path()) {
            let text = try String(contentsOf: Self.examples.appending(path: file), encoding: .utf8)
            try write(text, file, laboratory)
            if file.hasSuffix(".c") { try build(String(file.dropLast(2)), laboratory) }
        }
        return laboratory
    }

    private func write(_ text: String, _ file: String, _ laboratory: Laboratory) throws {
        try text.write(to: laboratory.folder.appending(path: file), atomically: true, encoding: .utf8)
    }

    private func build(_ name: String, _ laboratory: Laboratory) throws {
        let words = ["clang", "-O2", "-std=c11", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off"]
        let ending = try laboratory.start(
            words + ["-shared", "-fPIC", "-o", name + ".so", name + ".c"], program: "/usr/bin/env"
        ).ending()
        #expect(ending.code == 0, "\(ending.errors)")
    }

    private func rows(_ laboratory: Laboratory, _ folder: String) throws -> [[String: String]] {
        let lines = try laboratory.text(folder + "/runs.csv").split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(lines[0], $0)) }
    }

    @Test func `a policy in Swift, C and Python gives the same runs, event by event`() throws {
        let laboratory = try workshop()
        let ending = try laboratory.run("run", "--allow-foreign", "experiment.yaml", "-o", "r", "-j", "2")
        #expect(ending.code == 0, "\(ending.errors)")
        let rows = try rows(laboratory, "r")
        #expect(rows.count == 12)
        var distinct: Set<String> = []
        for name in ["jetsam", "lru"] {
            for replication in ["0", "1"] {
                let prints = ["", "c-", "python-"].map { language in
                    rows.first { $0["policy"] == language + name && $0["replication"] == replication }?["fingerprint"]
                }
                #expect(prints[0] != nil && prints[0] == prints[1] && prints[0] == prints[2], "\(name) \(prints)")
                distinct.insert(prints[0] ?? "")
            }
        }
        #expect(distinct.count == 4)
    }

    @Test func `a library takes over in mid-run as a policy in Swift does, and so does a process`() throws {
        let laboratory = try workshop()
        for baseline in ["jetsam", "c-lru"] {
            let ending = try laboratory.run(
                "run", "--allow-foreign", "experiment.yaml", "-o", baseline, "--set", "policies_from=1 d", "--set",
                "baseline=\(baseline)", "--set", "replications=1")
            #expect(ending.code == 0, "\(ending.errors)")
            let rows = try rows(laboratory, baseline)
            func print(_ policy: String) -> String? { rows.first { $0["policy"] == policy }?["fingerprint"] }
            let rivals =
                baseline == "jetsam" ? ["lru", "c-lru", "python-lru"] : ["jetsam", "c-jetsam", "python-jetsam"]
            #expect(print(rivals[0]) != nil && Set(rivals.map(print)).count == 1, "\(rivals.map(print))")
            #expect(print(rivals[0]) != print(baseline))
        }
    }

    @Test func `a policy that ranks whom to freeze, compress or prepare is one in Swift, C and Python`() throws {
        let laboratory = try workshop()
        let text = try laboratory.text("experiment.yaml")
        let head = text.prefix(upTo: try #require(text.range(of: "policies:")).lowerBound)
        var list = "policies:\n"
        let python = "{process: [python3, lru.py]}"
        for key in ["swap", "freezing", "prelaunch"] {
            for (language, policy) in [("swift", "lru"), ("c", "./lru.so"), ("python", python)] {
                list += "  - {name: \(key)-\(language), eviction: jetsam, scheduling: immediate, "
                list += "\(key): \(policy)}\n"
            }
        }
        list += "  - {name: plain, eviction: jetsam, scheduling: immediate}\n"
        let device = "device: {base: iphone-13, os: ios-17, memory: {ram: 3 GiB}, prewarm: {per_day: 48}}\n"
        let kept = head.split(separator: "\n").filter { !$0.hasPrefix("device:") }.joined(separator: "\n")
        try write(kept + "\n" + device + list, "kinds.yaml", laboratory)
        let ending = try laboratory.run("run", "--allow-foreign", "kinds.yaml", "-o", "kinds", "-j", "2")
        #expect(ending.code == 0, "\(ending.errors)")
        let rows = try rows(laboratory, "kinds")
        func print(_ policy: String) -> String? {
            rows.first { $0["policy"] == policy && $0["replication"] == "0" }?["fingerprint"]
        }
        let plain = try #require(print("plain"))
        for key in ["swap", "freezing", "prelaunch"] {
            let prints = ["swift", "c", "python"].map { print("\(key)-\($0)") }
            #expect(prints[0] != nil && prints[0] == prints[1] && prints[0] == prints[2], "\(key): \(prints)")
            #expect(prints[0] != plain, "\(key) makes no difference")
        }
    }

    @Test func `the policy that was found builds, runs, and waits less than jetsam`() throws {
        let laboratory = try workshop()
        let folder = Laboratory.package.appending(path: "docs/examples/found-policy")
        for file in ["found.c", "verdict.yaml"] {
            try write(try String(contentsOf: folder.appending(path: file), encoding: .utf8), file, laboratory)
        }
        let words = [
            "clang", "-O2", "-std=c11", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off", "-shared", "-fPIC",
        ]
        let built = try laboratory.start(
            words + ["-o", "found.so", "found.c", "-lm"], program: "/usr/bin/env"
        ).ending()
        #expect(built.code == 0, "\(built.errors)")
        #expect(try laboratory.text("found.c").split(separator: "\n").count <= 30)
        let ending = try laboratory.run(
            "run", "--allow-foreign", "verdict.yaml", "-o", "v", "--set", "replications=8",
            "--set", "policies.eviction=[jetsam, ./found.so]", "--set", "user.size=8")
        #expect(ending.code == 0, "\(ending.errors)")
        let rows = try rows(laboratory, "v")
        func mean(_ policy: String) -> Double {
            let waits = rows.filter { $0["policy"]?.hasPrefix(policy) == true }.compactMap {
                $0["launch_wait_s_per_day"].flatMap(Double.init)
            }
            return waits.reduce(0, +) / Double(waits.count)
        }
        #expect(rows.count == 16 && mean("found") < mean("jetsam"), "\(mean("found")), \(mean("jetsam"))")
    }

    @Test func `check says which policies it did not start, and all can be refused`() throws {
        let laboratory = try workshop()
        let check = try laboratory.run("check", "experiment.yaml")
        #expect(check.code == 0, "\(check.errors)")
        let notes = check.out.split(separator: "\n").filter { $0.contains("note: not checked: foreign policy ") }
        #expect(notes.count == 6 && Set(notes).count == 6, "\(check.out)")
        #expect(notes.contains("  note: not checked: foreign policy ./jetsam.so"), "\(check.out)")
        // What a policy states itself is known once it was started.
        let text = try laboratory.text("experiment.yaml")
        let paced = text.replacing(
            "c-jetsam, eviction: ./jetsam.so", with: "c-jetsam, eviction: \"./jetsam.so[pace=3]\"")
        try write(paced, "other.yaml", laboratory)
        #expect(try laboratory.run("check", "other.yaml").code == 0)
        let asked = try laboratory.run("check", "other.yaml", "--allow-foreign")
        #expect(
            asked.errors.contains("other.yaml:14:45: error: the policy \"c-jetsam\" takes no parameters"),
            "\(asked.errors)")
        let allowed = try laboratory.run("check", "experiment.yaml", "--allow-foreign")
        #expect(allowed.code == 0 && !allowed.out.contains("not checked"), "\(allowed.out)\(allowed.errors)")
        for verb in [["check"], ["run"], ["check", "--plan"], ["cluster", "init"]] {
            let refused = try laboratory.start(verb + ["experiment.yaml", "--no-foreign"]).ending()
            #expect(refused.code == 1, "\(verb)")
            #expect(
                refused.errors.contains(
                    "experiment.yaml:14:32: error: ./jetsam.so runs the code of its author, which --no-foreign"),
                "\(refused.errors)")
        }
    }

    @Test func `would-kill asks a policy of a library or a process as it asks the program's own`() throws {
        let laboratory = try workshop()
        let report = Laboratory.package.appending(path: "docs/examples/JetsamEvent.ips").path()
        func ask(_ policy: String, _ words: String...) throws -> Laboratory.Ending {
            try laboratory.start(
                ["lab", "would-kill", report, "--policy", policy, "--count", "5"] + words, program: "flotsam"
            ).ending()
        }
        func victims(_ ending: Laboratory.Ending) -> Substring? {
            ending.out.firstRange(of: "would kill:").map { ending.out[$0.upperBound...] }
        }
        let own = try ask("jetsam")
        #expect(own.code == 0 && victims(own) != nil, "\(own.errors)")
        for policy in ["./jetsam.so", "{process: [python3, jetsam.py]}"] {
            let theirs = try ask(policy)
            #expect(theirs.code == 0 && victims(theirs) == victims(own), "\(policy): \(theirs.out)\(theirs.errors)")
            let refused = try ask(policy, "--no-foreign")
            #expect(refused.code == 1 && refused.errors.contains("which --no-foreign refuses"), "\(refused.errors)")
        }
        // Whom the user saw last stands in no report, in whatever language that is asked.
        let last = try ask("./lru.so")
        #expect(last.code == 1 && last.errors.contains("needs to know"), "\(last.errors)")
        let queue = try [ask("lru", "--last-use", "queue"), ask("./lru.so", "--last-use", "queue")].map(victims)
        #expect(queue[0] != nil && queue[0] == queue[1])
    }

    @Test func `plan counts the runs that are done with a foreign policy, and tries none`() throws {
        let laboratory = try workshop()
        let text = try laboratory.text("experiment.yaml")
        try write(
            text[..<(text.firstRange(of: "policies:")?.lowerBound ?? text.endIndex)]
                + "policies: {eviction: [jetsam, {process: [python3, lru.py]}],"
                + " scheduling: [\"./periodic.so[every=40min]\"]}\n"
                + "metrics: {primary: relaunches_per_day}\n", "short.yaml", laboratory)
        let run = try laboratory.run("run", "--allow-foreign", "short.yaml", "-o", "r")
        #expect(run.code == 0, "\(run.errors)")
        let ending = try laboratory.run("check", "--plan", "short.yaml", "-o", "r", "--set", "replications=5")
        #expect(ending.code == 0 && ending.out.contains("r: 4 done, 6 to do"), "\(ending.out)\(ending.errors)")
        #expect(ending.out.contains("no estimate: all policies are foreign, so there is no trial"), "\(ending.out)")
        let pilot = try laboratory.run("check", "--plan", "short.yaml", "--warmup", "4 d")
        #expect(pilot.code == 1 && pilot.errors.contains("foreign ones need --allow-foreign"), "\(pilot.errors)")
    }

    @Test func `results are known by the content of the code`() throws {
        let laboratory = try workshop()
        let text = try laboratory.text("experiment.yaml")
        try write(
            text[..<(text.firstRange(of: "policies:")?.lowerBound ?? text.endIndex)]
                + "policies: {eviction: [jetsam, ./lru.so], scheduling: [immediate]}\nbaseline: ./lru.so+immediate\n"
                + "metrics: {primary: relaunches_per_day}\n", "short.yaml", laboratory)
        #expect(try laboratory.run("run", "--allow-foreign", "short.yaml", "-o", "r").code == 0)
        let first = try rows(laboratory, "r")
        // It is shown by the name that it gives itself, and named by that or by its file.
        #expect(Set(first.map { $0["policy"] }) == ["jetsam+immediate", "c-lru+immediate"])
        #expect(Set(first.map { $0["eviction"] }) == ["jetsam", "c-lru"])
        let source = try laboratory.text("lru.c").replacing(
            "return flotsam_in_seconds(", with: "return -flotsam_in_seconds(")
        try write(source, "lru.c", laboratory)
        try build("lru", laboratory)
        let again = try laboratory.run("run", "--allow-foreign", "short.yaml", "-o", "r")
        #expect(again.code == 0, "\(again.errors)")
        let second = try rows(laboratory, "r")
        for (before, after) in zip(first, second) {
            #expect((before["fingerprint"] == after["fingerprint"]) == (before["eviction"] == "jetsam"), "\(before)")
        }
    }

    @Test func `hostile policies fail their own runs, with a reason, and no other`() throws {
        let laboratory = try workshop()
        let decide =
            "#include \"flotsam_policy.h\"\n#include <signal.h>\n#include <stdlib.h>\n#include <unistd.h>\n"
            + "static double rank(void *s, const flotsam_candidate *c, flotsam_time n) { (void)s, (void)n;\n"
        let export =
            "\nreturn c->band; }\nconst flotsam_eviction *flotsam_eviction_policy(uint32_t v) {\n"
            + "static const flotsam_eviction p = {.about = {.version = 1, .name = \"bad\"}, .rank = rank};\n"
            + "return v == 1 ? &p : NULL; }\n"
        let libraries = [
            ("hang", "for (;;) pause();", "the policy ./hang.so did not return within 2 s"),
            ("crash", "raise(SIGSEGV);", "the worker died of signal 11"),
            ("leave", "exit(0);", "the worker ended with exit code 0"),
            (
                "greedy",
                "for (;;) { volatile char *m = malloc(1 << 24); m[0] = 1; }",
                "the worker died of signal 11"
            ),
        ]
        for (name, body, _) in libraries {
            try write(decide + body + export, name + ".c", laboratory)
            try build(name, laboratory)
        }
        let python =
            "import os, time\nfrom flotsam_policy import *\nclass Bad(SchedulingPolicy):\n"
            + "    def decide(self, r, d):\n        if r.app % 3: return proceed()\n        "
        let processes = [
            ("silent", "time.sleep(1000)", "did not answer within 2 s"),
            ("nonsense", "return 'no'", "gave an invalid answer to \\\"decide\\\": \\\"no\\\""),
            ("flood", "[os.write(1, b'x' * 65536) for _ in iter(int, 1)]", "answered with more than 65536 bytes"),
            ("exits", "os._exit(9)", "ended with exit code 9"),
            ("raises", "return 1 // 0", "its last line: ZeroDivisionError"),
            ("hog", "bytearray(1 << 31)", "its last line: MemoryError"),
        ]
        for (name, body, _) in processes { try write(python + body + "\nserve(Bad)\n", name + ".py", laboratory) }
        let text = try laboratory.text("experiment.yaml")
        let pairs =
            libraries.map { "  - {name: \($0.0), eviction: ./\($0.0).so, scheduling: immediate}\n" }
            + processes.map { "  - {name: \($0.0), eviction: lru, scheduling: {process: [python3, \($0.0).py]}}\n" }
        try write(
            text.replacing("baseline: jetsam", with: pairs.joined() + "baseline: jetsam")
                .replacing("replications: 2", with: "replications: 1"), "hostile.yaml", laboratory)
        let words = ["FLOTSAM_POLICY_TIMEOUT=2", "FLOTSAM_POLICY_MEMORY=1024", Laboratory.program("flotsam")]
        let ending = try laboratory.start(
            words + ["run", "--allow-foreign", "hostile.yaml", "-o", "r", "-j", "1"], program: "/usr/bin/env"
        ).ending()
        #expect(ending.code == 3, "\(ending.errors)")
        let rows = try rows(laboratory, "r")
        #expect(rows.count { $0["status"] == "done" } == 6)
        let failures = try laboratory.text("r/failures.jsonl").split(separator: "\n")
        #expect(failures.count == libraries.count + processes.count)
        for (name, _, reason) in libraries + processes {
            let line = failures.first { $0.contains("\"policy\":\"\(name)\"") }
            #expect(line?.contains(reason) == true, "\(name): \(line ?? "none")")
        }
    }

    @Test func `a policy that is not deterministic is named`() throws {
        let laboratory = try workshop()
        let source = try laboratory.text("lru.c")
            .replacing("#include \"flotsam_policy.h\"\n", with: "#include \"flotsam_policy.h\"\n#include <time.h>\n")
            .replacing(
                "    return flotsam_in",
                with: "    struct timespec t;\n    timespec_get(&t, TIME_UTC);\n"
                    + "    return (double)((t.tv_nsec * 2654435761u) >> 7 & 1023) + 0 * flotsam_in")
        try write(source, "clock.c", laboratory)
        try build("clock", laboratory)
        let text = try laboratory.text("experiment.yaml")
        try write(
            text[..<(text.firstRange(of: "policies:")?.lowerBound ?? text.endIndex)]
                + "policies: {eviction: [jetsam, ./clock.so], scheduling: [immediate]}\nbaseline: jetsam+immediate\n"
                + "metrics: {primary: relaunches_per_day}\n", "clock.yaml", laboratory)
        let ending = try laboratory.run(
            "run", "--allow-foreign", "clock.yaml", "-o", "r", "--set", "device.memory.ram=2 GiB")
        #expect(ending.code == 3)
        #expect(
            ending.errors.contains("the policy c-lru+immediate is not deterministic: the same run gave"),
            "\(ending.errors)")
    }

    @Test(arguments: ["c", "rust", "swift", "python"])
    func `new writes a policy that builds and runs`(language: String) throws {
        let endings = ["c": ".c", "rust": ".rs", "swift": ".swift", "python": ".py"]
        let laboratory = try Laboratory()
        let file = "mine" + (endings[language] ?? "")
        let written = try laboratory.run("new", "--policy", language, file)
        #expect(written.code == 0, "\(written.errors)")
        let builds = written.out.split(separator: "\n").dropFirst()
        #expect(builds.count == (language == "python" ? 0 : 1))
        if language == "rust" {
            let compiler = try laboratory.start(["rustc", "--version"], program: "/usr/bin/env").ending()
            // A compiler that the package does not need.
            guard compiler.code == 0 else { return }
        }
        for build in builds {
            let ending = try laboratory.start(["-c", String(build)], program: "/bin/sh").ending()
            #expect(ending.code == 0, "\(ending.errors)")
        }
        let scheduling =
            language == "python"
            ? "{process: [python3, mine.py], parameters: {every: 30 min}}" : "\"./mine.so[every=30min]\""
        let eviction = language == "python" ? "lru" : "./mine.so"
        let text = try String(contentsOf: Self.examples.appending(path: "experiment.yaml"), encoding: .utf8)
        try write(
            text[..<(text.firstRange(of: "policies:")?.lowerBound ?? text.endIndex)]
                + "policies:\n  - {name: theirs, eviction: lru, scheduling: \"periodic[every=30min]\"}\n"
                + "  - {name: mine, eviction: \(eviction), scheduling: \(scheduling)}\nbaseline: theirs\n"
                + "metrics: {primary: relaunches_per_day}\n", "e.yaml", laboratory)
        let ending = try laboratory.run("run", "--allow-foreign", "e.yaml", "-o", "r", "--set", "replications=1")
        #expect(ending.code == 0, "\(ending.errors)")
        let prints = try rows(laboratory, "r").map { $0["fingerprint"] }
        #expect(prints.count == 2 && prints[0] == prints[1])
        let again = try laboratory.run("new", "--policy", language, file)
        #expect(again.code == 1 && again.errors.contains("exists already"))
    }

    @Test func `a run with a library can be forked where it can copy its state`() throws {
        let laboratory = try workshop()
        let ending = try laboratory.run(
            "run", "--allow-foreign", "experiment.yaml", "-o", "r", "--set", "replications=1")
        #expect(ending.code == 0, "\(ending.errors)")
        let flips = try ["lru", "c-lru"].map { policy in
            try laboratory.run("why", "r#\(policy)/0", "--decisions", "3", "--json", "--allow-foreign")
        }
        #expect(flips.allSatisfy { $0.code == 0 }, "\(flips.map(\.errors))")
        #expect(flips[0].out == flips[1].out)
        let refused = try laboratory.run("why", "r#python-lru/0", "--decisions", "3", "--allow-foreign")
        #expect(refused.code != 0 && !refused.errors.contains("nobody allowed"), "\(refused.out)")
    }
}
