// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// An experiment as one file, and replays that need no experiment beside them.
@Suite(.serialized) struct OneFileTests {
    @Test func `one file with everything laid out gives the same runs`() throws {
        let laboratory = try Laboratory()
        try laboratory.write(replications: 1)
        // Fewer apps than the catalogue names and one more: which are the catalogue's own has to survive.
        let settings = [
            "--set", "apps.count=20", "--set", "apps.apps.mine={category: news, footprint: {value: 300 MiB}}",
        ]
        let words = ["check", "small.yaml"] + settings + ["--emit-config", "whole.yaml"]
        let ending = try laboratory.start(words).ending()
        #expect(ending.code == 0 && !ending.out.contains("still reads"), "\(ending.out)\(ending.errors)")
        let text = try laboratory.text("whole.yaml")
        #expect(text.contains("\n  memory:\n    ram: 4 GiB\n") && text.contains("\n# user.persona."))
        #expect(try laboratory.start(["run", "small.yaml", "-o", "a", "--quiet"] + settings).ending().code == 0)
        #expect(try laboratory.run("run", "whole.yaml", "-o", "b", "--quiet").code == 0)
        #expect(try laboratory.bytes("a/runs.csv") == laboratory.bytes("b/runs.csv"))
        #expect(try laboratory.bytes("a/device_hours.csv") == laboratory.bytes("b/device_hours.csv"))
        // A file of the user's own is not replaced unasked, an earlier one of this kind is.
        #expect(try laboratory.start(words).ending().code == 0)
        let own = try laboratory.start(words.dropLast() + ["small.yaml"]).ending()
        #expect(own.code == 1 && own.errors.contains("--force"), "\(own.errors)")
    }

    @Test func `a run is done again without the experiment that made it, or beside a changed one`() throws {
        let laboratory = try Laboratory()
        try laboratory.write(replications: 1)
        #expect(try laboratory.run("run", "small.yaml", "-o", "results/a", "--quiet").code == 0)
        try FileManager.default.removeItem(at: laboratory.folder.appendingPathComponent("small.yaml"))
        let gone = try laboratory.run("repeat", "results/a#1")
        #expect(gone.code == 0 && gone.out.contains("the result matches bit for bit"), "\(gone.errors)")
        try laboratory.write(replications: 1, duration: "1 d")
        let changed = try laboratory.run("repeat", "results/a#1")
        #expect(changed.code == 0 && changed.out.contains("the result matches bit for bit"), "\(changed.errors)")
        #expect(try laboratory.run("repeat", "results/a", "--sample", "100 %").code == 0)
        // A file that the user names is meant, and it describes other runs.
        let named = try laboratory.run("repeat", "results/a#1", "--experiment", "small.yaml")
        #expect(named.code == 1 && named.errors.contains("no longer describes run 1"), "\(named.errors)")
    }
}
