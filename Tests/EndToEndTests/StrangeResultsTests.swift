// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// What verbs make of a folder of results that somebody sent, or that is not as the program left it.
@Suite(.serialized) struct StrangeResultsTests {
    /// The verbs that take results, with their words behind the folder `results`.
    private static let verbs = [
        "run --status results", "compare results", "why 'results#0'", "repeat results", "report results --json",
        "gate results 'relaunches_per_day(lru) <= 1e9'", "cluster merge results -q", "run small.yaml -o results -q",
        "report --trace 'results#0'", "repeat 'results#0'", "cluster exec results -q",
    ]

    /// Changes of the folder, as lines of a shell, and the name that every verb must say which reads it.
    private static let changes = [
        ("rm results/manifest.json && mkfifo results/manifest.json", "results/manifest.json"),
        ("rm results/manifest.json && ln -s ../mine/notes results/manifest.json", "results/manifest.json"),
        ("rm results/manifest.json && mkdir results/manifest.json", "results/manifest.json"),
        ("truncate -s 600M results/manifest.json", "results/manifest.json"),
        (replications("1000000000000"), "results"), (replications("9223372036854775807"), "results"),
        (replications("-1"), "results"),
        ("mv results/segments mine/away && ln -s ../mine/away results/segments", "results/segments"),
        ("mkfifo results/segments/000500.seg", "results/segments/000500.seg"),
        ("mkdir results/segments/000500.seg", "results/segments/000500.seg"),
    ]

    private static func replications(_ number: String) -> String {
        "sed -i -e '/^  \"checksum\"/d' -e 's/\"replications\": 1,/\"replications\": \(number),/' results/manifest.json"
    }

    /// A finished folder with a bundle, kept as `whole`.
    private func laboratory() throws -> Laboratory {
        let laboratory = try Laboratory()
        try laboratory.write(replications: 1, duration: "1 d")
        let made = try laboratory.shell(
            "flotsam run small.yaml -o whole -q && flotsam cluster init small.yaml -o whole && mkdir -p mine/1"
                + " && echo mine | tee mine/notes mine/1/runs.csv mine/runs.csv")
        #expect(made.code == 0, "\(made.errors)")
        return laboratory
    }

    @Test func `every verb refuses at once what is no folder of results of the program's own, and names it`() throws {
        let laboratory = try laboratory()
        for (change, name) in Self.changes {
            for verb in Self.verbs {
                // A session writes a manifest anew that cannot be read: the experiment is at hand.
                let isUnreadable = ["sed", "truncate"].contains(where: change.hasPrefix)
                let mends = isUnreadable && ["cluster merge", "run small"].contains(where: verb.hasPrefix)
                let line = "rm -rf results mine/away; cp -a whole results && \(change) && timeout 300 flotsam \(verb)"
                let ending = try laboratory.shell(line)
                #expect(mends ? ending.code == 0 : ending.code == 1, "\(change): \(verb): \(ending.code)")
                #expect(mends || ending.errors.contains(name), "\(change): \(verb): \(ending.errors)")
            }
        }
        #expect(try laboratory.text("mine/notes") == "mine\n")
    }

    @Test func `no verb writes through a link, and none deletes behind one`() throws {
        let laboratory = try laboratory()
        let links = [
            "unfinished", "earlier", ".checksums", "plan.jsonl", "runs.csv", "manifest.json.partial",
            "run-0.pftrace", "weights.json", "bundle/files", "bundle/bundle.json",
        ]
        let writing = [
            "cluster merge results -q", "run small.yaml -o results -q", "report --trace 'results#0'",
            "cluster init small.yaml -o results",
        ]
        for link in links {
            let target = ["unfinished", "earlier", "bundle/files"].contains(link) ? "mine" : "mine/notes"
            for verb in writing {
                let line = "rm -rf results; cp -a whole results; rm -rf results/\(link); "
                let ending = try laboratory.shell(
                    line + "ln -s \"$PWD/\(target)\" results/\(link) && timeout 300 flotsam \(verb)")
                #expect([0, 1].contains(ending.code), "\(link): \(verb): \(ending.code) \(ending.errors)")
                let found = try laboratory.shell(
                    "cd mine && find . | sort | tr '\\n' ' ' && cat notes runs.csv 1/runs.csv")
                #expect(found.out == ". ./1 ./1/runs.csv ./notes ./runs.csv mine\nmine\nmine\n", "\(link): \(verb)")
            }
        }
    }

    @Test func `a page writes nothing outside of the folder that the command names`() throws {
        let laboratory = try Laboratory()
        for name in ["../../out", "a/b", "..", "", String(repeating: "a", count: 300), "a\\u0000b"] {
            let json = """
                {"name": "\(name)", "replications": 1, "fingerprints": [], "versions": {},
                "experiment": {"path": "no.yaml", "written": "name: x", "overrides": []}}
                """
            try ("<script type=\"application/json\" id=\"flotsam-results\">" + json + "</script>").write(
                to: laboratory.folder.appending(path: "page.html"), atomically: true, encoding: .utf8)
            let ending = try laboratory.run("repeat", "page.html")
            #expect(
                ending.code == 1 && ending.errors.contains("the name of the experiment in page.html is not allowed"),
                "\(ending)")
            let found = try FileManager.default.contentsOfDirectory(atPath: laboratory.folder.path)
            #expect(found.filter { !$0.hasPrefix(".") } == ["page.html"])
        }
    }

    @Test func `an experiment of too many runs is a mistake, and so is its plan in a manifest`() throws {
        let laboratory = try Laboratory()
        try laboratory.write(replications: 1_000_000)
        let axis = "sweep: {axes: {device.memory.ram: [2 GiB, 3 GiB, 4 GiB, 5 GiB, 6 GiB, 7 GiB]}}"
        let ending = try laboratory.shell("echo '\(axis)' >> small.yaml && flotsam check small.yaml")
        #expect(ending.code == 1)
        #expect(ending.errors.contains("at most 10000000 runs are allowed"), "\(ending.errors)")
    }
}
