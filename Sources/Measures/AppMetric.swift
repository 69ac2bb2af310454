// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// A metric that a run is asked of one of its apps.
public struct AppMetric: Sendable, Equatable {
    /// Index in the catalogue.
    public let metric: Int
    /// The app.
    public let app: AppID

    /// Asks for a metric, which must be one that may be asked of an app.
    public init(metric: Int, app: AppID) {
        self.metric = metric
        self.app = app
    }
}

extension RunMeasures {
    /// Starts to measure at time zero, watching the apps of which something is asked.
    public init(_ catalogue: MetricCatalogue, for requests: [AppMetric]) {
        var apps: [AppID] = []
        for request in requests where !apps.contains(request.app) { apps.append(request.app) }
        self.init(catalogue, watching: apps)
    }

    /// The phone's value of every metric, then what is asked of apps: the order of a `MetricList`.
    public func values(at now: SimTime, and requests: [AppMetric]) -> [Double] {
        values(at: now) + requests.map { value(of: $0.metric, app: $0.app, at: now) }
    }
}
