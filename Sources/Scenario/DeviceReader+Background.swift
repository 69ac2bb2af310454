// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import ConfigText
import PhoneCore
import Quantities

extension DeviceReader {
    private static var time: ValueReader<SimDuration> { .duration(0...9e6) }

    /// Reads what the OS fixes about events that run apps.
    func readEvents(_ map: MapReader, into rules: inout BackgroundParameters) {
        map.section("pushes") { readPushes($0, into: &rules.pushes) }
        map.section("transfers") { part in
            part.set(&rules.transfers.firstDelay, "first_delay", Self.time)
            part.set(&rules.transfers.longestDelay, "longest_delay", Self.time)
            part.set(&rules.transfers.piece, "piece", .bytes(1...1e12))
            part.set(&rules.transfers.life, "life", Self.time)
        }
        map.section("connections") { part in
            part.set(&rules.connections.heartbeat, "heartbeat", .duration(0...9e6))
            part.set(&rules.connections.heartbeatOnWiFi, "wifi_heartbeat", .duration(0...9e6))
            part.set(&rules.connections.bytes, "bytes", .bytes())
            part.set(&rules.connections.outliveApps, "outlive_apps", .flag)
            part.set(&rules.connections.processorTime, "processor", Self.time)
        }
        map.section("widgets") { part in
            part.set(&rules.widgets.perDay, "per_day", .number(0...1e4, example: "70"))
            part.set(&rules.widgets.every, "every", .duration(1...9e6))
            part.set(&rules.widgets.unseenAfter, "unseen_after", Self.time)
            part.set(&rules.widgets.processorTime, "processor", Self.time)
            part.set(&rules.widgets.bytes, "bytes", .bytes())
        }
        map.section("continued") { part in
            part.set(&rules.continued.limit, "limit", .integer(1...1000, example: "2"))
            part.set(&rules.continued.patience, "patience", .duration(1...86400))
        }
        map.section("fetch") { part in
            let factor = ValueReader<Double>.number(0.01...100, example: "1.25")
            part.set(&rules.fetch.afterNewData, "after_new_data", factor)
            part.set(&rules.fetch.afterNoData, "after_no_data", factor)
            part.set(&rules.fetch.afterFailure, "after_failure", factor)
            part.set(&rules.fetch.longest, "longest", .number(1...1000, example: "4"))
        }
    }

    private func readPushes(_ map: MapReader, into pushes: inout PushParameters) {
        map.set(&pushes.perWindow, "per_window", .integer(0...10_000, example: "3"))
        map.set(&pushes.window, "window", Self.time)
        map.set(&pushes.spacing, "spacing", Self.time)
        map.set(&pushes.energyUnits, "energy_units", .number(0...1000, example: "1"))
        map.set(&pushes.budgetRecheck, "budget_recheck", .duration(1...86400))
        map.set(&pushes.runtime, "runtime", .duration(0.001...3600))
        map.set(&pushes.callRuntime, "call_runtime", .duration(0.001...3600))
        map.set(&pushes.ringTime, "ring_time", Self.time)
        map.set(&pushes.answeredShare, "answered_share", .share)
        map.set(&pushes.missesUntilBan, "misses_until_ban", .integer(1...10_000, example: "3"))
        map.set(&pushes.extensionTime, "extension_processor", Self.time)
        map.set(&pushes.extensionBytes, "extension_bytes", .bytes())
        map.set(&pushes.answerWindow, "answer_window", Self.time)
    }

    /// Reads what apps draw that are held running.
    func readModes(_ map: MapReader, into modes: inout ModeParameters) {
        map.set(&modes.musicRate, "music_rate", .amount(.dataRate))
        map.set(&modes.musicStreamedShare, "music_streamed_share", .share)
        map.set(&modes.musicPiece, "music_piece", .duration(0.1...86400))
        map.set(&modes.callLoad, "call_load", .number(0...16, example: "0.2"))
        map.set(&modes.callRate, "call_rate", .amount(.dataRate))
        map.set(&modes.callPiece, "call_piece", .duration(0.1...86400))
        map.set(&modes.eventRuntime, "event_runtime", .duration(0.001...3600))
        map.set(&modes.eventProcessorTime, "event_processor", Self.time)
        map.set(&modes.eventBytes, "event_bytes", .bytes())
        map.set(&modes.locationOutlivesForceQuit, "location_outlives_force_quit", .flag)
    }
}
