// SPDX-License-Identifier: GPL-3.0-or-later
import Measures

/// Quality of a run's predictions of opens within one range of likelihood.
public struct PredictionRow: Sendable {
    /// Lower end of the range, included.
    public var from = 0.0
    /// Upper end of the range, excluded.
    public var to = 1.0
    /// Number of predictions in the range.
    public var predictions = 0
    /// Mean of the predictions; NaN if there are none.
    public var predicted = Double.nan
    /// Share of the predictions that an open followed; NaN if there are none.
    public var opened = Double.nan
    /// Mean squared difference between prediction and outcome, which is 1 or 0; NaN if there are none.
    public var squaredError = Double.nan

    /// Creates an empty row.
    public init() {}
}

extension PredictionRow: TableRow {
    /// One row per range of predicted likelihood.
    public static let table = PhoneTables.table(
        "predictions", "one row per run and range of predicted likelihood", time: nil, key: ["from"], columns)

    private static let columns: [TableColumn<PredictionRow>] = [
        .number("from", "1", "lower end of the range of likelihood, included", \.from),
        .number("to", "1", "upper end of the range, excluded", \.to),
        .count("predictions", "predictions in the range; each is for one app and half an hour", \.predictions),
        .number("predicted", "1", "mean of the predictions; empty without predictions", \.predicted),
        .number(
            "opened", "1",
            "share of the predictions after which the app was opened; empty without predictions", \.opened),
        .number(
            "squared_error", "1",
            "mean squared difference between a prediction and its outcome: 1 if the app was opened, else 0",
            \.squaredError),
    ]
}

extension TableSet {
    /// One row per range of predicted likelihood.
    public static let predictions = PredictionRow.table.set
}
