// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// A request for a metric of one app.
public struct AppMetric: Sendable, Equatable {
    /// Index in the catalogue.
    public let metric: Int
    /// The app.
    public let app: AppID

    /// Requests a metric of an app; the metric must be available for single apps.
    public init(metric: Int, app: AppID) {
        self.metric = metric
        self.app = app
    }
}

extension RunMeasures {
    /// Starts to measure at time zero, and watches the apps of the requests.
    public init(_ catalogue: MetricCatalogue, for requests: [AppMetric]) {
        var apps: [AppID] = []
        for request in requests where !apps.contains(request.app) { apps.append(request.app) }
        self.init(catalogue, watching: apps)
    }

    /// Values of all metrics of the phone, followed by the requested values of apps, in the order of a `MetricList`.
    public func values(at now: SimTime, and requests: [AppMetric]) -> [Double] {
        values(at: now) + requests.map { value(of: $0.metric, app: $0.app, at: now) }
    }
}
