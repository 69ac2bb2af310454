// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Power
import Quantities
import Vocabulary

extension DeviceReader {
    /// Reads how each class of apps uses the parts of the phone.
    ///
    /// A single app may have its own load and rates.
    func readActivities(_ map: MapReader, into table: inout ActivityTable) {
        for activity in ActivityClass.allCases {
            var one = table[activity]
            map.section(activity.rawValue) { map in
                map.set(&one, ActivityParameters.keys)
            }
            table[activity] = one
        }
    }
}
