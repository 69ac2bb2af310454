// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Connections that the OS keeps while the phone sleeps: its own push connection, and those of apps.
public struct ConnectionParameters: Sendable {
    /// Silence after which the push connection sends a heartbeat on the mobile network; zero for no heartbeats.
    ///
    /// Google Play services: 28 min on mobile networks, 15 min on Wi-Fi (README of kishorgandham/Pacemaker, 2015).
    /// Apple publishes no figure, so this is an assumption for iOS.
    public var heartbeat = SimDuration.minutes(28)
    /// Silence after which the push connection sends a heartbeat on Wi-Fi; zero for no heartbeats.
    public var heartbeatOnWiFi = SimDuration.minutes(15)
    /// Bytes of a heartbeat, sent and received; assumption: a ping, its answer and their headers.
    public var bytes = ByteCount(200)
    /// Whether an app's connection stays open after the time for which the app may run.
    ///
    /// On iOS, a suspended app has no connection. Up to Android 5, a started service was restarted after each kill of
    /// its process (`START_STICKY`), until the user stopped the app. Doze (Android 6) removed the service's network
    /// access on a phone at rest.
    public var outliveApps = false
    /// Processor time of a heartbeat, of an app or of the system; assumption.
    public var processorTime = SimDuration.milliseconds(50)

    /// Creates the profile of a current phone.
    public init() {}
}

extension ConnectionParameters {
    /// The keys of these parameters in files, with their allowed values.
    public static let keys: [FileKey<ConnectionParameters>] = [
        .time(\.heartbeat, "heartbeat", 0...9e6),
        .time(\.heartbeatOnWiFi, "wifi_heartbeat", 0...9e6),
        .bytes(\.bytes, "bytes"),
        .flag(\.outliveApps, "outlive_apps"),
        .time(\.processorTime, "processor", 0...9e6),
    ]
}
