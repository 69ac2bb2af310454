// SPDX-License-Identifier: GPL-3.0-or-later

/// The metrics of the runs of one experiment: all metrics of the phone, then the requested metrics of single apps.
public struct MetricList: Sendable {
    /// A metric of the phone or of one app.
    public struct Entry: Sendable {
        /// Name in experiment files and tables, such as `relaunches_per_day(app=mail)` for a metric of an app.
        public let name: String
        /// Unit, or `1` for shares.
        public let unit: String
        /// Which direction is better.
        public let better: Metric.Direction
        /// Definition of the value, as one line of text.
        public let definition: String
        /// Spread of the values over runs.
        public let spread: Metric.Spread
    }

    /// Requests for metrics of single apps, in the order of the last entries.
    public let ofApps: [MetricRequest]
    /// The metrics in the order of a run's values.
    public let entries: [Entry]
    private let indices: [String: Int]

    /// Lists all metrics of a catalogue, followed by requested metrics of apps; a repeated request counts once.
    ///
    /// - Precondition: Each request names an app and a metric that single apps can have.
    public init(_ catalogue: MetricCatalogue, ofApps requests: [MetricRequest] = []) {
        var ofApps: [MetricRequest] = []
        for request in requests where !ofApps.contains(request) { ofApps.append(request) }
        let phone = catalogue.metrics.map {
            Entry(
                name: $0.name, unit: $0.unit, better: $0.better, definition: $0.definition, spread: $0.spread)
        }
        let apps = ofApps.map { request in
            let metric = catalogue.metrics[request.metric]
            guard let app = request.app, metric.isOfApps else {
                fatalError("\(metric.name) is requested without an app, or does not apply to apps")
            }
            return Entry(
                name: request.text(in: catalogue), unit: metric.unit, better: metric.better,
                definition: "\(metric.definition); only for the app \(app)", spread: metric.spread)
        }
        self.ofApps = ofApps
        entries = phone + apps
        indices = Dictionary(uniqueKeysWithValues: entries.enumerated().map { ($0.element.name, $0.offset) })
    }

    /// The names in order.
    public var names: [String] { entries.map(\.name) }

    /// The index of a metric in a run's values; nil if there is none with that name.
    public func index(of name: String) -> Int? { indices[name] }
}

extension MetricList: Equatable {
    /// Lists of one catalogue are equal if their requests are.
    public static func == (left: MetricList, right: MetricList) -> Bool { left.names == right.names }
}
