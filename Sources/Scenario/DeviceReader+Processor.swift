// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Power
import Quantities

extension DeviceReader {
    /// The processor, by the name of a file or as a map.
    func readProcessor(_ root: MapReader, into processor: inout ProcessorParameters) {
        guard let cursor = root.cursor("processor"), let whole = trees.whole(cursor, .processors) else { return }
        let map = MapReader(Cursor(whole, path: cursor.path, report: cursor.report))
        readHeader(map)
        readCluster(map, "efficiency", into: &processor.efficiency)
        readCluster(map, "performance", into: &processor.performance)
        map.set(&processor.frequencyPolicy, "frequency_policy", .choice("frequency policy"))
        map.set(&processor.launchLoad, "launch_load", .number(0...16, example: "0.75"))
        map.finish()
    }

    private func readCluster(_ map: MapReader, _ key: String, into cluster: inout CoreCluster) {
        map.section(key) { map in
            map.set(&cluster.cores, "cores", .integer(1...64, example: "4"))
            map.set(&cluster.clusterPower, "cluster_power", .amount(.power))
            let points = ValueReader<[OperatingPoint]>.list(of: point)
                .checked("points by rising frequency and rate") { points in
                    !points.isEmpty
                        && zip(points, points.dropFirst()).allSatisfy {
                            $0.frequency < $1.frequency && $0.rate < $1.rate
                        }
                }
            map.set(&cluster.points, "points", points)
        }
    }

    private var point: ValueReader<OperatingPoint> {
        let example = "{frequency: 1.5 GHz, power: 220 mW, rate: 11400}"
        return ValueReader(example: example) { cursor in
            let map = MapReader(cursor, expected: "a map such as \(example)")
            let frequency = map.required("frequency", ValueReader<Frequency>.amount(.frequency, 1e6...1e11))
            let power = map.required("power", ValueReader<Power>.amount(.power, 0...100))
            let rate = map.required("rate", .number(1...1e7, example: "11400"))
            map.finish()
            guard let frequency, let power, let rate else { return nil }
            return OperatingPoint(frequency: frequency, power: power, rate: rate)
        }
    }
}
