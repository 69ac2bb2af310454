// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics

/// One exported file of "App Usage": its table, its kind, and the row before the first row with data.
struct AppUsageExport {
    /// Kinds of exports.
    enum Kind {
        /// App name, date, time, duration.
        case activity
        /// Date, time, level, note.
        case battery

        /// Index of the date among the fields.
        var date: Int { self == .activity ? 1 : 0 }
    }

    /// Table below the header.
    let table: ForeignTable
    let kind: Kind
    /// Row before the first row with data.
    let header: ForeignTable.Row
    /// Whether the fields are quoted.
    ///
    /// If they are, a line without quotes is a remark.
    let isQuoted: Bool

    private static let headers = [
        ["App name", "Date", "Time", "Duration"], ["Date", "Time", "Battery(%)", "Note"],
    ]

    /// Finds the first row with data: the row below English column names, or else the first row with fields of the
    /// right form.
    init(_ table: ForeignTable) throws(Diagnostics) {
        var below = table
        var row = ForeignTable.Row()
        var (above, tableAbove) = (row, table)
        while below.next(&row) {
            let names = row.fields.map { below.text($0) }
            if Self.headers.contains(names) {
                (kind, header, isQuoted) = (names[0] == "Date" ? .battery : .activity, row, row.fields[0].isQuoted)
                self.table = below
                return
            }
            if let kind = Self.kind(names) {
                (self.kind, header, isQuoted) = (kind, above, row.fields[0].isQuoted)
                self.table = tableAbove
                return
            }
            if row.number > 100 { break }
            (above, tableAbove) = (row, below)
        }
        throw Diagnostics(
            "\(table.name) is neither the history nor the battery log of App Usage",
            hint:
                "expected \"App name\",\"Date\",\"Time\",\"Duration\" or \"Date\",\"Time\",\"Battery(%)\",\"Note\": in "
                + "the app, export Activity history and Battery history")
    }

    private static func kind(_ fields: [String]) -> Kind? {
        guard fields.count == 4 else { return nil }
        if AppUsageText.dateParts(fields[1]) != nil, AppUsageText.clock(fields[2]) != nil,
            AppUsageText.length(fields[3]) != nil
        {
            return .activity
        }
        let isBattery =
            AppUsageText.dateParts(fields[0]) != nil && AppUsageText.clock(fields[1]) != nil
            && Double(fields[2].filter { $0 != "%" }) != nil
        return isBattery ? .battery : nil
    }

    /// Whether a row is a remark, such as `Created by App Usage on …`.
    ///
    /// Remarks are allowed only at the end of an export.
    func isRemark(_ row: ForeignTable.Row) -> Bool {
        row.fields.count < 4 || isQuoted && !row.fields[0].isQuoted || row.fields[2].bytes.isEmpty
    }

    // MARK: The order of day and month

    /// Finds the order of day and month for which all dates exist and are in sequence.
    ///
    /// The dates of one file may determine the order for the other files.
    static func order(of exports: [AppUsageExport]) throws(Diagnostics) -> DateOrder {
        var search = DateOrderSearch()
        for export in exports {
            search.add(export.table, below: export.header) { _, row in
                row.fields.count == 4 ? row.fields[export.kind.date].bytes : nil
            }
        }
        if search.isOpen { throw DateOrderSearch.problem(exports.map(\.table)) }
        return search.found ?? .dayFirst
    }
}
