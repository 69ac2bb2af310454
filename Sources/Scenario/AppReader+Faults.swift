// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Quantities
import Vocabulary

/// Reads the key `faults` of an app.
extension AppReader {
    static func readFaults(_ map: MapReader, into faults: inout AppFaults) {
        map.set(&faults, AppFaults.keys)
    }
}
