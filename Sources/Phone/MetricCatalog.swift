// SPDX-License-Identifier: GPL-3.0-or-later
import Behaviours
import Measures
import PhoneCore

/// What every part of the phone measures, declared beside the code that counts it.
struct PhoneMeasures: Sendable {
    let visits: Visits.Measures
    let core: CoreMeasures
    let charging: Charging.Measures
    let requests: RequestMeasures
    let pushes: Pushes.Measures
    let calls: Calls.Measures
    let transfers: Transfers.Measures
    let widgets: Widgets.Measures
    let connections: Connections.Measures

    /// The order of the declarations is the order of the metrics in tables and lists.
    private init(_ builder: inout MeasureBuilder) {
        visits = Visits.Measures(&builder)
        core = CoreMeasures(&builder)
        charging = Charging.Measures(&builder)
        requests = RequestMeasures(&builder)
        pushes = Pushes.Measures(&builder)
        calls = Calls.Measures(&builder)
        transfers = Transfers.Measures(&builder)
        widgets = Widgets.Measures(&builder)
        connections = Connections.Measures(&builder)
    }

    static let declared: (measures: PhoneMeasures, catalogue: MetricCatalogue) = {
        var builder = MeasureBuilder()
        let measures = PhoneMeasures(&builder)
        return (measures, MetricCatalogue(builder))
    }()
}

/// Every metric of a phone, in the order in which a run's values stand.
///
/// A metric is declared once: beside the behaviour that counts it, in its `Measures`. "Per day" is per simulated
/// day after the warm-up. A share whose denominator is zero in a run has no value (NaN, an empty field in tables).
public enum MetricCatalog {
    /// The catalogue; names and definitions, and which metrics may be asked of a single app.
    public static let catalogue = PhoneMeasures.declared.catalogue
}
