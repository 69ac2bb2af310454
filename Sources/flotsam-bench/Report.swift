// SPDX-License-Identifier: GPL-3.0-or-later

/// Collects measurements, prints each as it comes, and compares them with peers and targets at the end.
final class Report {
    private let asJSON: Bool
    private(set) var measurements: [Measurement] = []

    init(asJSON: Bool) { self.asJSON = asJSON }

    func add(_ name: String, _ subject: String, _ size: Int, _ value: Double, _ unit: String) {
        measurements.append(Measurement(name: name, subject: subject, size: size, value: value, unit: unit))
        if asJSON {
            print(
                #"{"case":"\#(name)","subject":"\#(subject)","size":\#(size),"value":\#(value),"unit":"\#(unit)"}"#)
        } else {
            print(padded(name, 12) + padded(subject, 26) + padded("\(size)", 10) + padded(short(value), 10) + unit)
        }
    }

    func remark(_ text: String) { asJSON ? print(#"{"note":"\#(text)"}"#) : print("# \(text)") }

    func value(_ side: Target.Side) -> Double? {
        if let constant = side.constant { return constant }
        return measurements.last { $0.name == side.name && $0.subject == side.subject && $0.size == side.size }?.value
    }

    /// Prints every comparison of `Target.all` with measurements of both sides.
    func printComparisons() {
        let known = Target.all.compactMap { target in target.ratio(in: self).map { (target, $0) } }
        guard !known.isEmpty else { return }
        if !asJSON { print("\n" + padded("ratio", 10) + padded("target", 12) + "what") }
        for (target, ratio) in known {
            let isMet = target.atLeast.map { ratio >= $0 } ?? target.atMost.map { ratio <= $0 } ?? true
            let bound = target.atLeast.map { "≥ \($0)" } ?? target.atMost.map { "≤ \($0)" } ?? ""
            if asJSON {
                print(#"{"ratio":\#(ratio),"target":"\#(bound)","met":\#(isMet),"what":"\#(target.text)"}"#)
            } else {
                print(padded(short(ratio), 10) + padded(bound, 10) + (isMet ? "  " : "! ") + target.text)
            }
        }
    }
}

/// A ratio of two measurements with its bound.
struct Target {
    /// One side of a ratio.
    struct Side {
        var name: String
        var subject: String
        var size: Int
        /// A fixed number instead of a measurement.
        var constant: Double?

        static let million = Side(name: "", subject: "", size: 0, constant: 1e6)
        static let twenty = Side(name: "", subject: "", size: 0, constant: 20)
    }

    var text: String
    var top: Side
    var bottom: Side
    var atLeast: Double?
    var atMost: Double?

    func ratio(in report: Report) -> Double? {
        guard let top = report.value(top), let bottom = report.value(bottom) else { return nil }
        return top / bottom
    }
}
