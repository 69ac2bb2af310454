// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Quantities

/// Reads the keys that targets of experiments and benches have in common.
enum TargetReader {
    /// Reads `{id, what, band, strength, basis, parameter, source}`; nil if one of them has errors.
    static func claim(_ map: MapReader) -> TargetClaim? {
        let id = map.required("id", .text)
        let title = map.value("what", .text, default: "")
        let band = map.required("band", TargetBand.reader)
        let strength = map.value("strength", .choice("strength"), default: Target.Strength.medium)
        let basis = map.value("basis", .choice("basis"), default: Target.Basis.prediction)
        let parameter = map.optional("parameter", .text)
        let source = map.value("source", .text, default: "")
        if !basis.namesParameter, parameter != nil {
            map.cursor("parameter")?.fail(
                basis == .prediction
                    ? "a prediction must not name a parameter" : "a numerical test must not name a parameter",
                hint: "set basis to calibrated if the parameter was fitted to this figure, to in-sample if it was "
                    + "fitted to the recording, or to identity if the figure repeats the parameter")
            return nil
        }
        if basis.namesParameter, parameter == nil, !map.has("parameter") {
            map.cursor.fail(
                "the basis \"\(basis.rawValue)\" needs a parameter",
                hint: "for instance \"parameter: device.display.base_power\"")
            return nil
        }
        guard let id, let band else { return nil }
        var claim = TargetClaim(id: id, band: band)
        claim.title = title
        claim.strength = strength
        claim.basis = basis
        claim.parameter = parameter ?? ""
        claim.source = source
        return claim
    }

    /// Reads the key `unit`, which is the unit of the band if it differs from the unit of the quantity.
    ///
    /// The result is nil if the key is missing or the unit is invalid.
    static func unit(_ map: MapReader, of quantity: TargetQuantity?) -> TargetUnit? {
        guard let name = map.optional("unit", .text), let quantity, let cursor = map.cursor("unit") else { return nil }
        if map.has("relative_to") {
            cursor.fail("a ratio (relative_to) has no unit")
            return nil
        }
        guard let scale = scale(from: quantity.unit, to: name) else {
            cursor.fail("the quantity is in \(quantity.unit), which cannot be converted to \(name)")
            return nil
        }
        return TargetUnit(name: name, scale: scale)
    }

    /// Factor from one unit to another; nil if they have different dimensions.
    private static func scale(from own: String, to other: String) -> Double? {
        if own == other { return 1 }
        if own.hasSuffix("/d") {
            let amount = String(own.dropLast(2))
            if other.hasSuffix("/d") { return scale(from: amount, to: String(other.dropLast(2))) }
            // Energy per day is a power.
            guard let joules = try? UnitText.parse("1 \(amount)", as: .energy),
                let watts = try? UnitText.parse("1 \(other)", as: .power)
            else { return nil }
            return joules / 86400 / watts
        }
        for dimension in Dimension.allCases where dimension != .temperature {
            guard let have = try? UnitText.parse("1 \(own)", as: dimension),
                let want = try? UnitText.parse("1 \(other)", as: dimension)
            else { continue }
            return have / want
        }
        return nil
    }
}

/// Reads a band: `[low, high]`, `{value, tolerance}`, `{exactly}`, `{at_least}` or `{at_most}`.
enum TargetBand {
    static var reader: ValueReader<ClosedRange<Double>> {
        ValueReader(example: "[16, 60]") { $0.node.entries == nil ? pair($0) : map($0) }
    }

    private static func pair(_ cursor: Cursor) -> ClosedRange<Double>? {
        guard let band = ValueReader<[Double]>.list(of: .number()).read(cursor) else { return nil }
        guard band.count == 2, band[0] <= band[1] else {
            cursor.fail("expected two numbers, the smaller first")
            return nil
        }
        return band[0]...band[1]
    }

    private static func map(_ cursor: Cursor) -> ClosedRange<Double>? {
        let map = MapReader(cursor)
        let value = map.optional("value", .number())
        let tolerance = map.optional("tolerance", toleranceReader)
        let exact = map.optional("exactly", .number())
        let least = map.optional("at_least", .number())
        let most = map.optional("at_most", .number())
        let isValue = map.has("value") && map.has("tolerance")
        let ends = ["exactly", "at_least", "at_most"].filter { map.has($0) }
        map.finish()
        guard isValue != (ends.count == 1), map.writtenKeys.count == (isValue ? 2 : 1) else {
            cursor.fail("expected [low, high], {value, tolerance}, {exactly}, {at_least} or {at_most}")
            return nil
        }
        if let value, let tolerance {
            let half = tolerance.isShare ? abs(value) * tolerance.amount : tolerance.amount
            return (value - half)...(value + half)
        }
        if let exact { return exact...exact }
        if let least { return least ... .infinity }
        if let most { return -Double.infinity...most }
        return nil
    }

    /// Reads a share of the value, such as `8 %`, or an amount in the unit of the value.
    private static var toleranceReader: ValueReader<(amount: Double, isShare: Bool)> {
        let what = "a tolerance such as \"8 %\", or an amount in the unit of the value"
        return .scalar(what, example: "8 %") { text, cursor in
            let plain = Double(text)
            guard let amount = plain ?? (try? UnitText.parse(text, as: .fraction)), amount >= 0, amount.isFinite else {
                cursor.expected(what)
                return nil
            }
            return (amount, plain == nil)
        }
    }
}
