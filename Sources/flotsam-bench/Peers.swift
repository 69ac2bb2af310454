// SPDX-License-Identifier: GPL-3.0-or-later
import Platform

/// Runs `Benchmarks/peers/run CASE...` on the same core and reads the figures that it prints.
enum Peers {
    static func run(cases: [Case], into report: Report) {
        guard let script = Checkout.path("Benchmarks/peers/run") else {
            return report.remark("Benchmarks/peers/run was not found; run from the checkout")
        }
        let command = "'\(script)' " + cases.map(\.rawValue).joined(separator: " ")
        guard let pipe = popen(command, "r") else { return report.remark("could not start \(script)") }
        defer { pclose(pipe) }
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        while getline(&line, &capacity, pipe) > 0 {
            if let line { record(String(cString: line), in: report) }
        }
    }

    /// A line is `case subject size nanoseconds unit`, or `skip subject reason...`.
    private static func record(_ line: String, in report: Report) {
        let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
        if words.count >= 2, words[0] == "skip" {
            report.remark("\(words[1]) is skipped: \(words.dropFirst(2).joined(separator: " "))")
        } else if words.count == 5, let size = Int(words[2]), let value = Double(words[3]) {
            report.add(words[0], words[1], size, value, words[4])
        }
    }
}

/// Files of the checkout, found from its root or from one of its folders.
enum Checkout {
    static func path(_ file: String) -> String? {
        [file, "../" + file, "../../" + file].first { access($0, R_OK) == 0 }
    }
}
