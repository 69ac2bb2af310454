// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// Twins of real phones, fitted to one half of a recording and held against the other: the table of docs/your-phone.md.
///
/// `FLOTSAM_RECORDINGS=FOLDER swift test --filter RecordedTwinTests`; the folder holds `exports`.
@Suite(.enabled(if: recordings != nil, "FLOTSAM_RECORDINGS names no folder: the recordings are not shipped"))
struct RecordedTwinTests {
    private static let android = "/exports/android_batterystats/checkin_"
    private static let aware = "/exports/aware/niimpy_Aware"

    @Test(arguments: [
        ("Pixel 7a, Android 15, 50 h", [android + "pixel7_android15.txt.gz"], "Europe/Paris"),
        ("Galaxy S7, Android 8, 28 h", [android + "samsung_s7_android8.txt.gz"], "Europe/Paris"),
        ("Galaxy Tab, Android 6, the first 17 h", [android + "samsung_tab_android6.txt.gz"], "Europe/Paris"),
        (
            "an Android phone of 2017, 5 days", [aware + "Battery_1month.csv.gz", aware + "Screen_1month.csv.gz"],
            "Europe/Helsinki"
        ),
    ]) func `the second half of a recording is as the page says`(name: String, files: [String], zone: String) throws {
        let folder = try #require(recordings)
        let laboratory = try Laboratory()
        let ending = try laboratory.start(
            ["twin"] + files.map { folder + $0 } + ["--halves", "--zone", zone], program: "flotsam"
        ).ending()
        #expect(ending.code == 0, "\(ending.errors)")
        let rows = try laboratory.text("twin/replay.csv").split(separator: "\n").dropFirst(2)
        let good = rows.filter { $0.hasSuffix(",") }
        let levels = rows.filter { $0.hasPrefix("battery level") }
        let share = String(format: "%.0f", 100 * Double(good.count) / Double(rows.count))
        let line =
            "| \(name) | \(good.count { $0.hasPrefix("battery level") }) of \(levels.count) "
            + "| \(good.count) of \(rows.count) | \(share) % |"
        let page = try String(contentsOf: Laboratory.package.appending(path: "docs/your-phone.md"), encoding: .utf8)
        #expect(page.contains(line), "the page lacks: \(line)")
        #expect(good.count * 5 >= rows.count * 4)
    }
}
