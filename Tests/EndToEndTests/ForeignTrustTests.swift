// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// What a stranger's files name is not started: SECURITY.md, verb by verb.
@Suite(.serialized) struct ForeignTrustTests {
    /// A policy that leaves a mark in its folder whenever it is started.
    static let policy = """
        import json, sys
        open("RAN", "a").write("ran\\n")
        for line in sys.stdin:
            asked = json.loads(line)
            if "flotsam_policy" in asked: answer = {"name": "mailed"}
            elif asked.get("ask") == "rank": answer = {"ranks": [float(c["band"]) for c in asked["candidates"]]}
            elif "ask" in asked: answer = {"rank": None}
            else: continue
            print(json.dumps(answer), flush=True)

        """

    static func experiment(_ eviction: String, _ more: String = "") -> String {
        """
        schema: 1
        name: mailed
        seed: 5
        start: 2026-03-02 00:00
        duration: 1 d
        warmup: 0 s
        replications: 1
        device: {base: iphone-13, os: ios-17}
        apps: {catalog: everyday, count: 30}
        user: {persona: average}
        policies: {eviction: [jetsam, \(eviction)], scheduling: [opportunistic]}
        baseline: {eviction: jetsam, scheduling: opportunistic}
        metrics: {primary: relaunches_per_day}
        output: {tables: [runs]}
        \(more)
        """
    }

    static func write(_ text: String, _ file: String, _ laboratory: Laboratory) throws {
        try text.write(to: laboratory.folder.appending(path: file), atomically: true, encoding: .utf8)
    }

    /// A laboratory with `mailed.yaml` and its policy, nothing done yet.
    static func mail() throws -> Laboratory {
        let laboratory = try Laboratory()
        try write(policy, "policy.py", laboratory)
        try write(experiment("{process: [python3, policy.py]}"), "mailed.yaml", laboratory)
        return laboratory
    }

    /// How often the policy was started, wherever it lies; the marks are taken away.
    static func starts(_ laboratory: Laboratory) throws -> Int {
        var count = 0
        let all = FileManager.default.enumerator(at: laboratory.folder, includingPropertiesForKeys: nil)
        for case let file as URL in all ?? .init() where file.lastPathComponent == "RAN" {
            count += try String(contentsOf: file, encoding: .utf8).split(separator: "\n").count
            try FileManager.default.removeItem(at: file)
        }
        return count
    }

    /// What each verb is asked, and whether it needs the code of the policy.
    private static let rows: [String: (words: [[String]], needsCode: Bool)] = [
        "new": ([["other.yaml"]], false), "check": ([["mailed.yaml"], ["bundle/bundle/files/mailed.yaml"]], false),
        "plan": ([["mailed.yaml"]], false), "run": ([["mailed.yaml", "-o", "again"]], true),
        "status": ([["results"], ["bundle"]], false), "compare": ([["results"]], false),
        "coverage": ([["results"]], false), "validate": ([["mailed.yaml"]], true),
        "list": ([["policies"]], false), "workload": ([["--help"]], false),
        "ask": ([["mailed.yaml"]], true), "replay": ([["results#1"], ["gone#1"]], true),
        "why": ([["results#1"], ["results", "--app", "mail"], ["gone#1", "--decisions", "1"]], true),
        "trace": ([["results#0", "-o", "t.pftrace"], ["gone#0", "-o", "t.pftrace"]], true),
        "scenario": ([["mailed.yaml"]], false), "import": ([["mailed.yaml"]], false),
        "weigh": ([["results"], ["mailed.yaml"]], true), "battery": ([["--help"]], false),
        "would-kill": ([["report.ips", "--policy", "jetsam"]], false),
        "init": ([["mailed.yaml", "-o", "other"]], true), "exec": ([["bundle"]], true), "merge": ([["bundle"]], true),
        "verify": ([["results", "--sample", "100 %"], ["gone", "--sample", "100 %"]], true),
        "gate": ([["results", "relaunches_per_day <= 0"]], false), "report": ([["results", "--json"]], false),
        "reproduce": ([["page.html", "-o", "made"]], true), "submit": ([["bundle", "--dask-local", "1"]], false),
        "tune": ([["mailed.yaml", "--policy", "lyapunov", "--trials", "1"]], false),
        "cite": ([["results"]], false), "twin": ([["mailed.yaml"], ["bundle"]], false),
        "completion": ([["bash"]], false), "man": ([[]], false),
        "worker": ([["--", "mailed.yaml", "0", "x.seg"]], false), "environment": ([["mailed.yaml"]], true),
    ]

    /// The names of all verbs, the hidden ones included, as the sources declare them.
    private static func verbs() throws -> Set<String> {
        let folder = Laboratory.package.appending(path: "Sources/FlotsamCommand")
        var found: Set<String> = []
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) where file.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            for match in text.matches(of: /enum \w+: Verb \{\s+static let name = "([a-z-]+)"/) {
                found.insert(String(match.1))
            }
        }
        return found
    }

    @Test func `no verb starts a stranger's policy that nobody allowed`() throws {
        #expect(try Self.verbs() == Set(Self.rows.keys))
        let laboratory = try Self.mail()
        for words in [
            ["run", "mailed.yaml", "-q", "-o", "results"], ["cluster", "init", "mailed.yaml", "-o", "bundle"],
        ] {
            let ending = try laboratory.start(words + ["--allow-foreign"]).ending()
            #expect(ending.code == 0, "\(ending.errors)")
        }
        // The experiment of these results was not sent along: only the manifest has it.
        try FileManager.default.copyItem(
            at: laboratory.folder.appending(path: "results"), to: laboratory.folder.appending(path: "gone"))
        // Whoever changes a manifest leaves out its checksum.
        let manifest = try laboratory.text("gone/manifest.json")
            .replacing("\"mailed.yaml\"", with: "\"away.yaml\"").split(separator: "\n")
            .filter { !$0.hasPrefix("  \"checksum\": ") }.joined(separator: "\n")
        try Self.write(manifest, "gone/manifest.json", laboratory)
        try page(laboratory)
        #expect(try Self.starts(laboratory) > 0)
        for (verb, row) in Self.rows.sorted(by: { $0.key < $1.key }) {
            for words in row.words {
                let ending = try laboratory.start([verb] + words).ending()
                let told = "\(verb) \(words): \(ending.code)\n\(ending.out.prefix(2000))\(ending.errors)"
                #expect(try Self.starts(laboratory) == 0, "\(told)")
                guard row.needsCode else { continue }
                #expect(ending.code == 1, "\(told)")
                #expect(ending.errors.contains("--allow-foreign"), "\(told)")
                #expect(ending.errors.contains("python3 policy.py"), "\(told)")
            }
        }
        let report = try laboratory.run("report", "results", "--json")
        #expect(report.code == 0 && report.out.contains("--allow-foreign"))
    }

    /// A page that carries the experiment, as `report` writes it, without its pictures.
    private func page(_ laboratory: Laboratory) throws {
        let bytes = try laboratory.bytes("results/manifest.json")
        let manifest = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
        let carried: [String: Any] = [
            "name": "mailed", "experiment": try #require(manifest["experiment"]), "replications": 1,
            "versions": try #require(manifest["versions"]), "fingerprints": ["0", "0"],
        ]
        let json = String(decoding: try JSONSerialization.data(withJSONObject: carried), as: UTF8.self)
        let mark = "<script type=\"application/json\" id=\"flotsam-results\">"
        try Self.write("<html>\(mark)\(json)</script></html>", "page.html", laboratory)
    }

    @Test func `what a stranger's file names is not named by the user, what the command line names is`() throws {
        let laboratory = try Self.mail()
        let setting = "policies.eviction=[jetsam, {process: [python3, policy.py]}]"
        let named = try laboratory.run("run", "mailed.yaml", "-o", "results", "-q", "--set", setting)
        #expect(named.code == 0, "\(named.errors)")
        #expect(try Self.starts(laboratory) > 0)
        // The manifest remembers the setting; whoever gets the folder did not type it.
        let verify = try laboratory.run("repeat", "results", "--sample", "100 %")
        #expect(verify.code == 1 && verify.errors.contains("--allow-foreign"), "\(verify.errors)")
        #expect(try Self.starts(laboratory) == 0)
        let allowed = try laboratory.run("repeat", "results", "--sample", "100 %", "--allow-foreign")
        #expect(allowed.code == 0, "\(allowed.errors)")
        // It holds for one call.
        #expect(try laboratory.run("run", "mailed.yaml", "-o", "other").code == 1)
    }

    /// Runs the program on a terminal of its own, and types an answer.
    private func type(_ answer: String, _ words: String..., laboratory: Laboratory) throws -> Laboratory.Ending {
        let script = """
            import os, pty, sys
            answer, words = sys.argv[1], sys.argv[2:]
            child, terminal = pty.fork()
            if child == 0: os.execvp(words[0], words)
            os.write(terminal, answer.encode() + b"\\n")
            while True:
                try: data = os.read(terminal, 4096)
                except OSError: break
                if not data: break
                sys.stdout.buffer.write(data)
            sys.stdout.flush()
            sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
            """
        return try laboratory.start(
            ["-c", script, answer, Laboratory.program("flotsam")] + words, program: "/usr/bin/python3"
        ).ending()
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "there is no python3"))
    func `a terminal is asked, a yes is remembered, and a change asks again`() throws {
        let laboratory = try Self.mail()
        let (question, run) = ("[y/N]", ["run", "mailed.yaml", "-q", "-o"])
        let no = try type("", run[0], run[1], run[2], run[3], "a", laboratory: laboratory)
        #expect(no.code == 1 && no.out.contains(question) && no.out.contains("python3 policy.py"), "\(no.out)")
        #expect(try Self.starts(laboratory) == 0)
        let yes = try type("y", run[0], run[1], run[2], run[3], "a", laboratory: laboratory)
        #expect(yes.code == 0 && yes.out.contains(question), "\(yes.out)")
        let file = laboratory.folder.appending(path: ".config/flotsam/trusted-policies")
        #expect(try String(contentsOf: file, encoding: .utf8).split(separator: "\n").count == 1)
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        // From now on nobody is asked, with a terminal or without.
        let again = try laboratory.run("run", "mailed.yaml", "-q", "-o", "b")
        #expect(again.code == 0 && !again.errors.contains(question), "\(again.errors)")
        _ = try Self.starts(laboratory)
        // One letter of the code, another word, another folder: each is asked about.
        try Self.write(Self.policy + "\n", "policy.py", laboratory)
        #expect(try laboratory.run("run", "mailed.yaml", "-q", "-o", "c").code == 1)
        try Self.write(Self.policy, "policy.py", laboratory)
        #expect(try laboratory.run("run", "mailed.yaml", "-q", "-o", "c").code == 0)
        try Self.write(Self.experiment("{process: [python3, policy.py, now]}"), "word.yaml", laboratory)
        #expect(try laboratory.run("run", "word.yaml", "-q", "-o", "d").code == 1)
        let other = laboratory.folder.appending(path: "elsewhere")
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
        for name in ["mailed.yaml", "policy.py"] {
            try FileManager.default.copyItem(
                at: laboratory.folder.appending(path: name), to: other.appending(path: name))
        }
        #expect(try laboratory.run("run", "elsewhere/mailed.yaml", "-q", "-o", "e").code == 1)
        // A file of permissions that somebody else may write counts for nothing.
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: file.path)
        #expect(try laboratory.run("run", "mailed.yaml", "-q", "-o", "f").code == 1)
    }

    @Test func `what would run is shown without control characters`() throws {
        let laboratory = try Laboratory()
        let words = "[sh, -c, \"touch RAN #\\nharmless\"]"
        try Self.write(Self.experiment("{process: \(words)}"), "lines.yaml", laboratory)
        for verb in ["run", "check"] {
            let ending = try laboratory.run(verb, "lines.yaml")
            let shown = "'touch RAN #\\u{a}harmless'"
            #expect((ending.out + ending.errors).contains(shown), "\(ending.out)\(ending.errors)")
        }
        // Whatever would act on a terminal is refused before anything asks about the policy.
        for control in ["\\e[2K", "\\u009b1A", "\\u202e", "\\0"] {
            try Self.write(Self.experiment("{process: [sh, -c, \"touch RAN #\(control)\"]}"), "escape.yaml", laboratory)
            for verb in ["run", "check"] {
                let ending = try laboratory.run(verb, "escape.yaml")
                #expect(ending.code == 1 && ending.errors.contains("the text contains the control character U+"))
            }
        }
    }

    @Test func `a library is a plain file and no link, device or pipe`() throws {
        let laboratory = try Laboratory()
        let folder = laboratory.folder.path
        try Self.write("no library", "plain", laboratory)
        _ = try laboratory.shell("mkfifo pipe.so; ln -s plain link.so; ln -s /dev/zero zero.so; mkdir folder.so")
        for (library, reason) in [
            ("/dev/zero", "not a plain file"), ("./pipe.so", "not a plain file"), ("./folder.so", "not a plain file"),
            ("./link.so", "is a symbolic link"), ("./zero.so", "is a symbolic link"),
            ("./none.so", "cannot read ./none.so: No such file"),
        ] {
            try Self.write(Self.experiment(library), "library.yaml", laboratory)
            for words in [["check", "library.yaml"], ["run", "library.yaml", "--allow-foreign", "-o", "r"]] {
                let ending = try laboratory.start(words).ending()
                #expect(ending.code == 1 && ending.errors.contains(reason), "\(words) \(library): \(ending.errors)")
            }
        }
        let pipe = Self.experiment("{process: [python3, policy.py], reads: [\(folder)/pipe.so]}")
        try Self.write(pipe, "reads.yaml", laboratory)
        let reads = try laboratory.run("check", "reads.yaml")
        #expect(reads.code == 1 && reads.errors.contains("not a plain file"), "\(reads.errors)")
    }
}
