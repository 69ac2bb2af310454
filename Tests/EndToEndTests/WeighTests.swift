// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// `flotsam why --sensitivity` as users call it.
@Suite struct WeighTests {
    @Test func `a directory keeps what its assumptions weigh, and a part is only printed`() throws {
        let laboratory = try Laboratory()
        try laboratory.write(duration: "1 d", tables: "[runs]")
        #expect(try laboratory.run("run", "small.yaml", "-o", "a", "--quiet").code == 0)
        let part = try laboratory.run("why", "--sensitivity", "a", "--only", "device.camera", "--by", "10 %")
        #expect(part.code == 0 && part.out.contains("of 1 assumption, each varied alone by 10 %"), "\(part)")
        let kept = laboratory.folder.appendingPathComponent("a/weights.json")
        #expect(!FileManager.default.fileExists(atPath: kept.path))
        let whole = try laboratory.run("why", "--sensitivity", "a", "--replications", "1", "--json")
        #expect(whole.code == 0)
        #expect(try laboratory.text("a/weights.json") == whole.out)
        let found = try #require(try JSONSerialization.jsonObject(with: Data(whole.out.utf8)) as? [String: Any])
        #expect(found["written"] as? String == (try laboratory.text("small.yaml")))
        let rows = try #require(found["assumptions"] as? [[String: Any]])
        let camera = try #require(rows.first { $0["path"] as? String == "device.camera.power" })
        #expect((camera["low"] as? [String: Any])?["value"] as? String == "980 mW")
        #expect((camera["high"] as? [String: Any])?["value"] as? String == "1820 mW")
        let weights = rows.compactMap { $0["weight"] as? Double }
        #expect(weights.count == rows.count && weights == weights.sorted(by: >) && weights[0] > 0)
    }

    @Test func `a share beyond all and settings of results are refused`() throws {
        let laboratory = try Laboratory()
        try laboratory.write(replications: 1, duration: "1 d", tables: "[runs]")
        let share = try laboratory.run("why", "--sensitivity", "small.yaml", "--by", "130 %")
        #expect(share.code == 1 && share.errors.contains("--by expects a share between 0 and 100 %, found \"130 %\""))
        #expect(try laboratory.run("run", "small.yaml", "-o", "a", "--quiet").code == 0)
        let setting = try laboratory.run("why", "--sensitivity", "a", "--set", "seed=4")
        #expect(setting.code == 1 && setting.errors.contains("name its file"))
    }
}
