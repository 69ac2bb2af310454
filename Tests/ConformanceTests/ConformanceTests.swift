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
    @Test func `the scripts are those that the page of conformance names, once each`() throws {
        let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let path = root + "/docs/evidence/conformance.md"
        let page = try SourceText.read(path: path).get().text
        let named = page.split(separator: "/scenarios/").dropFirst().compactMap { rest in
            rest.split(separator: ")").first.map(String.init)
        }.filter { $0.hasSuffix(".yaml") && !$0.hasPrefix("*") }
        #expect(named == scripts.compactMap { $0.split(separator: "/").last.map(String.init) })
        #expect(named.count > 100)
    }

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
