// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Quantities
import Vocabulary

/// Reads the faults of an app, `faults`.
extension AppReader {
    static func readFaults(_ map: MapReader, into faults: inout AppFaults) {
        map.set(&faults, AppFaults.keys)
    }
}
