// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// The folder of recordings, when it is at hand.
let recordings = ProcessInfo.processInfo.environment["FLOTSAM_RECORDINGS"]

/// Recordings of real phones, played again.
///
/// `FLOTSAM_RECORDINGS=FOLDER swift test --filter RecordedEnergyTests`; the folder holds `power-profiles` and `traces`.
@Suite(.serialized, .enabled(if: recordings != nil, "FLOTSAM_RECORDINGS names no folder: they may not be shipped"))
struct RecordedEnergyTests {
    /// A discharge run: what was on screen, how bright, from when to when, and what the phone lost in %/h.
    private struct Discharge {
        let title: String
        let measured: String
        let app: String
        let activity: String
        let brightness: Int
        let from: Int
        let until: Int
        let lost: Double
    }

    // Rates: Yang (2026), Smartphone Battery Modeling - Open Data Pack, CC BY 4.0, tte_summary_with_conditions.csv.
    private static let discharges = [
        Discharge(
            title: "idle", measured: "below 1.5 %/h", app: "idle", activity: "general", brightness: 50, from: 3149,
            until: 5536, lost: 1.4),
        Discharge(
            title: "video at 90 % brightness", measured: "8.3 %/h (its charge counter says 16)", app: "film",
            activity: "video", brightness: 90, from: 6242, until: 7944, lost: 8.3),
        Discharge(
            title: "reading at 25 %", measured: "1.5 %/h", app: "reader", activity: "browse", brightness: 25,
            from: 42529, until: 44898, lost: 1.5),
        Discharge(
            title: "maps at 50 %", measured: "7.2 %/h", app: "guide", activity: "navigation", brightness: 50,
            from: 45554, until: 48037, lost: 7.16),
        Discharge(
            title: "3D game at 80 %", measured: "24.3 %/h", app: "arcade", activity: "game", brightness: 80,
            from: 48184, until: 50531, lost: 24.25),
    ]

    @Test func `five discharge runs rank as measured, on the profile of another phone`() throws {
        let folder = try #require(recordings)
        let laboratory = try Laboratory()
        try laboratory.run(
            "data", "import", "power-profile", folder + "/power-profiles/google_redfin_pixel5.xml", "-o",
            "pixel-5.yaml",
            "--ram", "8 GiB")
        var found: [Double] = []
        for (index, run) in Self.discharges.enumerated() {
            let name = "run\(index + 1)"
            let history = folder + "/traces/batterystats_scenarios/scenario\(index + 1)_history.txt"
            let ending = try laboratory.run(
                "data", "import", "batterystats", history, "--app", run.app, "--idle-rest", "-o", name + ".csv")
            #expect(ending.code == 0, "\(ending.errors)")
            found.append(try percentPerHour(laboratory, name, run))
        }
        // What models/recordings.md prints; the recording's are beside it.
        let rounded = found.map { ($0 * 10).rounded() / 10 }
        #expect(rounded == [1.4, 15.0, 8.6, 13.7, 29.7], "\(found)")
        func ranks(_ values: [Double]) -> [Int] { values.indices.sorted { values[$0] < values[$1] } }
        #expect(ranks(found) == ranks(Self.discharges.map(\.lost)))
        #expect(abs(found[4] / Self.discharges[4].lost - 1) < 0.25, "\(found[4])")
        #expect(found[0] < 1.5)
    }

    private func percentPerHour(_ laboratory: Laboratory, _ name: String, _ run: Discharge) throws -> Double {
        let text = """
            schema: 1
            name: \(name)
            seed: 1
            start: 2026-01-31 00:00
            duration: \(run.until) s
            warmup: \(run.from) s
            replications: 1
            device: {base: ./pixel-5.yaml, habits: {brightness: \(run.brightness) %}}
            apps: [{name: \(run.app), use: {activity: \(run.activity)}}]
            user: {trace: \(name).csv}
            policies: {eviction: jetsam, scheduling: opportunistic}
            """
        try text.write(
            to: laboratory.folder.appendingPathComponent(name + ".yaml"), atomically: true, encoding: .utf8)
        let ending = try laboratory.run("run", name + ".yaml", "-o", name, "--quiet")
        #expect(ending.code == 0, "\(ending.errors)")
        let lines = try laboratory.text(name + "/runs.csv").split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        let column = try #require(lines[0].firstIndex(of: "energy_wh_per_day"))
        let watts = try #require(Double(lines[1][column])) / 24
        // The profile's battery: 4000 mAh at 3.85 V.
        return 100 * watts / 15.4
    }

    @Test func `a power log becomes a workload whatever its energies`() throws {
        let folder = try #require(recordings)
        let laboratory = try Laboratory()
        let packed = folder + "/traces/ios_powerlog/"
        for (from, to) in [("energy_hourly", "hourly.csv"), ("battery_5min_28d", "battery.csv")] {
            try laboratory.run("-c", "zcat '\(packed)\(from).csv.gz' > \(to)", program: "/bin/bash")
        }
        let ending = try laboratory.run(
            "data", "import", "ios-powerlog", "hourly.csv", "battery.csv", "--zone=-06:00", "--idle-rest", "-o",
            "log.csv")
        #expect(ending.code == 0, "\(ending.errors)")
        let text = try laboratory.text("log.csv")
        #expect(text.contains("# 105 of 119 hours were recorded"))
        #expect(text.split(separator: "\n").filter { $0.contains(",open,") }.count == 590)
        #expect(text.contains("# covered_s: 0 to 432000"))
    }
}
