// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import PhoneCore
import Power

/// Reads `uncertainty: {samples: 30}`, and draws the uncertain constants of phones.
extension ExperimentLoader {
    /// Largest number of samples.
    ///
    /// Each sample is a phone in memory.
    private static let mostSamples = 1000

    /// Number of samples; 0 if the key is missing, nil if the value is invalid.
    func readSamples(_ map: MapReader) -> Int? {
        guard let cursor = map.cursor("uncertainty") else { return 0 }
        let own = MapReader(cursor, expected: "a map such as {samples: 30}")
        guard own.isMap else { return nil }
        let samples = own.required("samples", .integer(2...Self.mostSamples, example: "30"))
        own.finish()
        return samples
    }

    /// Draws the phones of a point, one for each sample; empty without `uncertainty`.
    ///
    /// Replication r uses sample r modulo the number of samples, so all policies have equal phones.
    func drawPhones(_ cursor: Cursor, point: Int) -> (doubts: [ModelDoubt], devices: [DeviceModel])? {
        guard samples > 0 else { return ([], []) }
        let whole = wholeSection("device", cursor)
        let kept = kept?.doubts.map { $0.indices.contains(point) ? $0[point] : [] }
        guard let found = kept?.map({ (whole.path(of: $0), $0) }) ?? newDoubts(in: whole) else { return nil }
        var devices: [DeviceModel] = []
        for sample in 0..<samples {
            guard let drawn = tree(whole, found, sample),
                let device = readDevice(Cursor(drawn, path: cursor.path, report: report))
            else { return nil }
            devices.append(device)
        }
        return (found.map(\.1), devices)
    }

    /// Constants of a phone that can be drawn, each with the path of its value; nil if there are none, which is
    /// reported.
    private func newDoubts(in whole: Node) -> [(at: [String], ModelDoubt)]? {
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
                hint: "add intervals to the assumptions of its model: {key: …, reason: …, interval: [100 mW, 250 mW]}")
            return nil
        }
        for index in found.indices { found[index].1.draw(samples: samples, seed: peopleSeed) }
        return found
    }

    /// Tree of the phone with the values of a sample.
    ///
    /// The values have the locations of the replaced values.
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

extension ModelDoubt {
    /// Tree of the constant, for a manifest.
    func tree(at location: Node.Location) -> Node {
        let numbers = [interval.lowerBound, likeliest, interval.upperBound] + draws
        return Node(
            [("path", Node(path, at: location)), ("unit", Node(unit, at: location))]
                + [("numbers", Node(numbers.map { String($0) }, at: location))], at: location)
    }

    /// Creates the constant from the tree in a manifest; nil if the tree is damaged.
    init?(tree: Node) {
        let numbers = (tree["numbers"]?.items ?? []).compactMap { $0.scalar.flatMap { Double($0) } }
        guard let path = tree["path"]?.scalar, let unit = tree["unit"]?.scalar, numbers.count > 3,
            numbers[0] <= numbers[2]
        else { return nil }
        self.init(
            path: path, unit: unit, interval: numbers[0]...numbers[2], likeliest: numbers[1],
            draws: Array(numbers.dropFirst(3)))
    }
}

extension Node {
    /// Path of the constant's value in the tree of a device.
    ///
    /// The tree may be a map without remarks.
    fileprivate func path(of doubt: ModelDoubt) -> [String] {
        let path = doubt.path.split(separator: ".").dropFirst().map(String.init)
        return path.last == "value" && at(path) == nil ? path.dropLast() : path
    }

    /// Cursor of a key in a map, for problems with the key.
    fileprivate func cursor(_ key: String, _ report: ConfigReport) -> Cursor? {
        self[key].map { Cursor($0, path: key, report: report) }
    }
}

extension SweepPoint {
    /// Phone that a replication uses.
    public func device(replication: Int) -> DeviceModel {
        samples.isEmpty ? device : samples[replication % samples.count]
    }

    /// Tree of the drawn constants; nil if there are none.
    static func tree(_ doubts: [ModelDoubt], at location: Node.Location) -> Node? {
        guard !doubts.isEmpty else { return nil }
        return Node(
            doubts.map { doubt in
                (doubt.path, Node(doubt.draws.map { doubt.text($0) }.joined(separator: " "), at: location))
            }, at: location)
    }
}
