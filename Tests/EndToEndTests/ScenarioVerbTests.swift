// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// `flotsam scenario` as a user calls it.
@Suite struct ScenarioVerbTests {
    private func script(_ band: Int) -> String {
        """
        schema: 1
        name: ageing
        processes:
          - {name: d, kind: daemon, tracked: true, idle_exit: true, band: 30}
        steps:
          - {at: 1 s, expect: {process: d, band: \(band)}}

        """
    }

    @Test func `a script that holds exits with 0, one that does not with 2, one that is wrong with 1`() throws {
        let laboratory = try Laboratory()
        for (name, text) in [("good", script(10)), ("bad", script(30)), ("wrong", "schema: 1\nnam: x\n")] {
            try Data(text.utf8).write(to: laboratory.folder.appendingPathComponent("\(name).yaml"))
        }
        let good = try laboratory.run("scenario", "good.yaml")
        #expect(good.code == 0 && good.out == "good.yaml: ok: ageing, 1 expectation, 0 kills\n", "\(good.out)")
        let bad = try laboratory.run("scenario", "good.yaml", "bad.yaml")
        #expect(bad.code == 2)
        #expect(bad.errors.contains("bad.yaml:6:5: error: at 1.0 s: band of d: expected 30, found 10"), "\(bad.errors)")
        let wrong = try laboratory.run("scenario", "wrong.yaml", "bad.yaml")
        #expect(wrong.code == 1)
        #expect(wrong.errors.contains("unknown key \"nam\""), "\(wrong.errors)")
    }
}
