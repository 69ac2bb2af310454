// SPDX-License-Identifier: GPL-3.0-or-later
import Measures

/// Every metric of a phone, in the order of a run's values.
///
/// Each metric is declared once, next to the behaviour that counts it, in its `Measures`. "Per day" means per simulated
/// day after the warm-up. A share whose denominator is zero in a run has no value (NaN, an empty field in tables).
public enum MetricCatalog {
    static let declared: (measures: PhoneMeasures, catalogue: MetricCatalogue) = {
        var builder = MeasureBuilder()
        let measures = PhoneMeasures(&builder)
        return (measures, MetricCatalogue(builder))
    }()

    /// The catalogue: names and definitions of metrics, and which of them are available for a single app.
    public static let catalogue = declared.catalogue
}
