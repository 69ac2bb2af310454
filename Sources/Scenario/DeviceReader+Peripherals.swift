// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Power
import Quantities
import Vocabulary

extension DeviceReader {
    /// Reads the use of the parts by each class of apps; an app may state load and rates of its own.
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
