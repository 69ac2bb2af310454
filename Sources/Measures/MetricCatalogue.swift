// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics

/// All metrics of a phone in the order of their declarations, which is also the order of a run's values.
public struct MetricCatalogue: Sendable {
    /// All metrics.
    public let metrics: [Metric]
    let layout: MeasureBuilder.Layout
    private let indices: [String: Int]
    private let aliases: [String: String]

    /// Creates the catalogue of all declarations.
    public init(_ builder: MeasureBuilder) {
        metrics = builder.metrics
        layout = builder.layout
        aliases = builder.aliases
        indices = Dictionary(uniqueKeysWithValues: metrics.enumerated().map { ($0.element.name, $0.offset) })
    }

    /// The names in order.
    public var names: [String] { metrics.map(\.name) }

    /// The index of a metric in a run's values; nil if there is none with that name.
    public func index(of name: String) -> Int? { indices[name] }

    /// The present name of the metric that had a former name; nil if no metric had that name.
    public func newName(for text: String) -> String? { aliases[String(text.prefix { $0 != "(" })] }

    /// Reads a request such as `relaunches_per_day` or `relaunches_per_day(app=mail)`.
    ///
    /// - Throws: An error if the metric is unknown, if single apps cannot have it, or if the text has another form.
    public func request(_ text: String) throws(MetricRequestError) -> MetricRequest {
        guard let opening = text.firstIndex(of: "(") else { return MetricRequest(metric: try known(text), app: nil) }
        let name = String(text[..<opening])
        let metric = try known(name)
        let rest = text[text.index(after: opening)...]
        let words = rest.dropLast().split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard rest.last == ")", words.count == 2, words[0] == "app", !words[1].isEmpty else {
            throw MetricRequestError(
                message: "expected \(name) or \(name)(app=NAME), found \"\(text)\"", hint: nil)
        }
        guard metrics[metric].isOfApps else {
            throw MetricRequestError(
                message: "the metric \(name) applies to the phone, not to a single app",
                hint: "write \(name), or choose a metric of apps: flotsam list metrics")
        }
        return MetricRequest(metric: metric, app: String(words[1]))
    }

    /// Words that users commonly write, and the beginnings of the names of the metrics that they mean.
    private static let meant = [
        "latency": "launch_", "startup": "launch_", "start_time": "launch_", "crashes": "exits_fg_abnormal",
        "oom": "kills", "staleness": "content_age", "freshness": "content_age", "power": "energy",
    ]

    private func known(_ name: String) throws(MetricRequestError) -> Int {
        if let index = indices[aliases[name] ?? name] { return index }
        throw MetricRequestError(
            message: "unknown metric \"\(name)\"",
            hint: Self.meant[name.lowercased()].map { word in
                "perhaps " + names.filter { $0.hasPrefix(word) }.prefix(4).joined(separator: ", ")
            } ?? nameHint(name, in: names, alike: "similar: ", all: "flotsam list metrics"))
    }
}

/// A request for a metric: of the phone, or of one app.
public struct MetricRequest: Sendable, Hashable {
    /// Index in the catalogue.
    public let metric: Int
    /// Name of the app; nil for the phone.
    public let app: String?

    /// Requests a metric of the phone, or of an app.
    public init(metric: Int, app: String?) {
        self.metric = metric
        self.app = app
    }

    /// The request in its written form: `relaunches_per_day`, or `relaunches_per_day(app=mail)`.
    public func text(in catalogue: MetricCatalogue) -> String {
        let name = catalogue.metrics[metric].name
        return app.map { "\(name)(app=\($0))" } ?? name
    }
}

/// Why a request for a metric is invalid.
public struct MetricRequestError: Error, Equatable {
    /// Description of the error, as a sentence without its full stop.
    public let message: String
    /// Correction, if there is one.
    public let hint: String?
}
