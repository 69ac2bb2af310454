// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Quantities
import Testing
import Workload

/// The recording that ships with the product against models/recordings.md, sections 2.3 and 2.5.
@Suite struct NiimpyMonthTests {
    private func recording() throws -> WorkloadFile {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let bytes = try Data(contentsOf: root.appending(path: "models/traces/niimpy-month.csv"))
        return try WorkloadFile(bytes: Array(bytes), name: "niimpy-month.csv")
    }

    @Test func `its charges are the published ones`() throws {
        let statistics = WorkloadStatistics(of: try recording())
        for (name, value, digit) in [
            ("days", 22.0, 0.0), ("charge_sessions_per_day", 1.8, 0.05), ("charge_start_level_p10", 0.36, 0.005),
            ("charge_start_level_median", 0.54, 0.005), ("charge_start_level_p90", 0.94, 0.005),
            ("charge_end_level_p10", 0.60, 0.005), ("charge_end_level_median", 1, 0.005),
            ("charge_min_p10", 20, 0.5), ("charge_min_median", 389, 0.5), ("charge_min_p90", 838, 0.5),
            ("charge_lognormal_mu", 5.03, 0.005), ("charge_lognormal_sigma", 1.59, 0.005),
            ("charge_under_30_min_share", 0.21, 0.005), ("charge_over_4_h_share", 0.56, 0.005),
            ("charge_long_nights_per_day", 1, 0.05), ("charge_time_share", 0.43, 0.005),
        ] {
            let found = try #require(statistics[name])
            #expect(abs(found - value) <= digit, "\(name) \(found)")
        }
    }

    @Test func `its sessions are close to the published ones`() throws {
        let file = try recording()
        let statistics = WorkloadStatistics(of: file)
        #expect(statistics["sessions_per_day"] == 50)
        #expect(try abs(#require(statistics["session_s_median"]) - 15.7) < 0.1)
        #expect(try abs(#require(statistics["session_s_mean"]) - 85) < 3)
        #expect(try abs(#require(statistics["session_lognormal_mu"]) - 2.93) < 0.015)
        #expect(try abs(#require(statistics["session_lognormal_sigma"]) - 1.61) < 0.01)
        let unlocks = file.events.count { $0.kind == .unlock && !$0.isLocked }
        #expect(abs(Double(unlocks) / 22 - 31) < 1)
    }

    @Test func `it says where it comes from`() throws {
        let file = try recording()
        #expect(file.zone == "Europe/Helsinki" && file.start == "2017-02-28" && file.startWeekday == 1)
        #expect(file.origin.contains("Niimpy"))
        #expect(file.notes.contains { $0.contains("MIT") })
    }
}
