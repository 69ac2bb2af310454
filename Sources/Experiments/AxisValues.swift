// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Quantities
import Recording

/// Values of a swept axis, written as in the tables.
///
/// If all values are numbers of one kind, they have the unit of the first value. Otherwise the values stay as written.
struct AxisValues: Equatable, Sendable {
    /// Path of the axis.
    let path: String
    /// One number per sweep point; nil if a value is no number or a number of another kind.
    let numbers: [Double]?
    /// Unit of the numbers; empty for numbers without a unit and for words.
    let unit: String
    /// Texts of the fields, one per sweep point.
    let fields: [String]
    /// Whether all numbers are whole and are written without a decimal point.
    private let isWhole: Bool

    /// Reads the values of an axis.
    init(_ path: String, _ texts: [String]) {
        self.path = path
        let written = texts.map { WrittenNumber($0) }
        let first = written.first ?? nil
        let numbers = written.compactMap { number in first.flatMap { number?.value(in: $0) } }
        let isNumeric = first != nil && numbers.count == texts.count
        self.numbers = isNumeric ? numbers : nil
        unit = isNumeric ? first?.unit ?? "" : ""
        isWhole = numbers.allSatisfy { $0 == $0.rounded() }
        fields = isNumeric ? numbers.map(isWhole ? { UnitText.plain($0) } : Self.real) : texts
    }

    /// The column of the axis.
    var column: Column {
        TableCatalog.axis(path, unit: numbers == nil ? nil : unit, kind: isWhole ? .integer : .number)
    }

    /// A real number, written as in the tables.
    private static func real(_ number: Double) -> String {
        var out = ByteBuffer()
        out.append(number)
        return String(decoding: out.bytes, as: UTF8.self)
    }
}

extension Plan {
    /// The columns of the swept axes.
    var axisColumns: [Column] { axisValues.map(\.column) }

    /// The fields of a sweep point, one per axis.
    func fields(of point: Int) -> [String] { axisValues.map { $0.fields[point] } }
}
