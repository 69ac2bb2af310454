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
            #expect(ending.code == 1 && ending.errors.contains("is neither beside this program nor in the source"))
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

    @Test func `a script in the share folder beside the program is its own`() throws {
        let laboratory = try Laboratory()
        let prefix = laboratory.folder.appending(path: "prefix")
        for name in ["bin", "share/flotsam/plots"] {
            try FileManager.default.createDirectory(at: prefix.appending(path: name), withIntermediateDirectories: true)
        }
        let program = prefix.appending(path: "bin/flotsam").path
        try FileManager.default.copyItem(atPath: Laboratory.program("flotsam"), toPath: program)
        let script = prefix.appending(path: "share/flotsam/plots/card")
        try "#!/bin/sh\necho drawn \"$@\"\n".write(to: script, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script.path)
        try laboratory.run("data", "workload", "generate", "--days", "1", "-o", "a.csv")
        let ending = try laboratory.run("data", "workload", "card", "a.csv", "-o", "a.html", program: program)
        #expect(ending.code == 0 && ending.out.hasPrefix("drawn a.csv -o a.html "), "\(ending.errors)")
    }
}
