// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Power
import Quantities

extension DeviceReader {
    /// Reads the processor: the name of a file, or a map.
    func readProcessor(_ root: MapReader, into processor: inout ProcessorParameters) {
        guard let cursor = root.cursor("processor"), let whole = trees.whole(cursor, .processors) else { return }
        let map = MapReader(Cursor(whole, path: cursor.path, report: cursor.report))
        readHeader(map)
        readCluster(map, "efficiency", into: &processor.efficiency)
        readCluster(map, "performance", into: &processor.performance)
        map.set(&processor, ProcessorParameters.keys)
        map.section("placement") { $0.set(&processor.placement, TaskPlacement.keys) }
        map.finish()
    }

    private func readCluster(_ map: MapReader, _ key: String, into cluster: inout CoreCluster) {
        map.section(key) { map in
            map.set(&cluster, CoreCluster.keys)
        }
    }
}
