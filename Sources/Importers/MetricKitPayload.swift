// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Quantities

/// A payload of MetricKit: a day of one app on one phone (Apple, MetricKit, `MXMetricPayload.jsonRepresentation`).
struct MetricKitPayload {
    /// The bundle, where it is told, as it is from iOS 17 on.
    let app: String
    private let node: Node

    /// Reads the first payload of a text.
    init(_ source: SourceText) throws(Diagnostics) {
        let values = try JSONText.parse(source).get()
        guard let node = values.first.flatMap({ $0.items?.first ?? $0 }), node["metaData"] != nil else {
            throw Diagnostics("\(source.name) is no payload of MetricKit: it has no metaData")
        }
        self.node = node
        app = node["metaData"]?["bundleIdentifier"]?.scalar ?? "app"
    }

    /// Adds what it tells to a phone.
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
        phone.change(app) { app in
            if let peak { app.footprint = max(app.footprint ?? ByteCount(0), ByteCount(Int64(peak * 1024))) }
            if let suspended { app.backgroundFootprint = ByteCount(Int64(suspended * 1024)) }
            app.launch = median(node["applicationLaunchMetrics"]?["histogrammedTimeToFirstDrawKey"]) ?? app.launch
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

    /// Ends by category, in the words of the metrics `exits_…_per_day`.
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

    /// `203,456 kB` and `12`; thousands are parted as the phone's language does.
    private func number(_ node: Node?) -> Double? {
        guard let word = node?.scalar?.split(separator: " ").first else { return nil }
        let digits = word.filter { $0.isASCII && $0.isNumber }
        guard let value = Double(digits), value < 1e12 else { return nil }
        return value
    }

    /// The middle of a histogram of milliseconds.
    private func median(_ node: Node?) -> SimDuration? {
        let buckets = (node?["histogramValue"]?.entries ?? []).compactMap { entry -> (Double, Double)? in
            guard let count = number(entry.value["bucketCount"]), let start = number(entry.value["bucketStart"]),
                let end = number(entry.value["bucketEnd"])
            else { return nil }
            return ((start + end) / 2, count)
        }.sorted { $0.0 < $1.0 }
        let half = buckets.reduce(0) { $0 + $1.1 } / 2
        var sum = 0.0
        for (length, count) in buckets {
            sum += count
            if sum >= half, half > 0 { return .seconds(length / 1000) }
        }
        return nil
    }
}
