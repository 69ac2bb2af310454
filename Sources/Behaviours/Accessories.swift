// SPDX-License-Identifier: GPL-3.0-or-later
// Behaviours contains the activities of a phone: visits, requests, pushes, calls, location, accessories, transfers,
// continued work, widgets, connections, playback, daemons, charging. Each is one type with its own state, streams and
// measures.
// In: timers and signals, which `Phone` routes. Out: calls of `PhoneCore`, and signals for other behaviours.
// A behaviour depends on no other behaviour: it uses only the core and its own state.
// Read first: `Accessories.swift` (the smallest), then `Pushes.swift`, `Visits.swift`, `Requests.swift`.

import Background
import EventKernel
import PhoneCore
import Power
import Processes
import Quantities
import RandomStreams
import Vocabulary

extension AppTimer {
    /// An accessory has data for its app.
    @inlinable public static var accessory: AppTimer { AppTimer(17) }
}

/// Bluetooth accessories run their app when they have data for the app.
package struct Accessories {
    private var streams: [RandomStream]

    package init(_ core: borrowing PhoneCore) { streams = core.streams("accessory") }

    /// Schedules the next event of an app's accessory.
    package mutating func start(_ app: AppID, _ core: inout PhoneCore) {
        let rate = core.apps[Int(app.index)].traits.bluetoothEventsPerDay
        guard rate > 0 else { return }
        let gap = SimDuration.days(streams[Int(app.index)].exponential(mean: 1 / rate))
        core.engine.schedule(Slots.app(app, .accessory), after: gap, class: EventClass.work)
    }

    /// Runs the app for an event of its accessory.
    ///
    /// The app does not run if the user force-quit it, or if its process ended and it restores no state. Source: Apple,
    /// Core Bluetooth Programming Guide, which states that a force quit ends state restoration.
    package mutating func timer(_ app: AppID, _ core: inout PhoneCore) {
        start(app, &core)
        guard !core.power.isDead, !core.background.isForceQuit(app), core.apps[Int(app.index)].declares.bluetooth else {
            return
        }
        guard core.apps[Int(app.index)].traits.restoresBluetooth || core.processes.isAlive(app) else { return }
        core.run(app, for: EventPlan(.accessory, for: core))
    }
}
