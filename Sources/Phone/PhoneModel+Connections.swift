import Background
import Power
import Processes
import Quantities
import RandomStreams
import Vocabulary

// Connections that wait for the server to speak: networks forget a silent one, so somebody says something now and then.
// The setting up of a connection, at its start and after a change of network, is not modelled.
extension PhoneModel {
    /// Enters the first heartbeats; those of apps are spread over the time between two.
    mutating func startConnections() {
        let rules = device.background.connections
        if rules.heartbeat > .zero || rules.heartbeatOnWiFi > .zero {
            agenda.add(.pushHeartbeat, .system, at: .zero + max(rules.heartbeat, rules.heartbeatOnWiFi))
        }
        for index in apps.indices where apps[index].traits.heartbeat > .zero {
            var stream = specification.stream(apps[index].name, "connection")
            agenda.add(.heartbeat, AppID(index), at: .zero + apps[index].traits.heartbeat * stream.uniform())
        }
    }

    /// The push connection may have been silent for as long as its network allows.
    mutating func pushConnectionRests(at now: SimTime) {
        let rules = device.background.connections
        let silence = power.interface == .wifi ? rules.heartbeatOnWiFi : rules.heartbeat
        guard silence > .zero, !power.isDead, power.interface != nil else {
            agenda.add(.pushHeartbeat, .system, at: now + max(rules.heartbeat, rules.heartbeatOnWiFi, .second))
            return
        }
        if now - lastPushTraffic >= silence {
            sendHeartbeat(of: .system, bytes: rules.bytes, at: now)
            lastPushTraffic = now
        }
        agenda.add(.pushHeartbeat, .system, at: max(lastPushTraffic + silence, now + .second))
    }

    /// An app's own connection sends a heartbeat, if there is one.
    mutating func heartbeatIsDue(_ app: AppID, at now: SimTime) {
        let traits = apps[Int(app.index)].traits
        let isOnWiFi = power.interface == .wifi && traits.heartbeatOnWiFi > .zero
        agenda.add(.heartbeat, app, at: now + (isOnWiFi ? traits.heartbeatOnWiFi : traits.heartbeat))
        guard !power.isDead, isConnected(app) else { return }
        sendHeartbeat(of: app, bytes: traits.heartbeatBytes, at: now)
    }

    /// Whether an app holds a connection now.
    private func isConnected(_ app: AppID) -> Bool {
        if processes.state(of: app).executes { return true }
        return device.background.connections.outliveApps && !requests.isForceQuit(app)
    }

    private mutating func sendHeartbeat(of app: AppID, bytes: ByteCount, at now: SimTime) {
        guard let interface = power.interface else { return }
        let cause = app != .system && app == foreground ? Cause.foreground : .connection
        counts.heartbeats += 1
        power.wakeBriefly(app: app, cause: cause, at: now)
        let work = power.processor.duration(ofWork: device.background.connections.processorTime)
        power.addEnergy(.processor, power.processor.workPower * work, app: app, cause: cause, at: now)
        let up = bytes * 0.5
        _ = power.beginTransfer(interface, down: bytes - up, up: up, app: app, cause: cause, at: now)
        countBytes(bytes, interface)
    }
}
