// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Recording

extension Plan {
    /// The tables of figures that not every experiment has, and whether this one does.
    var optionalTables: [(table: TableSchema, isWritten: Bool)] {
        let axes = axisColumns
        return TableCatalog.ofSweeps(axes: axes).map { ($0, points.count > 1) } + [
            (TableCatalog.sensitivity, analysis.design != nil),
            (TableCatalog.selection(axes: axes), analysis.selection != nil),
            (TableCatalog.quantiles(axes: axes), !analysis.quantiles.isEmpty),
        ] + TableCatalog.ofPeople(axes: axes, traits: people?.tableTraits ?? []).map { ($0, people != nil) }
    }
}

extension Judgement {
    /// The tables of figures that not every experiment has; without a text where this one does not.
    var optionalTables: [(table: TableSchema, text: [UInt8]?)] {
        let texts = [
            { sweepComparisonTable }, { slopeTable }, { crossingTable }, { winnerTable }, { sensitivityTable },
            { selectionTable }, { quantileTable }, { peopleTable }, { whoTable },
        ]
        return zip(plan.optionalTables, texts).map { table, text in (table.table, table.isWritten ? text() : nil) }
    }
}
