// SPDX-License-Identifier: GPL-3.0-or-later
import Measures

/// How well a run's predictions of use were met, of those within one range of likelihood.
public struct PredictionRow: Sendable {
    /// The range: from, included, to, excluded.
    public var from = 0.0
    /// Its upper end.
    public var to = 1.0
    /// Predictions within it.
    public var predictions = 0
    /// Their mean; NaN without any.
    public var predicted = Double.nan
    /// Share of them that an open followed; NaN without any.
    public var opened = Double.nan
    /// Mean squared difference between a prediction and what followed, 1 or 0; NaN without any.
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
        .number("to", "1", "its upper end, excluded", \.to),
        .count("predictions", "predictions in the range, of one app for half an hour each", \.predictions),
        .number("predicted", "1", "their mean; empty without any", \.predicted),
        .number("opened", "1", "share of them that an open followed; empty without any", \.opened),
        .number(
            "squared_error", "1", "mean squared difference between a prediction and 1 if an open followed, else 0",
            \.squaredError),
    ]
}

extension TableSet {
    /// One row per range of predicted likelihood.
    public static let predictions = PredictionRow.table.set
}
