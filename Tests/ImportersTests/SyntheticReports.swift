// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Importers

/// Reports with invented names in both layouts, small enough to be read by eye.
enum SyntheticReports {
    /// A row of the newer layout.
    static func row(
        _ name: String, pid: Int, pages: Int, resident: Int, compressed: Int, priority: Int, states: String,
        more: String = ""
    ) -> String {
        """
          {
            "uuid" : "00000000-0000-3000-8000-0000000000\(pid)",
            "states" : [\(states)],
            "age" : 7200000000,
            "purgeable" : 0,
            "fds" : 50,
            "coalition" : \(pid + 100),
            "rpages" : \(pages),
            "priority" : \(priority),
            "physicalPages" : {
              "internal" : [\(resident), \(compressed)]
            },
            "freeze_skip_reason:" : "none",
            "pid" : \(pid),
            "cpuTime" : 0.25,\(more)
            "name" : "\(name)",
            "lifetimeMax" : \(pages + 10)
          }
        """
    }

    private static let header =
        #"{"bug_type":"298","timestamp":"2021-01-02 03:04:05.06 +0100","os_version":"iPhone OS 14.2 (18B1)","#
        + #""incident_id":"00000000-0000-0000-0000-000000000001"}"#

    private static func body(_ rows: [String], product: String, build: String, status: String) -> String {
        """
        {
          "crashReporterKey" : "0000000000000000000000000000000000000001",
          "product" : "\(product)",
          "incident" : "00000000-0000-0000-0000-000000000001",
          "date" : "2021-01-02 03:04:05.05 +0100",
          "build" : "\(build)",
          "timeDelta" : 7,
          "memoryStatus" : {
        \(status)
          },
          "largestProcess" : "Gardener",
          "genCounter" : 3,
          "processes" : [
        \(rows.joined(separator: ",\n"))
          ]
        }

        """
    }

    /// iOS 13 to 15: bands 0 to 21, split footprints; four kills for want of memory and one at a limit.
    static let newer: String = {
        func kill(_ ticks: Int, _ reason: String) -> String {
            "\n    \"killDelta\" : \(ticks),\n    \"genCount\" : 0,\n    \"reason\" : \"\(reason)\","
        }
        let rows = [
            row(
                "meltwaterd", pid: 11, pages: 300, resident: 50, compressed: 240, priority: 0,
                states: "\"daemon\", \"idle\"",
                more: kill(2_000, "vm-pageshortage")),
            row(
                "Postcards", pid: 12, pages: 9_000, resident: 100, compressed: 8_800, priority: 0,
                states: "\"suspended\"",
                more: kill(3_000, "vm-pageshortage")),
            row(
                "Timetable", pid: 13, pages: 6_000, resident: 80, compressed: 5_900, priority: 0,
                states: "\"suspended\"",
                more: kill(4_000, "vm-pageshortage")),
            row(
                "meltwaterd", pid: 14, pages: 250, resident: 60, compressed: 180, priority: 1,
                states: "\"daemon\", \"idle\""),
            row(
                "lanternd", pid: 15, pages: 900, resident: 700, compressed: 150, priority: 3, states: "\"daemon\"",
                more: kill(1_000, "highwater")),
            row(
                "Gardener", pid: 16, pages: 60_000, resident: 50_000, compressed: 9_000, priority: 10,
                states: "\"frontmost\""),
            row(
                "tidegauged", pid: 17, pages: 4_000, resident: 2_500, compressed: 1_200, priority: 14,
                states: "\"daemon\"",
                more: "\n    \"moonPhase\" : 0.5,"),
            row("launchd", pid: 1, pages: 0, resident: 0, compressed: 0, priority: 18, states: "\"daemon\""),
        ]
        let status = """
                "compressorSize" : 12000,
                "compressions" : 3009015,
                "pageSize" : 16384,
                "uncompressed" : 30000,
                "memoryPages" : {
                  "active" : 40000,
                  "throttled" : 0,
                  "fileBacked" : 8000,
                  "wired" : 32000,
                  "anonymous" : 70000,
                  "purgeable" : 12,
                  "inactive" : 36000,
                  "free" : 1900,
                  "speculative" : 2000
                }
            """
        return header + "\n" + body(rows, product: "iPhone9,1", build: "iPhone OS 14.2 (18B1)", status: status)
    }()

    /// iOS 9 to 12: neither bands nor split footprints, pages of 4 KiB.
    static let older: String = {
        func row(_ name: String, _ pid: Int, _ pages: Int, _ states: String, _ more: String = "") -> String {
            """
              {"states" : [\(states)], "age" : 48000000, "rpages" : \(pages), "pid" : \(pid), "coalition" : \(pid),
                \(more)"name" : "\(name)", "cpuTime" : 1.5, "lifetimeMax" : \(pages)}
            """
        }
        let rows = [
            row("meltwaterd", 21, 600, "\"daemon\", \"idle\""), row("Postcards", 22, 9_000, "\"suspended\""),
            row("Jukebox", 23, 12_000, "\"continuous\""), row("tidegauged", 24, 500, "\"daemon\", \"idle\""),
            row("lanternd", 25, 2_000, "\"daemon\""), row("Sandbox", 26, 8_000, "\"background\""),
            row("kited", 27, 1_000, "\"daemon\""), row("Gardener", 28, 70_000, "\"frontmost\", \"resume\""),
            row("ferryd", 29, 3_000, "\"daemon\""),
            row("SpringBoard", 30, 61_443, "", "\"killDelta\" : 4232, \"genCount\" : 0, \"reason\" : \"highwater\", "),
            row("backboardd", 31, 10_000, "\"daemon\""), row("bellringerd", 32, 400, "\"daemon\""),
        ]
        let status = """
                "compressorSize" : 50000, "pageSize" : 4096, "uncompressed" : 140000,
                "memoryPages" : {"active" : 80000, "inactive" : 35000, "speculative" : 5000, "free" : 6000,
                  "throttled" : 0, "fileBacked" : 25000, "wired" : 75000, "anonymous" : 95000, "purgeable" : 0}
            """
        return header + "\n" + body(rows, product: "iPhone7,2", build: "iPhone OS 10.1.1 (14B100)", status: status)
    }()

    static func read(_ text: String) throws(Diagnostics) -> JetsamReport {
        try readJetsamReport(SourceText(name: "report.ips", text: text))
    }
}
