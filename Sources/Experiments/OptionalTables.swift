// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Recording
import Scenario

extension Plan {
    /// Tables of results that only some experiments have, and whether this experiment writes them.
    var optionalTables: [(table: TableSchema, isWritten: Bool)] {
        let axes = axisColumns
        return TableCatalog.ofSweeps(axes: axes).map { ($0, self.points.count > 1) } + [
            (TableCatalog.sensitivity, self.analysis.design != nil),
            (TableCatalog.selection(axes: axes), self.analysis.selection != nil),
            (TableCatalog.quantiles(axes: axes), !self.analysis.quantiles.isEmpty),
        ] + TableCatalog.ofPeople(axes: axes, traits: self.people?.tableTraits ?? []).map { ($0, self.people != nil) }
    }
}

extension Judgement {
    /// Tables of results that only some experiments have; the text is nil if this experiment does not write the table.
    var optionalTables: [(table: TableSchema, text: [UInt8]?)] {
        let texts = [
            { sweepComparisonTable }, { slopeTable }, { crossingTable }, { winnerTable }, { sensitivityTable },
            { selectionTable }, { quantileTable }, { peopleTable }, { whoTable },
        ]
        return zip(plan.optionalTables, texts).map { table, text in (table.table, table.isWritten ? text() : nil) }
    }
}
