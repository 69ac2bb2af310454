// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// The experiments that come with the program.
@Suite struct ShippedFileTests {
    /// Every experiment of every folder, by its path in the package; benches are not experiments.
    private static func experiments() throws -> [String] {
        let folder = Laboratory.package.appendingPathComponent("experiments")
        let all = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return try all.filter { $0.hasSuffix(".yaml") }.sorted().filter { name in
            let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            return text.contains("\nname: ") && !text.contains("kind: bench")
        }
    }

    @Test func `every shipped experiment passes its check`() throws {
        let laboratory = try Laboratory()
        let names = try Self.experiments()
        let folders = Set(names.map { $0.contains("/") ? String($0.split(separator: "/")[0]) : "" })
        #expect(folders.isSuperset(of: ["", "validation"]), "\(folders)")
        for name in names {
            let ending = try laboratory.run("check", Laboratory.package.path + "/experiments/" + name)
            #expect(ending.code == 0, "\(name): \(ending.talk)")
        }
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
