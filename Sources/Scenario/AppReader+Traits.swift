// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Quantities
import Vocabulary

extension AppReader {
    /// Reads what an app does in the background besides refreshing and processing.
    static func readTraits(_ map: MapReader, into app: inout AppModel) {
        map.section("pushes") { readPushes($0, into: &app.traits) }
        map.section("modes") { readModes($0, into: &app.traits) }
        map.section("connection") { part in
            part.set(&app.traits.heartbeat, "heartbeat", .duration(1...9e6))
            part.set(&app.traits.heartbeatOnWiFi, "wifi_heartbeat", .duration(1...9e6))
            part.set(&app.traits.heartbeatBytes, "bytes", .bytes())
        }
        map.section("transfers") { readTransfers($0, into: &app.traits) }
        map.section("continued") { readContinued($0, into: &app.traits) }
        map.set(&app.traits.hasWidget, "widget", .flag)
    }

    private static func readContinued(_ map: MapReader, into traits: inout BackgroundTraits) {
        map.set(&traits.continuedShare, "share", .share)
        map.set(&traits.continuedTime, "time", .duration())
        map.set(&traits.continuedBytes, "bytes", .bytes())
        map.set(&traits.continuedStrategy, "strategy", .choice("strategy"))
        map.set(&traits.continuedReports, "reports", .share)
    }

    private static func readPushes(_ map: MapReader, into traits: inout BackgroundTraits) {
        map.set(&traits.silentPushesPerDay, "silent_per_day", .number(0...1e5, example: "6"))
        map.set(&traits.hasNotificationService, "notification_service", .flag)
        map.set(&traits.callsPerDay, "calls_per_day", .number(0...1e4, example: "0.5"))
        map.set(&traits.reportsCalls, "reports_calls", .share)
    }

    private static func readModes(_ map: MapReader, into traits: inout BackgroundTraits) {
        map.set(&traits.followsLocation, "location", .flag)
        map.set(&traits.bluetoothEventsPerDay, "bluetooth_per_day", .number(0...1e5, example: "288"))
    }

    private static func readTransfers(_ map: MapReader, into traits: inout BackgroundTraits) {
        map.set(&traits.transfersPerDay, "per_day", .number(0...1e4, example: "1"))
        map.set(&traits.transferBytes, "bytes", .bytes())
        map.set(&traits.transferUpShare, "up_share", .share)
        map.set(&traits.transferIsDiscretionary, "discretionary", .flag)
    }
}
