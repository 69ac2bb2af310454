import Measures

extension MetricCatalog {
    /// The catalogue as everybody outside reads it.
    public static let catalogue: MetricCatalogue = {
        var builder = MeasureBuilder()
        for metric in all {
            guard let better = Measures.Metric.Direction(rawValue: metric.better.rawValue) else { continue }
            // `RunMetrics.swift` fills the values in.
            builder.metric(metric.name, metric.unit, better, metric.definition) { _ in .nan }
        }
        return MetricCatalogue(builder)
    }()
}
