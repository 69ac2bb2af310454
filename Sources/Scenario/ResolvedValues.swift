// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Every value of a model as JSON, defaults included, for the manifest.
///
/// The names are those of the Swift properties, so that nothing can be forgotten here.
enum ResolvedValues {
    /// The JSON of any model value; quantities are written with their units.
    static func json(_ value: Any) -> String {
        if let text = quantity(value) { return quoted(text) }
        switch value {
        case let text as String: return quoted(text)
        case let number as Double: return number.isFinite ? UnitText.plain(number) : quoted("\(number)")
        case let flag as Bool: return flag ? "true" : "false"
        default: break
        }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .collection: return "[" + mirror.children.map { json($0.value) }.joined(separator: ",") + "]"
        case .optional: return mirror.children.first.map { json($0.value) } ?? "null"
        case .enum: return quoted("\(value)")
        // Of what is in a model only integers have neither a style nor children.
        case nil where mirror.children.isEmpty: return "\(value)"
        default: break
        }
        let range = value as? ClosedRange<Double>
        if let range { return "[\(json(range.lowerBound)),\(json(range.upperBound))]" }
        let members = mirror.children.compactMap { child in
            child.label.map { "\(quoted($0)):\(json(child.value))" }
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    private static func quantity(_ value: Any) -> String? {
        switch value {
        case let time as SimDuration: UnitText.format(time.seconds, as: .time)
        case let size as ByteCount: UnitText.format(Double(size.bytes), as: .bytes)
        case let power as Power: UnitText.format(power.rawValue, as: .power)
        case let energy as Energy: UnitText.format(energy.rawValue, as: .energy)
        case let charge as Charge: UnitText.format(charge.rawValue, as: .charge)
        case let voltage as Voltage: UnitText.format(voltage.rawValue, as: .voltage)
        case let resistance as Resistance: UnitText.format(resistance.rawValue, as: .resistance)
        case let rate as DataRate: UnitText.format(rate.rawValue, as: .dataRate)
        default: nil
        }
    }

    private static func quoted(_ text: String) -> String {
        var quoted: [UInt8] = []
        writeJSON(text, to: &quoted)
        return String(decoding: quoted, as: UTF8.self)
    }
}
