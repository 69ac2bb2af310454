// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// The experiments that come with the program.
@Suite struct ShippedFileTests {
    @Test func `the files of the observations pass their check`() throws {
        let laboratory = try Laboratory()
        let folder = Laboratory.package.appendingPathComponent("experiments/validation")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".yaml") }
        #expect(names.count > 10)
        for name in names.sorted() where name != "known-misses.yaml" {
            let ending = try laboratory.run("check", folder.appendingPathComponent(name).path)
            #expect(ending.code == 0 && ending.out.contains(": ok: "), "\(name): \(ending.talk)")
        }
    }

    @Test func `a bench is checked as a bench`() throws {
        let laboratory = try Laboratory()
        let shipped = Laboratory.package.appendingPathComponent("experiments/validation/energy-radio.yaml")
        let good = try laboratory.run("check", shipped.path)
        #expect(good.out.hasSuffix("energy-radio.yaml: ok: energy-radio, 9 cases, 5 targets\n"), "\(good.talk)")
        let text = try String(contentsOf: shipped, encoding: .utf8)
        try text.replacing("value: tail_share", with: "value: tail_shar").write(
            to: laboratory.folder.appendingPathComponent("bench.yaml"), atomically: true, encoding: .utf8)
        let bad = try laboratory.run("check", "bench.yaml")
        #expect(bad.code == 1 && bad.talk.contains("did you mean \"tail_share\"?"), "\(bad.talk)")
        #expect(!bad.talk.contains("duration: 15 min") && bad.talk.components(separatedBy: "error:").count == 2)
        let set = try laboratory.run("check", "bench.yaml", "--set", "seed=2")
        #expect(set.code == 1 && set.talk.contains("a bench takes no --set"), "\(set.talk)")
    }

    @Test func `each observation of background work is measured or has a test of its name`() throws {
        let folder = Laboratory.package.appendingPathComponent("experiments/validation")
        var text = ""
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasPrefix("background-")
        {
            text += try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
        }
        for number in 1...34 where number != 22 {
            let id = number < 10 ? "V0\(number)" : "V\(number)"
            #expect(text.contains("id: \(id)\n"), "\(id)")
        }
    }
}
