// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Platform
import Quantities
import RandomStreams

/// A constant of the phone that was not measured, with its plausible interval and its draws.
public struct ModelDoubt: Sendable, Equatable {
    /// Path of the constant in a sweep, for instance `device.platform.awake_power`.
    public let path: String
    /// Unit of the values, as in the model; empty if they have none.
    public let unit: String
    /// Least and largest plausible value.
    public let interval: ClosedRange<Double>
    /// Most likely value, which is the value in the model.
    public let likeliest: Double
    /// One draw for each sample.
    public internal(set) var draws: [Double] = []

    /// Quantile of the triangular distribution over the interval; its mode is the most likely value.
    ///
    /// The scale is logarithmic, because a value can be too large or too small by a factor. For shares, and for values
    /// that may be zero, the scale is linear.
    public func value(at share: Double) -> Double {
        let isLinear = unit == "%" || interval.lowerBound <= 0
        func scale(_ value: Double) -> Double { isLinear ? value : log(value) }
        let (low, top, high) = (scale(interval.lowerBound), scale(likeliest), scale(interval.upperBound))
        if low == high { return likeliest }
        let below = (top - low) / (high - low)
        let found =
            share < below
            ? low + (share * (high - low) * (top - low)).squareRoot()
            : high - ((1 - share) * (high - low) * (high - top)).squareRoot()
        return min(max(isLinear ? found : exp(found), interval.lowerBound), interval.upperBound)
    }

    /// Draws one value for each sample.
    ///
    /// The value of a sample depends neither on the number of samples nor on other constants.
    mutating func draw(samples: Int, seed: UInt64) {
        draws = (0..<samples).map { sample in
            var stream = RandomStream(seed: seed, replication: sample, entity: path, purpose: "uncertainty")
            return value(at: stream.uniform())
        }
    }

    /// Text of a value, as in a model file.
    func text(_ value: Double) -> String { UnitText.plain(value) + (unit.isEmpty ? "" : " \(unit)") }
}

/// Reads the intervals of assumptions in model files.
struct DoubtReader {
    let report: ConfigReport

    /// Splits an amount such as `180 mW` into number and unit; nil for any other text.
    static func amount(_ text: String) -> (number: Double, unit: String)? {
        let isDigit = { (character: Character) in character.isNumber || "+-.".contains(character) }
        let digits = text.prefix(while: isDigit)
        guard let number = Double(digits), number.isFinite else { return nil }
        return (number, String(text.dropFirst(digits.count).drop { $0 == " " }))
    }

    /// Uncertain constants of a file, in the order of the file, with the paths of their values in a tree.
    ///
    /// - Parameters:
    ///   - whole: A tree with its parts expanded.
    ///   - prefixes: Possible paths of the file's own tree in `whole`.
    /// - Returns: Each constant with the path of its value. Values from another file or the experiment are omitted.
    func doubts(of file: Node, named name: String, in whole: Node, prefixes: [[String]]) -> [(at: [String], ModelDoubt)]
    {
        var found: [(at: [String], ModelDoubt)] = []
        for item in file["assumptions"]?.items ?? [] {
            guard let ends = item["interval"], let key = item["key"]?.scalar else { continue }
            for prefix in prefixes {
                let path = prefix + key.split(separator: ".").map(String.init)
                guard let node = whole.at(path) else { continue }
                let (value, own) = node["value"].map { ($0, path + ["value"]) } ?? (node, path)
                guard value.location.source.name == name else { continue }
                let words = "device." + own.joined(separator: ".")
                if let doubt = doubt(words, value, ends) { found.append((own, doubt)) }
            }
        }
        return found
    }

    private func doubt(_ path: String, _ value: Node, _ ends: Node) -> ModelDoubt? {
        let texts = (ends.items ?? []).map { $0.scalar ?? "" }
        guard texts.count == 2, let stated = value.scalar, let own = Self.amount(stated),
            let low = Self.amount(texts[0]), let high = Self.amount(texts[1]), low.unit == own.unit,
            high.unit == own.unit, low.number <= own.number, own.number <= high.number
        else {
            report.add(
                ends.location.problem(
                    "expected an interval that includes \(value.scalar ?? "a single value"), in the same unit, found "
                        + "[\(texts.joined(separator: ", "))]", hint: "for instance interval: [100 mW, 250 mW]"))
            return nil
        }
        return ModelDoubt(
            path: path, unit: own.unit, interval: low.number...high.number, likeliest: own.number)
    }
}
