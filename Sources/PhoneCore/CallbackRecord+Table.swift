// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Vocabulary

extension CallbackRecord: TableRow {
    /// One row per call of the system into an app.
    public static let table = PhoneTables.table(
        "callbacks", "one row per call of the system into an app", time: "t_s", columns)

    private static let columns: [TableColumn<CallbackRecord>] = [
        .time("t_s", "time since the run's first midnight", \.time),
        .app("app", "app", \.app),
        .text("callback", "method called, named after the methods of UIKit's delegates") {
            $0.callback.rawValue
        },
        .text("receiver", "owner of the delegate that was called: application or window") {
            $0.window < 0 ? "application" : "window"
        },
        .init("window", "", .integer, "number of the window; empty for the application") { row, _, out in
            if row.window >= 0 { out.append(Int(row.window)) }
        },
        .text("state", "life-cycle state of the process after the transition that caused the call") {
            $0.state.tableName
        },
    ]
}

extension TableSet {
    /// One row per call of the system into an app.
    public static let callbacks = CallbackRecord.table.set
}
