// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Glibc
import Scripts
import Testing

/// `docs/evidence/conformance.md` is what the scripts say, and no scenario of the list is forgotten.
@Suite struct ConformancePageTests {
    private struct Row {
        var path: String
        var script: ScenarioScript
        var outcome: ScriptOutcome
    }

    private static func rows() throws -> [Row] {
        try scripts.map { path in
            let script = try loadScenarioScript(path: path)
            return Row(path: path, script: script, outcome: run(script))
        }
    }

    private static func page(_ rows: [Row]) -> String {
        let covered = rows.flatMap(\.script.scenarios).count
        var text = """
            # Conformance with the public kernel

            Each script compares the process table with a rule of Apple's published kernel or of its tests
            (apple-oss-distributions/xnu, 11417.101.15). Written by `FLOTSAM_UPDATE_CONFORMANCE=1 swift test --filter
            ConformancePageTests`. To run the scripts, use `flotsam lab scenario
            Tests/ConformanceTests/scenarios/*.yaml`.
            Each case of a kernel test file has an identifier of ours; X-… marks cases that follow from the source.

            \(rows.count) scripts, \(rows.reduce(0) { $0 + $1.outcome.expectations }) expectations, \(covered) of \
            \(NotModelled.list.count) cases.

            | Cases | Rule | Kernel source | Script | Result |
            |---|---|---|---|---|

            """
        for row in rows {
            let file = row.path.split(separator: "/").last.map(String.init) ?? ""
            let cases = row.script.scenarios.isEmpty ? "–" : row.script.scenarios.joined(separator: ", ")
            text += "| \(cases) | \(row.script.rule) | \(row.script.kernelSource) "
            text += "| [\(file)](../../Tests/ConformanceTests/scenarios/\(file)) "
            text += "| \(row.outcome.passed ? "passes" : "misses \(row.outcome.missed.count)") |\n"
        }
        text += "\n<!-- shown by: ConformanceTests; ConformancePageTests -->\n"
        text += "\n## Cases without a script\n\n| Cases | Kernel source | Why |\n|---|---|---|\n"
        for one in NotModelled.all { text += "| \(one.scenarios) | \(one.kernel) | \(one.reason) |\n" }
        return text
    }

    @Test func `the page of conformance is what the scripts give`() throws {
        let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let path = root + "/docs/evidence/conformance.md"
        let text = Self.page(try Self.rows())
        if getenv("FLOTSAM_UPDATE_CONFORMANCE") != nil {
            let file = try #require(fopen(path, "w"))
            fputs(text, file)
            fclose(file)
        }
        let shipped = try SourceText.read(path: path).get().text
        #expect(shipped == text, "FLOTSAM_UPDATE_CONFORMANCE=1 swift test --filter ConformancePageTests writes it anew")
    }

    @Test func `every case of the list has a script or a reason`() throws {
        var known = Set(try scripts.flatMap { try loadScenarioScript(path: $0).scenarios })
        for one in NotModelled.all { known.formUnion(one.scenarios.split(separator: ", ").map(String.init)) }
        #expect(NotModelled.list.filter { !known.contains($0) } == [])
        #expect(known.subtracting(NotModelled.list).sorted() == [])
    }
}
