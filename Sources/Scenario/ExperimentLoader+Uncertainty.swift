// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import PhoneCore
import Power

/// `uncertainty: {samples: 30}`: phones whose doubtful constants are drawn.
extension ExperimentLoader {
    /// Most samples; each is a phone that is kept.
    private static let mostSamples = 1000

    /// How many samples the experiment asks for; 0 without the key, nil when it is wrong.
    func readSamples(_ map: MapReader) -> Int? {
        guard let cursor = map.cursor("uncertainty") else { return 0 }
        let own = MapReader(cursor, expected: "a map such as {samples: 30}")
        guard own.isMap else { return nil }
        let samples = own.required("samples", .integer(2...Self.mostSamples, example: "30"))
        own.finish()
        return samples
    }

    /// The phones of a point, one for each sample, and what was drawn; empty without `uncertainty`.
    ///
    /// Replication r has sample r, and begins anew behind the last: the same phone under every policy.
    func drawPhones(_ cursor: Cursor) -> (doubts: [ModelDoubt], devices: [DeviceModel])? {
        guard samples > 0 else { return ([], []) }
        let whole = wholeSection("device", cursor)
        let reader = DoubtReader(report: report)
        let prefixes: [[String]] =
            [[], ["processor"], ["battery", "cell"]] + Interface.allCases.map { ["radios", $0.name] }
        var found: [(at: [String], ModelDoubt)] = []
        for path in trees.paths {
            guard let file = trees.load(path) else { continue }
            found += reader.doubts(of: file, named: path, in: whole, prefixes: prefixes)
        }
        guard !found.isEmpty else {
            root.cursor("uncertainty", report)?.fail(
                "no constant of this phone has an interval to draw from",
                hint: "its model states them beside its assumptions: {key: …, reason: …, interval: [100 mW, 250 mW]}")
            return nil
        }
        for index in found.indices { found[index].1.draw(samples: samples, seed: peopleSeed) }
        var devices: [DeviceModel] = []
        for sample in 0..<samples {
            guard let drawn = tree(whole, found, sample),
                let device = readDevice(Cursor(drawn, path: cursor.path, report: report))
            else { return nil }
            devices.append(device)
        }
        return (found.map(\.1), devices)
    }

    /// The phone with the values of a sample, which keep the location of those they replace.
    private func tree(_ whole: Node, _ doubts: [(at: [String], ModelDoubt)], _ sample: Int) -> Node? {
        var tree = whole
        for (path, doubt) in doubts {
            guard let location = whole.at(path)?.location else { return nil }
            let value = Node(.scalar(doubt.text(doubt.draws[sample]), quoted: false), at: location)
            switch tree.setting(path, to: value, at: location) {
            case .success(let changed): tree = changed
            case .failure(let problems):
                report.add(problems)
                return nil
            }
        }
        return tree
    }
}

extension Node {
    /// A key of a map, to report what is wrong with it.
    fileprivate func cursor(_ key: String, _ report: ConfigReport) -> Cursor? {
        self[key].map { Cursor($0, path: key, report: report) }
    }
}

extension SweepPoint {
    /// The phone of a replication.
    public func device(replication: Int) -> DeviceModel {
        samples.isEmpty ? device : samples[replication % samples.count]
    }

    /// What was drawn for the samples, as text; empty without any.
    static func text(_ doubts: [ModelDoubt]) -> String {
        guard !doubts.isEmpty else { return "" }
        let parts = doubts.map { doubt in
            "\"\(doubt.path)\":\"\(doubt.draws.map { doubt.text($0) }.joined(separator: " "))\""
        }
        return ",\"uncertainty\":{\(parts.joined(separator: ","))}"
    }
}
