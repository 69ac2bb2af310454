// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// `flotsam lab battery` as users run it.
@Suite(.serialized) struct BatteryVerbTests {
    private func write(_ text: String, to file: String, in laboratory: Laboratory) throws {
        try text.write(to: laboratory.folder.appendingPathComponent(file), atomically: true, encoding: .utf8)
    }

    @Test func `a discharge leaves rows and events in files`() throws {
        let laboratory = try Laboratory()
        try write("t_s,power_w\n0,3\n", to: "load.csv", in: laboratory)
        let ending = try laboratory.run(
            "lab", "battery", "--cell", "ecm-verification", "--load", "load.csv", "-o", "rows.csv", "--events",
            "events.csv")
        #expect(ending.code == 0, "\(ending.errors)")
        #expect(ending.out.isEmpty)
        // SciPy 1.17, DOP853: 3258.904754, 7892.786174, 12367.478988, 13822.452870, 14533.132467, 15140.008214.
        let events = try laboratory.text("events.csv").split(separator: "\n").map { $0.split(separator: ",") }
        #expect(
            events.map { String($0[0]) }
                == ["event", "soc<=0.8", "soc<=0.5", "soc<=0.2", "soc<=0.1", "soc<=0.05", "V<=3.0"])
        let last = try #require(events.last.flatMap { Double($0[1]) })
        #expect(abs(last - 15140.008214) < 1e-3)
        let rows = try laboratory.text("rows.csv").split(separator: "\n")
        #expect(rows.count == 3)
        #expect(rows[0] == "t_s,soc,voltage_v,current_a")
        #expect(rows[1].hasPrefix("0.0,1.0,4.17793509"), "\(rows[1])")
    }

    @Test func `a charge begins empty, prints its rows and tells its events`() throws {
        let laboratory = try Laboratory()
        try write("cc_current_a,cv_voltage_v,end_current_a\n3.349,4.2,0.16745\n", to: "charge.csv", in: laboratory)
        let ending = try laboratory.run(
            "lab", "battery", "--cell", "ecm-verification", "--load", "charge.csv", "--every", "20 min")
        #expect(ending.code == 0, "\(ending.errors)")
        let rows = ending.out.split(separator: "\n")
        #expect(rows.count == 1 + 3 + 1 + 2, "\(ending.out)")
        #expect(rows[1].hasPrefix("0.0,0.0,3.1844799999,-3.349"), "\(rows[1])")
        #expect(ending.errors.contains("CC_end_V>=4.2,3057.953"), "\(ending.errors)")
        #expect(ending.errors.contains("CV_end_I<=C/20,4560.699"), "\(ending.errors)")
    }

    @Test func `mistakes are explained and nothing is written`() throws {
        let laboratory = try Laboratory()
        try write("t_s,power_w\n0,3\n0,4\n", to: "load.csv", in: laboratory)
        let bad = try laboratory.run(
            "lab", "battery", "--cell", "ecm-verification", "--load", "load.csv", "-o", "a.csv")
        #expect(bad.code == 1)
        #expect(bad.errors.contains("load.csv:3:1: error: times must increase"), "\(bad.errors)")
        #expect(!FileManager.default.fileExists(atPath: laboratory.folder.appendingPathComponent("a.csv").path))
        let none = try laboratory.run("lab", "battery", "--soc", "2", "--temperature", "5 W")
        #expect(none.code == 1)
        for text in ["--cell is missing", "--load is missing", "--soc expects 0.0 to 1.0", "found a power"] {
            #expect(none.errors.contains(text), "\(none.errors)")
        }
    }
}
