// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Power and traffic of apps that events and calls run in the background.
public struct ModeParameters: Sendable {
    /// Data rate of streamed music; assumption.
    public var musicRate = DataRate.bitsPerSecond(128_000)
    /// Share of music that is streamed; assumption.
    public var musicStreamedShare = 0.5
    /// Length of the pieces in which music is fetched; assumption.
    public var musicPiece = SimDuration.minutes(2)
    /// Share of a core that a call keeps busy; assumption.
    public var callLoad = 0.2
    /// Data rate of a call in each direction; assumption.
    public var callRate = DataRate.bitsPerSecond(40_000)
    /// Length of the pieces in which a call moves its data; a radio stays on between pieces.
    public var callPiece = SimDuration.seconds(1)
    /// Time limit of an app's run for an event of location or an accessory.
    ///
    /// Sources: Apple, Core Bluetooth Programming Guide, "around 10 seconds"; for regions, github
    /// sjitech/iOS_Monitor_Location_Region_In_Background.
    public var eventRuntime = SimDuration.seconds(10)
    /// Processor time of a run for an event of location or an accessory; assumption.
    public var eventProcessorTime = SimDuration.milliseconds(500)
    /// Bytes sent in a run for an event of location or an accessory; assumption: a position or a sensor reading.
    public var eventBytes = ByteCount.kibibytes(4)
    /// Busy share of a core for an app that follows the location continuously; assumption, 0.3 to 0.6.
    ///
    /// Source of the range: processor energy of an app that follows the location, without the receiver, on a recorded
    /// iPhone (Miller 2026, github.com/markm39/mcm-battery-2026). The energy was 9.9 and 8.9 mWh in an hour of moves,
    /// and 11.1 and 17.6 mWh in the second half of the log.
    public var trackingLoad = 0.5
    /// Whether location events still launch an app that the user force-quit.
    ///
    /// Apple's App Programming Guide for iOS names this as the only exception ("Understanding When Your App Gets
    /// Launched into the Background").
    public var locationOutlivesForceQuit = true

    /// Creates the figures of a current phone.
    public init() {}
}

extension ModeParameters {
    /// The keys of these parameters in files, with their allowed values.
    public static let keys: [FileKey<ModeParameters>] = [
        .amount(\.musicRate, "music_rate", .dataRate),
        .share(\.musicStreamedShare, "music_streamed_share"),
        .time(\.musicPiece, "music_piece", 0.1...86400),
        .number(\.callLoad, "call_load", 0...16, example: "0.2"),
        .amount(\.callRate, "call_rate", .dataRate),
        .time(\.callPiece, "call_piece", 0.1...86400),
        .time(\.eventRuntime, "event_runtime", 0.001...3600),
        .time(\.eventProcessorTime, "event_processor", 0...9e6),
        .bytes(\.eventBytes, "event_bytes"),
        .number(\.trackingLoad, "tracking_load", 0...16, example: "0.1"),
        .flag(\.locationOutlivesForceQuit, "location_outlives_force_quit"),
    ]
}
