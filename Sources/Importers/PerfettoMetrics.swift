// SPDX-License-Identifier: GPL-3.0-or-later
// This file reads the facts about a phone in the metrics that Perfetto's `trace_processor` computes from an Android
// trace.
//
// In: `trace_processor --run-metrics android_mem,android_lmk,android_startup --metrics-output=json TRACE`, or some of
// these metrics. Out: memory of apps, kills by `oom_score_adj`, times of cold starts. The field names are from
// Perfetto's `protos/perfetto/metrics/android` (`mem_metric`, `lmk_metric`, `startup_metric`).

import ConfigText
import Diagnostics
import Quantities

/// The metrics in one file.
struct PerfettoMetrics {
    /// Metrics that identify a file of this format.
    static let names = ["android_mem", "android_lmk", "android_startup"]

    /// Largest number of kills that are kept.
    private static let mostKills = 10_000
    /// Largest plausible memory of a process in bytes, and longest plausible start in seconds.
    private static let mostBytes = 64.0 * 1_073_741_824, mostSeconds = 600.0

    private let nodes: [Node]

    /// Reads a text with one or more JSON values.
    init(_ source: SourceText) throws(Diagnostics) {
        nodes = try JSONText.parse(source).get()
        guard nodes.contains(where: { node in Self.names.contains { node[$0] != nil } }) else {
            throw Diagnostics(
                "\(source.name) contains none of the metrics " + Self.names.joined(separator: ", "),
                hint: "trace_processor --run-metrics \(Self.names.joined(separator: ",")) --metrics-output=json TRACE")
        }
    }

    /// Adds the metrics to the data of a phone.
    func add(to phone: inout RecordedPhone) {
        phone.platform = phone.platform ?? .android
        for node in nodes {
            addMemory(node["android_mem"], to: &phone)
            let kills =
                node["android_lmk"]?["by_oom_score"] ?? node["android_mem"]?["system_metrics"]?["lmks"]?["breakdown"]
            addKills(kills, to: &phone)
            addStarts(node["android_startup"]?["startup"], to: &phone)
        }
    }

    /// Reads the anonymous memory of each process, including its part in swap space.
    private func addMemory(_ node: Node?, to phone: inout RecordedPhone) {
        var most: [String: Double] = [:]
        var mean: [String: Double] = [:]
        for process in node?["process_metrics"]?.items ?? [] {
            guard let name = process["process_name"]?.scalar, name.contains(".") else { continue }
            // Versions of the tool use different names for the counters over all states.
            let counters = process["total_counters"] ?? process["overall_counters"]
            func bytes(_ part: String) -> Double? {
                number(counters?["anon_and_swap"]?[part], upTo: Self.mostBytes)
                    ?? number(counters?["anon_rss"]?[part], upTo: Self.mostBytes).map {
                        $0 + (number(counters?["swap"]?[part], upTo: Self.mostBytes) ?? 0)
                    }
            }
            guard let largest = bytes("max") else { continue }
            let app = RecordedPhone.app(of: name)
            phone.change(app) { $0.processes.insert(name) }
            most[app, default: 0] += largest
            mean[app, default: 0] += bytes("avg") ?? largest
        }
        for (app, bytes) in most {
            let size = ByteCount(Int64(min(bytes, Self.mostBytes)))
            phone.change(app) {
                $0.peaks.append(size)
                $0.footprint = $0.peaks.max()
                $0.backgroundFootprint = min(size, ByteCount(Int64(min(mean[app] ?? bytes, Self.mostBytes))))
            }
        }
    }

    private func addKills(_ node: Node?, to phone: inout RecordedPhone) {
        for row in node?.items ?? [] {
            guard let band = number(row["oom_score_adj"], from: -1000, upTo: 1000),
                let count = number(row["count"], upTo: Double(Self.mostKills))
            else { continue }
            let room = Self.mostKills - phone.deaths.count
            let death = RecordedPhone.Death(time: nil, process: "", band: Int(band), reason: "lmkd")
            phone.deaths += Array(repeating: death, count: max(0, min(room, Int(count))))
        }
    }

    /// Reads the times of cold starts to the first frame.
    private func addStarts(_ node: Node?, to phone: inout RecordedPhone) {
        for start in node?.items ?? [] {
            guard let app = start["package_name"]?.scalar, app.contains(".") else { continue }
            let type = start["startup_type"]?.scalar
            let isCold = type.map { $0 == "cold" } ?? (start["zygote_new_process"]?.scalar == "true")
            let frame = start["to_first_frame"]
            let length =
                number(frame?["dur_ms"], upTo: Self.mostSeconds * 1e3)
                ?? number(frame?["dur_ns"], upTo: Self.mostSeconds * 1e9).map { $0 / 1e6 }
            phone.change(app) {
                $0.opens += 1
                if isCold, let length, length > 0 { $0.launches[length, default: 0] += 1 }
            }
        }
    }

    private func number(_ node: Node?, from least: Double = 0, upTo most: Double) -> Double? {
        guard let value = node?.scalar.flatMap({ Double($0) }), value >= least, value <= most else { return nil }
        return value
    }
}
