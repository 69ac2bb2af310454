// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Glibc
import TestSupport
import Testing

/// Where curves of other solvers lie, one CSV file each: those that are shipped, or whole ones elsewhere.
private let referenceFolder =
    getenv("FLOTSAM_BATTERY_REFERENCE").map { String(cString: $0) }
    ?? SourceTree.root.appending(path: "Tests/CellsTests/Fixtures/battery-reference").path()

/// The columns of one curve.
struct ReferenceFile {
    var times: [Double] = []
    var amperes: [Double] = []
    var volts: [Double] = []
    var charges: [Double] = []

    init(_ name: String) throws {
        let path = referenceFolder + "/" + name + ".csv"
        let file = try #require(fopen(path, "r"), "no file \(path)")
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 1000)
        var columns: [String] = []
        while fgets(&line, 1000, file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let words = text.split { $0 == "," || $0.isNewline }.map(String.init)
            if columns.isEmpty { columns = words; continue }
            func value(_ column: String) -> Double {
                columns.firstIndex(of: column).flatMap { Double(words[$0]) } ?? .nan
            }
            times.append(value("time_s"))
            amperes.append(value("current_A_pos_discharge"))
            volts.append(value("terminal_V"))
            charges.append(value("soc"))
        }
    }

    /// The time at which a level is first passed upwards.
    func time(ofCharge level: Double) -> Double {
        guard let index = charges.firstIndex(where: { $0 >= level }), index > 0 else { return .nan }
        let share = (level - charges[index - 1]) / (charges[index] - charges[index - 1])
        return times[index - 1] + share * (times[index] - times[index - 1])
    }
}
