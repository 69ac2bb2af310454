// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Vocabulary

extension CallbackRecord {
    /// Declares the table of these rows.
    static func table(_ builder: inout MeasureBuilder) -> Table<CallbackRecord> {
        builder.table("callbacks", "one row per call of the system into an app", time: "t_s", columns)
    }

    private static let columns: [TableColumn<CallbackRecord>] = [
        .time("t_s", "time since the run's first midnight", \.time),
        .app("app", "app", \.app),
        .text("callback", "what the system called, named after the methods of UIKit's delegates") {
            $0.callback.rawValue
        },
        .text("receiver", "application or window, by whose delegate was called") {
            $0.window < 0 ? "application" : "window"
        },
        .init("window", "", .integer, "number of the window; empty for the application") { row, _, out in
            if row.window >= 0 { out.append(Int(row.window)) }
        },
        .text("state", "life-cycle state of the process after the move that the call belongs to") {
            $0.state.tableName
        },
    ]
}
