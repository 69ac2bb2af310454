// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Testing

@testable import Scripts

/// Storage in scenario scripts: what the shipped ones do not show.
@Suite struct ScriptDiskTests {
    private func problems(_ text: String) -> [String] {
        do throws(Diagnostics) {
            _ = try loadScenarioScript(SourceText(name: "a.yaml", text: text))
            return []
        } catch {
            return error.list.map(\.message)
        }
    }

    private static func script(device: String, process: String = "", steps: String) -> String {
        """
        schema: 1
        name: storage
        device: {memory: {ram: 4 GiB}, os: ios-18\(device)}
        processes:
          - {name: a, windows: 1\(process)}
        steps:
          - {at: 0 s, process: a, do: open}
        \(steps)
        """
    }

    @Test(arguments: [
        "  - {at: 1 s, process: a, do: write-caches 1 MB}", "  - {at: 1 s, disk: {photos: 1 MB}}",
        "  - {at: 1 s, expect: {disk: {free: 1 GB}}}", "  - {at: 1 s, expect: {process: a, files: {tmp: 0 B}}}",
    ])
    func `a phone without storage has no files`(step: String) {
        let found = problems(Self.script(device: "", steps: step))
        #expect(found.count == 1 && found[0].hasPrefix("the phone of this scenario has no storage"))
        #expect(problems(Self.script(device: ", disk: {}", steps: step)).isEmpty)
    }

    @Test func `files of a process need storage, and have four keys`() {
        let files = ", files: {caches: 1 MB}"
        let step = "  - {at: 1 s, expect: {process: a, alive: true}}"
        #expect(problems(Self.script(device: "", process: files, steps: step)).count == 1)
        #expect(problems(Self.script(device: ", disk: {}", process: files, steps: step)).isEmpty)
        let late = ", files: {updates_per_month: 3}"
        let unknown = problems(Self.script(device: ", disk: {}", process: late, steps: step))
        #expect(unknown.count == 1)
        #expect(unknown.first?.contains("updates_per_month") == true)
        #expect(problems(Self.script(device: ", disk: {fetched_again: 3 %}", steps: step)).count == 1)
    }

    @Test func `a phone without storage always has room for what was fetched`() throws {
        let text = Self.script(
            device: "",
            steps: """
                  - {at: 1 s, device: {network: wifi}}
                  - {at: 1 s, process: a, do: begin-transfer 500 GB}
                  - {at: 2 s, process: a, do: end-transfer}
                  - {at: 2 s, expect: {process: a, transfers: {count: 0}}}
                """)
        #expect(run(try loadScenarioScript(SourceText(name: "a.yaml", text: text))).passed)
    }
}
