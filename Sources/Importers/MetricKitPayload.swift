// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Quantities

/// A MetricKit payload: one app on one phone for one day (Apple, MetricKit, `MXMetricPayload.jsonRepresentation`).
struct MetricKitPayload {
    /// Bundle of the app; nil before iOS 17, because earlier payloads do not contain the bundle.
    let app: String
    private let node: Node

    private init?(_ node: Node) {
        guard node["metaData"] != nil else { return nil }
        self.node = node
        app = node["metaData"]?["bundleIdentifier"]?.scalar ?? "app"
    }

    /// Reads the payloads of a text, which contains one payload, a list of payloads, or several payloads in sequence.
    static func all(_ source: SourceText) throws(Diagnostics) -> [MetricKitPayload] {
        let values = try JSONText.parse(source).get()
        let payloads = values.flatMap { $0.items ?? [$0] }.compactMap { MetricKitPayload($0) }
        guard !payloads.isEmpty else {
            throw Diagnostics("\(source.name) is not a payload of MetricKit, because it has no metaData")
        }
        return payloads
    }

    /// Adds the values of the payload to the data of a phone.
    func add(to phone: inout RecordedPhone) {
        phone.platform = .ios
        phone.product = phone.product ?? node["metaData"]?["deviceType"]?.scalar
        phone.system = phone.system ?? node["metaData"]?["osVersion"]?.scalar
        phone.memory = phone.memory ?? phone.product.flatMap { AppleProducts.memory(of: $0) }
        let memory = node["memoryMetrics"]
        let (peak, suspended) = (
            number(memory?["peakMemoryUsage"]), number(memory?["averageSuspendedMemory"]?["averageValue"])
        )
        let network = node["networkTransferMetrics"]
        for (bars, time) in histogram(node["cellularConditionMetrics"]?["cellConditionTime"]) where bars <= 5 {
            phone.bars[bars, default: 0] += time
        }
        let launches = histogram(node["applicationLaunchMetrics"]?["histogrammedTimeToFirstDrawKey"])
        let resumes = histogram(node["applicationLaunchMetrics"]?["histogrammedResumeTime"])
        let time = node["applicationTimeMetrics"]
        phone.change(app) { app in
            if let peak {
                app.peaks.append(ByteCount(Int64(peak * 1024)))
                app.footprint = app.peaks.max()
            }
            if let suspended { app.backgroundFootprint = ByteCount(Int64(suspended * 1024)) }
            for (length, count) in launches { app.launches[length, default: 0] += count }
            app.opens += (launches + resumes).reduce(0) { $0 + $1.count }
            app.foreground += number(time?["cumulativeForegroundTime"]) ?? 0
            app.days += 1
            for (key, value) in exits { app.exits[key, default: 0] += value }
            for key in ["cumulativeWifiDownload", "cumulativeWifiUpload"] {
                app.wifiBytes += 1024 * (number(network?[key]) ?? 0)
            }
            for key in ["cumulativeCellularDownload", "cumulativeCellularUpload"] {
                app.cellularBytes += 1024 * (number(network?[key]) ?? 0)
            }
        }
    }

    /// Number of exits of the app's processes, by category.
    ///
    /// The categories have the names of the metrics `exits_…_per_day`.
    private var exits: [String: Int] {
        var exits: [String: Int] = [:]
        for (part, prefix) in [("backgroundExitData", "bg_"), ("foregroundExitData", "fg_")] {
            for (key, name) in Self.categories {
                let count = number(node["applicationExitMetrics"]?[part]?["cumulative\(key)ExitCount"]) ?? 0
                if count > 0 { exits[prefix + name] = Int(count) }
            }
        }
        return exits
    }

    private static let categories = [
        ("NormalApp", "normal"), ("Abnormal", "abnormal"), ("AppWatchdog", "watchdog"),
        ("CPUResourceLimit", "cpu_limit"), ("MemoryResourceLimit", "memory_limit"),
        ("MemoryPressure", "memory_pressure"), ("SuspendedWithLockedFile", "locked_file"),
        ("BackgroundTaskAssertionTimeout", "task_timeout"), ("BadAccess", "bad_access"),
        ("IllegalInstruction", "illegal_instruction"),
    ]

    /// Reads numbers such as `203,456 kB`, `1.5 sec` and `12`, whose separators depend on the phone's language.
    private func number(_ node: Node?) -> Double? {
        guard let word = node?.scalar?.split(separator: " ").first else { return nil }
        let digits = word.filter { $0.isASCII && $0.isNumber }
        guard let value = Double(digits), value < 1e12 else { return nil }
        // Digits after the last separator are decimals, unless there are exactly three of them.
        guard let sign = word.lastIndex(where: { $0 == "." || $0 == "," }) else { return value }
        let behind = word[sign...].count { $0.isASCII && $0.isNumber }
        return behind == 3 ? value : (0..<behind).reduce(value) { value, _ in value / 10 }
    }

    /// Midpoint and count of each bucket of a histogram.
    private func histogram(_ node: Node?) -> [(value: Double, count: Double)] {
        (node?["histogramValue"]?.entries ?? []).compactMap { entry in
            guard let count = number(entry.value["bucketCount"]), let start = number(entry.value["bucketStart"]),
                let end = number(entry.value["bucketEnd"])
            else { return nil }
            return ((start + end) / 2, count)
        }
    }
}
