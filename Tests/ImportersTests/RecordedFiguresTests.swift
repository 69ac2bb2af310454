// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Quantities
import Testing
import Workload

@testable import Importers

/// The path of a folder named by an environment variable; nil when it is not set.
func folder(_ variable: String) -> String? { getenv(variable).map { String(cString: $0) } }

/// The lines of a compressed file.
private func lines(gzip path: String) throws -> [Substring] {
    let pipe = try #require(popen("gzip -dc '\(path)'", "r"))
    defer { pclose(pipe) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = fread(&chunk, 1, chunk.count, pipe)
        if count == 0 { break }
        bytes += chunk[..<count]
    }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
}

/// Figures of recordings that are not shipped, against those of models/recordings.md, sections 2.1, 2.2 and
/// 2.5.
///
/// `FLOTSAM_VIZ_HABITS` names the folder with `events.csv.gz` and `battery.csv.gz` made from the exports of
/// github.com/abardou/viz-habits (GPL-3.0); without it these tests are skipped.
@Suite(.enabled(if: folder("FLOTSAM_VIZ_HABITS") != nil, "FLOTSAM_VIZ_HABITS names no folder: no row may be shipped"))
struct RecordedFiguresTests {
    /// Writes a user's rows as the app exports them, newest first, and imports them.
    private func statistics(of user: String) throws -> WorkloadStatistics {
        let path = try #require(folder("FLOTSAM_VIZ_HABITS"))
        var history = "\"App name\",\"Date\",\"Time\",\"Duration\"\n"
        for line in try lines(gzip: path + "/events.csv.gz").dropFirst().reversed() {
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
            guard fields[0] == user else { continue }
            let app = fields[3...(fields.count - 2)].joined(separator: ",").filter { $0 != "\"" }
            let name =
                switch fields[2] {
                case "app": app
                case "notification": "Notification posted (\(app))"
                case "screen_off": "Screen off"
                case "screen_off_locked": "Screen off (locked)"
                case "screen_on_locked": "Screen on (locked)"
                case "screen_on_unlocked": "Screen on (unlocked)"
                case "device_shutdown": "Device shutdown"
                default: "Device boot"
                }
            let seconds = try #require(Int(fields[fields.count - 1]))
            let length = "\(seconds / 3600):\(seconds / 60 % 60):\(seconds % 60)"
            history += "\"\(name)\",\"\(fields[1].prefix(10))\",\"\(fields[1].dropFirst(11))\",\"\(length)\"\n"
        }
        var battery = "\"Date\",\"Time\",\"Battery(%)\",\"Note\"\n"
        for line in try lines(gzip: path + "/battery.csv.gz").dropFirst().reversed() {
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
            guard fields[0] == user else { continue }
            let note = fields[4] == "1" ? "Charging" : ""
            battery += "\"\(fields[1].prefix(10))\",\"\(fields[1].dropFirst(11))\",\"\(fields[2])\",\"\(note)\"\n"
        }
        let tables = [
            try ForeignTable(name: "history", bytes: Array(history.utf8)),
            try ForeignTable(name: "battery", bytes: Array(battery.utf8)),
        ]
        return WorkloadStatistics(of: try importAppUsage(tables: tables, AppUsageOptions()))
    }

    @Test(arguments: [
        (
            "vh1", [0.255, 0.628, 0.712, 0.799, 0.863, 0.907, 0.950], [0.786, 0.864, 0.916, 0.947],
            [0.666, 0.794, 0.865, 0.911]
        ),
        (
            "vh2", [0.454, 0.634, 0.698, 0.768, 0.843, 0.915, 0.971], [0.770, 0.851, 0.914, 0.954],
            [0.638, 0.746, 0.833, 0.913]
        ),
    ])
    func `hit ratios are the published ones to three decimals`(
        user: String, recent: [Double], belady: [Double], frequent: [Double]
    ) throws {
        let statistics = try statistics(of: user)
        func check(_ name: String, _ capacities: [Int], _ expected: [Double], within: Double) throws {
            for (capacity, value) in zip(capacities, expected) {
                let found = try #require(statistics["\(name)_c\(capacity)"])
                #expect(abs(found - value) < within, "\(user) \(name)_c\(capacity) \(found)")
            }
        }
        try check("lru_hit", [1, 2, 3, 5, 8, 12, 20], recent, within: 0.000501)
        try check("belady_hit", [3, 5, 8, 12], belady, within: 0.000501)
        // Ties between equally frequent apps move the last by up to .001.
        try check("lfu_hit", [3, 5, 8, 12], frequent, within: 0.0015)
    }

    @Test(arguments: [
        ("vh1", ["days": 25, "sessions_per_day": 93.8, "launches_per_day": 272, "distinct_apps_per_day": 23.1]),
        ("vh1", ["zipf_mle": 1.31, "session_s_median": 22, "session_lognormal_mu": 3.39, "gap_s_median": 155]),
        ("vh1", ["visit_s_median": 9, "visit_lognormal_mu": 2.40, "top5_share": 0.69, "app_hours_per_day": 4.8]),
        ("vh1", ["charge_sessions_per_day": 1.6, "charge_min_median": 72, "charge_lognormal_sigma": 1.35]),
        ("vh1", ["charge_start_level_p10": 0.13, "charge_end_level_p10": 0.71, "charge_time_share": 0.08]),
        ("vh2", ["days": 30, "sessions_per_day": 85.2, "launches_per_day": 121, "distinct_apps_per_day": 15.3]),
        ("vh2", ["zipf_mle": 1.16, "session_s_median": 34, "session_lognormal_mu": 3.60, "gap_s_median": 91]),
        ("vh2", ["visit_s_median": 19, "visit_lognormal_mu": 2.96, "top5_share": 0.63, "app_hours_per_day": 3.8]),
    ])
    func `other figures are the published ones`(user: String, expected: [String: Double]) throws {
        let statistics = try statistics(of: user)
        for (name, value) in expected {
            let found = try #require(statistics[name])
            #expect(abs(found / value - 1) < 0.012 || abs(found - value) < 0.0051, "\(user) \(name) \(found)")
        }
    }
}
