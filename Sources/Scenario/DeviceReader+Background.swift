// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import ConfigText
import PhoneCore
import Quantities

extension DeviceReader {
    /// Reads the system's rules for events that run apps.
    func readEvents(_ map: MapReader, into rules: inout BackgroundParameters) {
        map.section("pushes") { readPushes($0, into: &rules.pushes) }
        map.section("alarms") { part in
            part.set(&rules.alarms, AlarmParameters.keys)
        }
        map.section("broadcasts") { part in
            part.set(&rules.broadcasts, BroadcastParameters.keys)
        }
        map.section("transfers") { part in
            part.set(&rules.transfers, TransferParameters.keys)
        }
        map.section("connections") { part in
            part.set(&rules.connections, ConnectionParameters.keys)
        }
        map.section("widgets") { part in
            part.set(&rules.widgets, WidgetParameters.keys)
        }
        map.section("continued") { part in
            part.set(&rules.continued, ContinuedParameters.keys)
        }
        map.section("fetch") { part in
            part.set(&rules.fetch, FetchParameters.keys)
        }
    }

    private func readPushes(_ map: MapReader, into pushes: inout PushParameters) {
        map.set(&pushes, PushParameters.keys)
    }

    /// Reads the power of apps that the system keeps running.
    func readModes(_ map: MapReader, into modes: inout ModeParameters) {
        map.set(&modes, ModeParameters.keys)
    }
}
