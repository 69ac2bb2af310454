// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// The phone's own work with accounts, independent of the user, as mean powers by day and by night.
///
/// App policies do not affect this work. docs/energy.md describes the recorded day of one iPhone with its screen off.
/// Source: component energies by process of an iPhone 13 Pro Max (Miller 2026, github.com/markm39/mcm-battery-2026).
public struct ServiceParameters: Sendable {
    /// A mean power by day and a mean power by night.
    public struct Pair: Sendable, BitwiseCopyable {
        /// Mean power between the hours at which the day begins and ends.
        public var day: Power
        /// Mean power at other times.
        public var night: Power

        /// Creates a pair.
        public init(day: Power, night: Power) {
            self.day = day
            self.night = night
        }
    }

    /// Processor power of the push daemon.
    public var push = Pair(day: .zero, night: .zero)
    /// Power of the location receiver for the system, at locations that the phone knows.
    public var location = Pair(day: .zero, night: .zero)
    /// Additional power of `location` away from Wi-Fi.
    public var locationAway = Power.zero
    /// Power of Bluetooth beacons for finding the phone.
    public var findMy = Pair(day: .zero, night: .zero)
    /// Power of Bluetooth connections to a watch or headphones.
    public var accessories = Pair(day: .zero, night: .zero)
    /// Power of indexing, backup, clouds, scheduling and many small daemons.
    public var housekeeping = Pair(day: .zero, night: .zero)
    /// Power of the mobile radio's signalling: paging and changes of cells.
    public var signalling = Pair(day: .zero, night: .zero)
    /// Additional power of `signalling` away from Wi-Fi.
    public var signallingAway = Power.zero
    /// Power of the system's own data over Wi-Fi: photos, clouds, messages, backups.
    public var data = Pair(day: .zero, night: .zero)
    /// Hour of the day at which the day begins; the recording is divided at this hour.
    public var dayBegins = 8
    /// Hour of the day at which the day ends.
    public var dayEnds = 23

    /// Share of `housekeeping` that continues in Low Power Mode; assumption, 0.3 to 1.
    ///
    /// Low Power Mode stops mail fetches, photo uploads and automatic downloads (Apple Support HT205234). No source
    /// states the share.
    public var lowPowerShare = 1.0

    /// Creates services without power, for a phone without accounts.
    public init() {}

    /// Whether an hour belongs to the day.
    public func isDay(hour: Int) -> Bool {
        dayBegins <= dayEnds ? (dayBegins..<dayEnds).contains(hour) : hour >= dayBegins || hour < dayEnds
    }
}

extension ServiceParameters {
    /// The keys of these parameters in files, with their allowed values.
    public static let keys: [FileKey<ServiceParameters>] = [
        .amount(\.push.day, "push", .power), .amount(\.push.night, "push_by_night", .power),
        .amount(\.location.day, "location", .power), .amount(\.location.night, "location_by_night", .power),
        .amount(\.locationAway, "location_away", .power), .amount(\.signallingAway, "signalling_away", .power),
        .amount(\.accessories.day, "accessories", .power),
        .amount(\.accessories.night, "accessories_by_night", .power),
        .amount(\.findMy.day, "find_my", .power), .amount(\.findMy.night, "find_my_by_night", .power),
        .amount(\.housekeeping.day, "housekeeping", .power),
        .amount(\.housekeeping.night, "housekeeping_by_night", .power),
        .amount(\.signalling.day, "signalling", .power), .amount(\.signalling.night, "signalling_by_night", .power),
        .amount(\.data.day, "data", .power), .amount(\.data.night, "data_by_night", .power),
        .share(\.lowPowerShare, "low_power_share"),
        .integer(\.dayBegins, "day_begins", 0...24, example: "8"),
        .integer(\.dayEnds, "day_ends", 0...24, example: "23"),
    ]
}
