// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// A directory that is laid out once and worked on by several processes, each with its own copy where machines share
/// no disk.
@Suite(.serialized) struct ManyMachinesTests {
    private let tables = [
        "runs.csv", "summary.csv", "comparisons.csv", "device_hours.csv", "columns.csv", "datapackage.json",
        "failures.jsonl",
    ]

    /// Replications, a multiple of three, that take long enough to be disturbed.
    #if DEBUG
        private let many = 12
    #else
        private let many = 240
    #endif

    private func expectSameTables(_ laboratory: Laboratory, _ left: String, _ right: String) throws {
        for table in tables {
            #expect(try laboratory.bytes(left + "/" + table) == laboratory.bytes(right + "/" + table), "\(table)")
        }
    }

    private func segments(_ laboratory: Laboratory, _ directory: String) throws -> [URL] {
        let folder = laboratory.folder.appendingPathComponent(directory + "/segments")
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: [.fileSizeKey])
    }

    private func copy(_ laboratory: Laboratory, _ left: String, _ right: String) throws {
        try FileManager.default.copyItem(
            at: laboratory.folder.appendingPathComponent(left), to: laboratory.folder.appendingPathComponent(right))
    }

    @Test func `shards in any order, one done twice, one killed and done again, leave the tables of one run`() throws {
        let laboratory = try Laboratory()
        try laboratory.write(replications: many)
        #expect(try laboratory.run("run", "small.yaml", "-o", "whole", "--quiet").code == 0)
        let laid = try laboratory.run("cluster", "init", "small.yaml", "-o", "a")
        #expect(laid.out.hasPrefix("a: \(2 * many) runs prepared, 0 done"), "\(laid.errors)")
        // Elsewhere there is neither the experiment nor a folder of models.
        try copy(laboratory, "a", "b")
        try FileManager.default.removeItem(at: laboratory.folder.appendingPathComponent("small.yaml"))
        let third = try laboratory.run("cluster", "exec", "a", "--shard", "3/3")
        let part = 2 * many / 3
        #expect(third.code == 0)
        #expect(third.out == "a: \(part) runs requested; 0 done before, \(part) done now, 0 missing\n")
        #expect(try laboratory.run("cluster", "exec", "b", "--shard", "3/3", "--quiet").code == 0)
        for segment in try segments(laboratory, "b") {
            try FileManager.default.moveItem(
                at: segment,
                to: laboratory.folder.appendingPathComponent("a/segments/" + segment.lastPathComponent))
        }
        let killed = try laboratory.start(["cluster", "exec", "a", "--shard", "1/3", "--quiet"])
        #expect(
            killed.wait {
                let sizes =
                    (try? segments(laboratory, "a").map { try $0.resourceValues(forKeys: [.fileSizeKey]) }) ?? []
                return sizes.filter { ($0.fileSize ?? 0) > 3000 }.count == 3
            })
        kill(killed.identifier, SIGKILL)
        #expect(killed.ending().code == -SIGKILL)
        let early = try laboratory.run("cluster", "merge", "a", "--quiet")
        #expect(early.code == 3)
        #expect(early.errors.contains("runs of \(2 * many) missing: "), "\(early.errors)")
        #expect(try laboratory.run("cluster", "exec", "a", "--shard", "1/3", "--quiet").code == 0)
        #expect(
            try laboratory.run("cluster", "exec", "a", "--runs", "\(part)-\(2 * part - 1)", "-j", "2", "--quiet").code
                == 0)
        let merged = try laboratory.run("cluster", "merge", "a")
        #expect(merged.code == 0, "\(merged.errors)")
        #expect(merged.out.contains("relaunches_per_day"))
        try expectSameTables(laboratory, "a", "whole")
        #expect(try laboratory.run("repeat", "a#5").code == 0, "from the bundle, as the experiment is gone")
    }

    @Test func `an experiment with files of its own is carried whole, one that names files from afar is refused`()
        throws
    {
        let laboratory = try Laboratory()
        try laboratory.write(replications: 2)
        let folder = laboratory.folder.path
        for name in ["exp", "data"] {
            try FileManager.default.createDirectory(atPath: folder + "/" + name, withIntermediateDirectories: true)
        }
        let text = try laboratory.text("small.yaml").replacing("{persona: average}", with: "{persona: ../data/p.yaml}")
        try text.write(toFile: folder + "/exp/small.yaml", atomically: true, encoding: .utf8)
        try "base: average\npickups: {per_day: 40}\n"
            .write(toFile: folder + "/data/p.yaml", atomically: true, encoding: .utf8)
        #expect(try laboratory.run("run", "exp/small.yaml", "-o", "whole", "--quiet").code == 0)
        #expect(try laboratory.run("cluster", "init", "exp/small.yaml", "-o", "a").code == 0)
        for name in ["exp", "data"] { try FileManager.default.removeItem(atPath: folder + "/" + name) }
        #expect(try laboratory.run("cluster", "exec", "a", "--quiet").code == 0)
        #expect(try laboratory.run("cluster", "merge", "a", "--quiet").code == 0)
        try expectSameTables(laboratory, "a", "whole")
        try "base: average\n".write(toFile: folder + "/q.yaml", atomically: true, encoding: .utf8)
        let afar = try laboratory.run(
            "cluster", "init", "small.yaml", "-o", "b", "--set", "user.persona=\(folder)/q.yaml")
        #expect(afar.code == 1 && afar.errors.contains("cannot be bundled"), "\(afar.errors)")
    }

    @Test func `a processor with other arithmetic is refused, and so is another program`() throws {
        let laboratory = try Laboratory()
        try laboratory.write(replications: 1)
        #expect(try laboratory.run("cluster", "init", "small.yaml", "-o", "a").code == 0)
        let bundle = try laboratory.text("a/bundle/bundle.json")
        let versions = try #require(
            (try JSONSerialization.jsonObject(with: Data(bundle.utf8)) as? [String: Any])?["versions"]
                as? [String: Any])
        for (key, words) in [("arithmetic", "arithmetic of the processor"), ("build", "build of flotsam")] {
            let own = try #require(versions[key] as? String)
            try bundle.replacing(own, with: "0123456789abcdef").write(
                to: laboratory.folder.appendingPathComponent("a/bundle/bundle.json"), atomically: true, encoding: .utf8)
            for verb in ["exec", "merge"] {
                let ending = try laboratory.run(verb, "a")
                #expect(ending.code == 1)
                #expect(ending.errors.contains("was made with another \(words) (0123456789abcdef there, \(own) here)"))
            }
        }
        #expect(try segments(laboratory, "a").isEmpty)
    }

    /// Whether the processor has fused multiply-add, whose absence the C library can be told to pretend.
    private static var hasFusedMultiplyAdd: Bool {
        let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        return text.contains(" fma ") && text.contains(" avx2 ")
    }

    @Test(.enabled(if: hasFusedMultiplyAdd, "this processor has one arithmetic only"))
    func `the C library's functions for a lesser processor are other arithmetic`() throws {
        let laboratory = try Laboratory()
        try laboratory.write(replications: 1)
        #expect(try laboratory.run("cluster", "init", "small.yaml", "-o", "a").code == 0)
        let lesser = "GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA,-AVX2_Usable,-FMA_Usable"
        let program = Laboratory.program("flotsam")
        let ending = try laboratory.run("-c", "\(lesser) exec \(program) exec a", program: "/bin/bash")
        #expect(ending.code == 1)
        #expect(ending.errors.contains("another arithmetic of the processor"), "\(ending.errors)")
        #expect(try laboratory.run("cluster", "exec", "a", "--quiet").code == 0)
    }

    @Test func `exec says what it needs, and what is wrong with its words`() throws {
        let laboratory = try Laboratory()
        try laboratory.write(replications: 1)
        #expect(try laboratory.run("run", "small.yaml", "-o", "a", "--quiet").code == 0)
        #expect(
            try laboratory.run("cluster", "exec", "a").errors.contains(
                "flotsam cluster init EXPERIMENT.yaml -o a makes one"))
        #expect(
            try laboratory.run("cluster", "init", "small.yaml", "-o", "a").out.hasPrefix("a: 2 runs prepared, 2 done"))
        #expect(
            try laboratory.run("cluster", "exec", "a").out
                == "a: 2 runs requested; 2 done before, 0 done now, 0 missing\n")
        #expect(try laboratory.run("cluster", "exec", "a", "--shard", "3/2").code == 1)
        #expect(try laboratory.run("cluster", "exec", "a", "--shard", "1/2", "--runs", "0").code == 1)
        #expect(try laboratory.run("cluster", "exec", "a", "--runs", "2").errors.contains("the plan has no run 2"))
    }
}
