// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// Only the program's own scripts are started, and only packages that are installed are imported.
@Suite struct OwnScriptTests {
    /// Programs and modules of somebody else, which would leave a file RAN.
    private static let modules = [
        "flotsam/__init__", "flotsam/__main__", "flotsam", "json", "pandas", "altair", "matplotlib", "vl_convert",
        "site", "os", "argparse", "venv", "pip", "html", "re", "writing", "program",
    ]

    /// A folder below one that both hold such files; results and a workload lie in it.
    private static func trapped() throws -> (laboratory: Laboratory, folder: URL) {
        let laboratory = try Laboratory()
        let folder = laboratory.folder.appending(path: "below")
        let ran = laboratory.folder.appending(path: "RAN").path
        for own in [laboratory.folder, folder] {
            for name in ["plots", "flotsam", "share/flotsam/plots", ".build/release"] {
                try FileManager.default.createDirectory(
                    at: own.appending(path: name), withIntermediateDirectories: true)
            }
            for name in ["plots/report", "plots/card", "plots/draw", ".build/release/flotsam"] {
                let file = own.appending(path: name)
                try "#!/bin/sh\necho \(name) >> \(ran)\n".write(to: file, atomically: true, encoding: .utf8)
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
            }
            for name in modules + ["plots/report", "plots/card"] {
                try "open('\(ran)', 'a').write('\(name)')\n".write(
                    to: own.appending(path: name + ".py"), atomically: true, encoding: .utf8)
            }
        }
        return (laboratory, folder)
    }

    @Test func `no verb starts or imports what lies in the working folder or above it`() throws {
        let (laboratory, folder) = try Self.trapped()
        try laboratory.write(replications: 1, duration: "14 h", tables: "[runs]")
        let made = try laboratory.run("run", "small.yaml", "-o", "below/out", "--quiet")
        let generated = try laboratory.run("data", "workload", "generate", "--days", "1", "-o", "below/a.csv")
        #expect(made.code == 0 && generated.code == 0, "\(made.errors)\(generated.errors)")
        // A copy elsewhere: neither beside scripts of its own nor in the source.
        let bin = laboratory.folder.appending(path: "elsewhere/bin")
        try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
        let program = bin.appending(path: "flotsam").path
        try FileManager.default.copyItem(atPath: Laboratory.program("flotsam"), toPath: program)
        for words in ["report out", "data workload card a.csv -o a.html"] {
            let ending = try laboratory.run("-c", "cd below; \(program) \(words)", program: "/bin/bash")
            #expect(ending.code == 1 && ending.errors.contains("needs Python 3.11 or newer with Flotsam's package"))
        }
        for words in ["submit out --dask-local 1", "tune small.yaml --trials 1", "submit --help"] {
            for program in [program, Laboratory.program("flotsam")] {
                let ending = try laboratory.run(
                    "-c", "cd below; PYTHONPATH=. \(program) \(words)", program: "/bin/bash")
                #expect(!ending.errors.contains("Traceback"), "\(ending.errors)")
            }
        }
        let ran = try? String(contentsOf: laboratory.folder.appending(path: "RAN"), encoding: .utf8)
        #expect(ran == nil)
        #expect(FileManager.default.fileExists(atPath: folder.appending(path: "out/runs.csv").path))
    }

    @Test func `an experiment that pages name from the source is found where it was installed`() throws {
        let laboratory = try Laboratory()
        for name in ["bin", "share/flotsam/experiments/validation"] {
            try FileManager.default.createDirectory(
                at: laboratory.folder.appending(path: "prefix/\(name)"), withIntermediateDirectories: true)
        }
        let program = laboratory.folder.appending(path: "prefix/bin/flotsam").path
        try FileManager.default.copyItem(atPath: Laboratory.program("flotsam"), toPath: program)
        let experiment = """
            schema: 1
            name: installed
            seed: 1
            start: 2026-03-02 00:00
            duration: 2 d
            replications: 1
            apps: {catalog: everyday, count: 5}
            device: iphone-13
            user: {persona: average}
            policies: {eviction: [jetsam], scheduling: [opportunistic]}
            baseline: {eviction: jetsam, scheduling: opportunistic}
            targets: [{id: some, metric: kills_per_day, policy: jetsam+opportunistic, band: [0, 1000], source: none}]

            """
        for path in ["quickstart.yaml", "validation/one.yaml"] {
            try experiment.write(
                to: laboratory.folder.appending(path: "prefix/share/flotsam/experiments/" + path), atomically: true,
                encoding: .utf8)
        }
        for words in [["check", "experiments/quickstart.yaml"], ["validate", "experiments/validation"]] {
            let ending = try laboratory.start(words, program: program).ending()
            let note =
                "note: \(words[1]) is not here; reading the installed copy, prefix/share/flotsam/\(words[1])"
            #expect(ending.code == 0 && ending.errors.contains(note), "\(ending.errors)")
        }
        // One of one's own is taken as it is, and nothing outside of the folder is found.
        try laboratory.write(replications: 1)
        try FileManager.default.createDirectory(
            at: laboratory.folder.appending(path: "experiments"), withIntermediateDirectories: true)
        try FileManager.default.moveItem(
            at: laboratory.folder.appending(path: "small.yaml"),
            to: laboratory.folder.appending(path: "experiments/quickstart.yaml"))
        let own = try laboratory.start(["check", "experiments/quickstart.yaml"], program: program).ending()
        #expect(own.out.contains("small, ") && !own.errors.contains("installed"), "\(own.errors)")
        let other = try laboratory.start(["check", "experiments/../experiments/other.yaml"], program: program).ending()
        #expect(other.code == 1 && !other.errors.contains("installed"), "\(other.errors)")
    }

    @Test func `the Python of the environment that the program is installed in is taken`() throws {
        let laboratory = try Laboratory()
        let bin = laboratory.folder.appending(path: "environment/bin")
        try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
        let program = bin.appending(path: "flotsam").path
        try FileManager.default.copyItem(atPath: Laboratory.program("flotsam"), toPath: program)
        let python = bin.appending(path: "python3")
        try "#!/bin/sh\nshift 3; echo drawn \"$1 $2\" \"$@\"\n".write(to: python, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: python.path)
        try laboratory.run("data", "workload", "generate", "--days", "1", "-o", "a.csv")
        func card() throws -> Laboratory.Ending {
            try laboratory.run("data", "workload", "card", "a.csv", "-o", "a.html", program: program)
        }
        // Without an environment the Python beside it belongs to another program.
        #expect(try !card().out.hasPrefix("drawn"))
        let mark = laboratory.folder.appending(path: "environment/pyvenv.cfg")
        try "".write(to: mark, atomically: true, encoding: .utf8)
        let drawn = try card()
        #expect(drawn.code == 0 && drawn.out.hasPrefix("drawn flotsam.plots.__main__ card "), "\(drawn.errors)")
        #expect(drawn.out.contains(" a.csv -o a.html"), "\(drawn.out)")
    }
}
