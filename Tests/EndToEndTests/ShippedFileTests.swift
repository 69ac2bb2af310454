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
        for name in names.sorted() {
            let path = folder.appendingPathComponent(name).path
            // Benches are not experiments.
            guard !(try String(contentsOfFile: path, encoding: .utf8)).contains("kind: bench") else { continue }
            let ending = try laboratory.run("check", path)
            #expect(ending.code == 0, "\(ending.errors)")
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
