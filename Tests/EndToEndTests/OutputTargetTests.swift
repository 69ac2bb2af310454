// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Glibc
import Testing

/// What `-o` may and may not replace, and what happens when nothing can be written.
@Suite(.serialized) struct OutputTargetTests {
    @Test func `another file is not replaced unless the user insists, a generated one is`() throws {
        let laboratory = try Laboratory()
        try laboratory.write()
        let before = try laboratory.bytes("small.yaml")
        let refused = try laboratory.run("data", "workload", "generate", "--days", "1", "-o", "small.yaml")
        #expect(refused.code == 1)
        #expect(refused.errors.contains("--force"), "\(refused.errors)")
        #expect(try laboratory.bytes("small.yaml") == before)
        for seed in ["1", "2"] {
            let ending = try laboratory.run(
                "data", "workload", "generate", "--days", "3", "--seed", seed, "-o", "w.csv")
            #expect(ending.code == 0, "\(ending.errors)")
            #expect(ending.out.hasSuffix(", 3 days\n"))
        }
        #expect(try laboratory.text("w.csv").hasPrefix("# zone: UTC\n# origin: generated:"))
        #expect(
            try laboratory.run("data", "workload", "generate", "--days", "1", "--force", "-o", "small.yaml").code == 0)
    }

    /// Whether character devices can be made here; in most containers they cannot.
    private static let canMakeDevices: Bool = {
        guard let laboratory = try? Laboratory() else { return false }
        return mknod(laboratory.folder.appendingPathComponent("null").path, S_IFCHR | 0o600, 0x103) == 0
    }()

    @Test func `a pipe is written into, a link is followed`() throws {
        let laboratory = try Laboratory()
        let pipe = laboratory.folder.appendingPathComponent("pipe").path
        #expect(mkfifo(pipe, 0o600) == 0)
        let reader = try laboratory.start(["-c", "timeout 20 cat pipe"], program: "/bin/bash")
        #expect(try laboratory.run("data", "workload", "generate", "--days", "1", "-o", "pipe").code == 0)
        let text = reader.ending().out
        #expect(text.contains("t_s,event,app,value\n"))
        #expect(symlink("target.csv", laboratory.folder.appendingPathComponent("link.csv").path) == 0)
        #expect(try laboratory.run("data", "workload", "generate", "--days", "1", "-o", "link.csv").code == 0)
        #expect(try laboratory.text("target.csv") == text)
    }

    @Test(.enabled(if: canMakeDevices, "mknod is forbidden here"))
    func `a device is written into and stays one`() throws {
        let laboratory = try Laboratory()
        try laboratory.write()
        let device = laboratory.folder.appendingPathComponent("full").path
        #expect(mknod(device, S_IFCHR | 0o600, 0x107) == 0)
        let full = try laboratory.run("data", "workload", "generate", "--days", "1", "-o", "full")
        #expect(full.code == 3, "\(full.errors)")
        var status = stat()
        #expect(stat(device, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
    }

    @Test func `a file-size limit is an error with a message and leaves nothing behind`() throws {
        let laboratory = try Laboratory()
        let words = ["-c", "ulimit -f 20; exec \"$0\" \"$@\"", Laboratory.program("flotsam")]
        let ending = try laboratory.start(
            words + ["data", "workload", "generate", "--days", "60", "-o", "big.csv"], program: "/bin/bash"
        ).ending()
        #expect(ending.code == 3)
        #expect(ending.errors.contains("big.csv: error: cannot write"), "\(ending.errors)")
        let left = try FileManager.default.contentsOfDirectory(atPath: laboratory.folder.path)
        #expect(!left.contains { $0.hasPrefix("big.csv") }, "\(left)")
    }

    @Test func `run and check say when standard output takes nothing`() throws {
        let laboratory = try Laboratory()
        try laboratory.write()
        for words in [["check", "small.yaml"], ["run", "small.yaml", "-o", "a"]] {
            let ending = try laboratory.start(
                ["-c", "exec \"$0\" \"$@\" > /dev/full", Laboratory.program("flotsam")] + words, program: "/bin/bash"
            ).ending()
            #expect(ending.code == 3, "\(words)")
            #expect(ending.errors.contains("cannot write to standard output"), "\(ending.errors)")
        }
    }

    @Test func `an unknown base and an unknown zone are refused at import`() throws {
        let laboratory = try Laboratory()
        let profile = "<device><item name=\"screen.on\">100</item></device>"
        try profile.write(to: laboratory.folder.appendingPathComponent("p.xml"), atomically: true, encoding: .utf8)
        let base = try laboratory.run("data", "import", "power-profile", "p.xml", "-o", "p.yaml", "--base", "iphone-31")
        #expect(base.code == 1)
        #expect(base.errors.contains("did you mean \"iphone-13\"?"), "\(base.errors)")
        let zone = try laboratory.run("data", "import", "app-usage", "p.xml", "-o", "z.csv", "--zone", "Mars/Phobos")
        #expect(zone.code == 1)
        #expect(zone.errors.contains("unknown time zone \"Mars/Phobos\""), "\(zone.errors)")
    }
}
