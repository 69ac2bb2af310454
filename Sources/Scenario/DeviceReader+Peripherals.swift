// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Power
import Quantities
import Vocabulary

extension DeviceReader {
    /// What the classes of apps put on the parts; load and rates are the app's own where it states them.
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
