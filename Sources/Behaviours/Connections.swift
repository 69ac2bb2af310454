// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import EventKernel
import Measures
import PhoneCore
import Power
import Processes
import Quantities
import RandomStreams
import Vocabulary

extension AppTimer {
    /// The app's own connection may need a heartbeat.
    @inlinable public static var heartbeat: AppTimer { AppTimer(22) }
}

extension DeviceTimer {
    /// The system's push connection may need a heartbeat.
    @inlinable public static var pushHeartbeat: DeviceTimer { DeviceTimer(10) }
}

/// Connections that wait for a server; each sends regular heartbeats because networks drop silent connections.
///
/// The bytes for setting up a connection are not modelled. A connection counts as silent from its setup, also after a
/// change of network.
package struct Connections {
    /// Measures of connections.
    package struct Measures: Sendable {
        let heartbeats: AppCount

        package init(_ builder: inout MeasureBuilder) {
            heartbeats = builder.perDayOfApp(
                "heartbeats_per_day", .neutral, "heartbeats of the push connection and of apps' own connections")
        }
    }

    private let measures: Measures
    /// The interface of the push connection; nil without a network and while the phone is off.
    private var interface: Interface?

    package init(_ measures: Measures) { self.measures = measures }

    /// Schedules the first heartbeats; the apps' first heartbeats are spread over one interval.
    package mutating func start(_ core: inout PhoneCore) {
        networkChanged(&core)
        for index in core.apps.indices where core.apps[index].traits.heartbeat > .zero {
            var stream = core.stream(core.apps[index].name, "connection")
            let first = core.apps[index].traits.heartbeat * stream.uniform()
            core.engine.schedule(Slots.app(AppID(index), .heartbeat), after: first, class: EventClass.work)
        }
    }

    /// Sets up the push connection again after a change of network, or when the phone is switched on again.
    package mutating func networkChanged(_ core: inout PhoneCore) {
        let now = core.power.isDead ? nil : core.power.interface
        guard now != interface else { return }
        interface = now
        core.lastPushTraffic = core.now
        schedulePush(&core)
    }

    /// Schedules the next heartbeat of the push connection, at the end of the longest silence that its network allows.
    private func schedulePush(_ core: inout PhoneCore) {
        let rules = core.device.background.connections
        let silence = interface == .wifi ? rules.heartbeatOnWiFi : rules.heartbeat
        guard silence > .zero, interface != nil else { return core.engine.cancel(Slots.device(.pushHeartbeat)) }
        core.engine.schedule(
            Slots.device(.pushHeartbeat), at: core.lastPushTraffic + silence, class: EventClass.work)
    }

    /// Sends a heartbeat if the push connection has been silent for as long as its network allows.
    package func pushTimer(_ core: inout PhoneCore) {
        let rules = core.device.background.connections
        let silence = interface == .wifi ? rules.heartbeatOnWiFi : rules.heartbeat
        if core.now - core.lastPushTraffic >= silence {
            sendHeartbeat(of: .system, bytes: rules.bytes, &core)
            core.lastPushTraffic = core.now
        }
        schedulePush(&core)
    }

    /// Sends a heartbeat over an app's own connection, if it has one.
    package func timer(_ app: AppID, _ core: inout PhoneCore) {
        let traits = core.apps[Int(app.index)].traits
        let isOnWiFi = core.power.interface == .wifi && traits.heartbeatOnWiFi > .zero
        let gap = isOnWiFi ? traits.heartbeatOnWiFi : traits.heartbeat
        core.engine.schedule(Slots.app(app, .heartbeat), after: gap, class: EventClass.work)
        guard !core.power.isDead, isConnected(app, core) else { return }
        sendHeartbeat(of: app, bytes: traits.heartbeatBytes, &core)
    }

    /// Whether an app holds a connection now.
    private func isConnected(_ app: AppID, _ core: borrowing PhoneCore) -> Bool {
        if core.processes.state(of: app).executes { return true }
        return core.device.background.connections.outliveApps && !core.background.isForceQuit(app)
    }

    private func sendHeartbeat(of app: AppID, bytes: ByteCount, _ core: inout PhoneCore) {
        guard core.power.interface != nil else { return }
        let cause = app != .system && app == core.front.app ? Cause.foreground : .connection
        core.measures.add(measures.heartbeats, of: app)
        core.book.countHeartbeat(of: app)
        core.power.wakeBriefly(app: app, cause: cause, at: core.now)
        let work = core.power.processor.duration(ofWork: core.device.background.connections.processorTime)
        core.power.addEnergy(
            .processor, core.power.processor.workPower * work, app: app, cause: cause, at: core.now)
        let up = bytes * 0.5
        core.transfer(down: bytes - up, up: up, app, cause)
    }
}
