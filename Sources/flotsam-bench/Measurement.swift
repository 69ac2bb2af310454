// SPDX-License-Identifier: GPL-3.0-or-later
import Platform

/// One measured figure.
struct Measurement {
    /// The case, for instance "hold".
    var name: String
    /// Program that did the work, for instance "wheel" or "simpy-processes".
    var subject: String
    /// Size of the case: pending events, apps, or customers.
    var size: Int
    /// The figure.
    var value: Double
    /// Unit of the value, for instance "ns/hold".
    var unit: String

    /// Median of five runs of a body, each of which returns a figure.
    static func medianOfFive(_ body: () -> Double) -> Double {
        (0..<5).map { _ in body() }.sorted()[2]
    }

    /// Nanoseconds of processor time per operation, the median of five runs.
    static func nanoseconds(operations: Int, _ body: () -> Void) -> Double {
        medianOfFive {
            let start = processorSeconds()
            body()
            return (processorSeconds() - start) * 1e9 / Double(operations)
        }
    }
}

/// Keeps an unused result alive, so that the compiler does not remove the work for it.
@inline(never)
func keep(_ value: UInt64) { if value == 0x5eed_5eed_dead_beef { print("") } }

/// Text padded on the right.
func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
}

/// A figure with four significant digits.
func short(_ value: Double) -> String {
    guard value.isFinite, value > 0 else { return "\(value)" }
    let digits = max(0, 3 - Int(log10(value).rounded(.down)))
    let scale = pow(10, Double(min(digits, 6)))
    let rounded = (value * scale).rounded() / scale
    return digits == 0 ? "\(Int(rounded))" : "\(rounded)"
}
