// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Measures
import Phone

/// Reads metrics in the form of experiments, `relaunches_per_day` or `relaunches_per_day(app=mail)`.
///
/// The reader immediately checks whether the metric exists, and whether it exists for single apps. After the apps of
/// all sweep points are read, it checks whether the app exists.
final class MetricReader {
    private let catalogue: MetricCatalogue
    private var ofApps: [(request: MetricRequest, cursor: Cursor)] = []
    private var studied: [MetricRequest] = []

    init(_ catalogue: MetricCatalogue = MetricCatalog.catalogue) { self.catalogue = catalogue }

    /// Reads the name of a metric.
    var name: ValueReader<String> {
        .scalar("metric", example: "relaunches_per_day", shape: .words(catalogue.names)) { [self] text, cursor in
            do throws(MetricRequestError) {
                let request = try catalogue.request(text)
                if let name = catalogue.newName(for: text) {
                    let hint = "version 4 of the model will remove the old name"
                    cursor.warn("the metric \"\(text)\" is now called \(name)", hint: hint)
                }
                if request.app != nil { ofApps.append((request, cursor)) }
                return request.text(in: catalogue)
            } catch {
                cursor.fail(error.message, hint: error.hint)
                return nil
            }
        }
    }

    /// Requested metrics of single apps, without duplicates and in reading order.
    ///
    /// Metrics of the app that the experiment is about are last, in the order of the catalogue.
    var requests: [MetricRequest] { MetricList(catalogue, ofApps: ofApps.map(\.request) + studied).ofApps }

    /// Requests all metrics of an app.
    func add(app: String) {
        studied = catalogue.metrics.indices.filter { catalogue.metrics[$0].isOfApps }.map {
            MetricRequest(metric: $0, app: app)
        }
    }

    /// Reports apps that are missing at a sweep point.
    ///
    /// - Parameter apps: Names of the apps, for each sweep point.
    func check(apps: [[String]]) {
        for (request, cursor) in ofApps {
            guard let app = request.app, let names = apps.first(where: { !$0.contains(app) }) else { continue }
            let near = nearest(to: app, in: names)
            cursor.fail(
                "there is no app \"\(app)\"" + (apps.contains { $0.contains(app) } ? " at every sweep point" : ""),
                hint: near.map { "did you mean \"\($0)\"?" } ?? "apps: \(names.prefix(5).joined(separator: ", ")), …")
        }
    }
}
