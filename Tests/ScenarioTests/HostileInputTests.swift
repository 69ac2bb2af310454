// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Testing

@testable import Scenario

/// Junk at every path ends in an explanation, never in a trap.
@Suite struct HostileInputTests {
    static let junk = ["", "[]", "x", "-1", "[[{a: b}]]", "{base: {base: x}}"]

    @Test(arguments: junk) func `junk under any key of an experiment is explained`(value: String) {
        for line in sample.split(separator: "\n") where line.contains(":") {
            let key = line.split(separator: ":", maxSplits: 1)[0]
            let found = complaint(String(key), "\(key): \(value)")
            #expect(found == "no problem" || found.contains("error: "), "\(key): \(value)")
        }
    }

    @Test(arguments: ["x", "-1", "[{}]"]) func `junk deep in a model is explained`(value: String) throws {
        let report = ConfigReport(recordsKeys: true)
        let source = SourceText(name: "a.yaml", text: sample)
        let loader = ExperimentLoader(
            try YAML.parse(source).get(), source: source, catalog: .builtIn, library: library, report: report)
        #expect(loader.load() != nil)
        let paths = Set(report.keys.map { $0.path.isEmpty ? $0.key : "\($0.path).\($0.key)" })
            .filter { !$0.contains("[") && !$0.hasPrefix("apps.apps") && !$0.hasPrefix("apps.categories") }
        #expect(paths.count > 150)
        var overrides: [String] = []
        for path in paths.sorted()
        where Sweep.variable.contains(path.split(separator: ".").first.map(String.init) ?? "") {
            guard path.contains("."), !path.hasSuffix(".assumptions") else { continue }
            overrides.append("\(path)=\(value)")
        }
        // All at once: every one that is wrong has its own line in the answer.
        let found = complaint("seed", "seed: 7", overrides: overrides)
        #expect(found.split(separator: "\n").filter { $0.contains("error: ") }.count > 20, "\(found)")
        for index in stride(from: 0, to: overrides.count, by: 19) {
            let one = complaint("seed", "seed: 7", overrides: [overrides[index]])
            #expect(one == "no problem" || one.contains("error: "), "\(overrides[index])")
        }
    }
}
