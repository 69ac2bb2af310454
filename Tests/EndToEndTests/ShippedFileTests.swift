// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// The experiments that come with the program.
@Suite struct ShippedFileTests {
    /// Every experiment of every folder, by its path in the package.
    private static func experiments() throws -> [String] {
        let folder = Laboratory.package.appendingPathComponent("experiments")
        let all = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return try all.filter { $0.hasSuffix(".yaml") }.sorted().filter { name in
            let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            return text.contains("\nname: ")
        }
    }

    @Test func `every shipped experiment passes its check`() throws {
        let laboratory = try Laboratory()
        let names = try Self.experiments()
        let folders = Set(names.map { $0.contains("/") ? String($0.split(separator: "/")[0]) : "" })
        #expect(folders.isSuperset(of: ["", "validation"]), "\(folders)")
        for name in names {
            let ending = try laboratory.run("check", Laboratory.package.path + "/experiments/" + name)
            #expect(ending.code == 0 && ending.out.contains(": ok: "), "\(name): \(ending.errors)")
        }
    }

    @Test func `a bench is checked as a bench`() throws {
        let laboratory = try Laboratory()
        let shipped = Laboratory.package.appendingPathComponent("experiments/validation/energy-radio.yaml")
        let good = try laboratory.run("check", shipped.path)
        #expect(good.out.hasSuffix("energy-radio.yaml: ok: energy-radio, 9 cases, 5 targets\n"), "\(good.errors)")
        let text = try String(contentsOf: shipped, encoding: .utf8)
        try text.replacing("value: tail_share", with: "value: tail_shar").write(
            to: laboratory.folder.appendingPathComponent("bench.yaml"), atomically: true, encoding: .utf8)
        let bad = try laboratory.run("check", "bench.yaml")
        #expect(bad.code == 1 && bad.errors.contains("did you mean \"tail_share\"?"), "\(bad.errors)")
        #expect(!bad.errors.contains("duration: 15 min") && bad.errors.components(separatedBy: "error:").count == 2)
        let set = try laboratory.run("check", "bench.yaml", "--set", "seed=2")
        #expect(set.code == 1 && set.errors.contains("a bench takes no --set"), "\(set.errors)")
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
