// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Glibc
import Scripts
import Testing

/// The scripts of the folder beside this file.
let scripts: [String] = {
    let folder = #filePath.split(separator: "/").dropLast().joined(separator: "/")
    let path = "/" + folder + "/scenarios"
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name.hasSuffix(".yaml") { names.append(path + "/" + name) }
    }
    return names.sorted()
}()

@Suite struct ConformanceTests {
    @Test func `there are scripts`() { #expect(scripts.count > 20) }

    @Test(arguments: scripts) func `a script of the conformance list passes`(path: String) throws {
        let script: ScenarioScript
        do {
            script = try loadScenarioScript(path: path)
        } catch {
            Issue.record("\(error.description)")
            return
        }
        let outcome = run(script)
        for missed in outcome.missed {
            Issue.record("\(missed.diagnostic.message) (line \(missed.location.line))")
        }
        #expect(outcome.expectations > 0)
    }
}
