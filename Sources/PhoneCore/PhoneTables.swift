// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Vocabulary

/// The tables that a phone writes; each is declared next to the type of its rows.
public enum PhoneTables {
    /// The types of rows, in the order in which their tables are merged.
    private static let rows: [any TableRow.Type] = [
        DeviceHourRow.self,
        AppDayRow.self,
        EventRow.self,
        RequestRow.self,
        DecisionRow.self,
        CallbackRecord.self,
        AppHourRow.self,
        RadioRow.self,
        BatteryRow.self,
        PredictionRow.self,
        DiskRow.self,
    ]

    /// Names and columns of the tables.
    public static let list = TableList(rows)

    /// Declares the table of a row type; the type must be in `rows`.
    static func table<Row: TableRow>(
        _ name: String, _ title: String, time: String?, key: [String] = [], _ fields: [TableColumn<Row>]
    ) -> Table<Row> {
        guard let index = rows.firstIndex(where: { $0 == Row.self }) else {
            fatalError("the rows of \(name) have no line in PhoneTables")
        }
        return Table(name, title, time: time, key: key, fields, index: index)
    }
}
