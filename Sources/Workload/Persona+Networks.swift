// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

extension Persona {
    /// Wi-Fi: the share of time in each location, and the length of its spells (models/recordings.md,
    /// section 2.6).
    public struct WiFi: Sendable {
        /// Share of the time on Wi-Fi at home.
        public var home = 0.0
        /// Share of the time on Wi-Fi at work.
        public var work = 0.0
        /// Share of the time on Wi-Fi in transit.
        public var transit = 0.0
        /// Share of the time on Wi-Fi elsewhere.
        public var other = 0.0
        /// Share of the time on Wi-Fi on a journey abroad.
        public var abroad = 0.0
        /// Changes between access points an hour while on Wi-Fi away from home; no figure is published.
        public var roamsPerHour = 0.0
        /// Length of a spell on Wi-Fi.
        public var onSpell = LogNormal(mu: 0, sigma: 0)
        /// Length of a spell off Wi-Fi.
        public var offSpell = LogNormal(mu: 0, sigma: 0)
        /// Factor that multiplies every share but the one abroad, for countries with less Wi-Fi (models/recordings.md,
        /// section 3, Wi-Fi time share).
        public var countryFactor = 1.0

        /// Creates habits without any activity.
        public init() {}
    }

    /// The user's settings of the display.
    public struct Screen: Sendable {
        /// Share of the screen time with apps in dark mode, on a phone that is not always dark.
        public var dark = 0.0
        /// Factor that multiplies the brightness that the phone would choose.
        public var brightness = 1.0

        /// Creates the settings of a new phone.
        public init() {}

        /// The keys of these values in files, with their allowed ranges.
        public static let keys: [FileKey<Screen>] = [
            .share(\.dark, "dark"), .number(\.brightness, "brightness", 0...10, example: "1.2"),
        ]
    }

    /// Reach of the cellular network and its gaps: in lifts, trains, cellars, abroad without roaming.
    public struct Cellular: Sendable {
        /// Share of the time at home with a network.
        public var home = 1.0
        /// Share of the time at work with a network.
        public var work = 1.0
        /// Share of the time in transit with a network.
        public var transit = 1.0
        /// Share of the time elsewhere with a network.
        public var other = 1.0
        /// Share of the locations with 5G; elsewhere the phone uses the fallback of its mobile radio.
        ///
        /// Home and work are one location each; every stay elsewhere is a separate location.
        public var fiveG = 1.0
        /// Length of a gap.
        public var gap = LogNormal(median: .minutes(1), sigma: 1, cap: .hours(2))
        /// Whether the phone uses cellular data abroad.
        public var roams = true
        /// Signal at home.
        ///
        /// Without a stated level, the signal is excellent if another location has a level. Otherwise it is the signal
        /// of the device's radio.
        public var homeSignal: SignalLevel?
        /// Signal at work.
        public var workSignal: SignalLevel?
        /// Signal in transit.
        public var transitSignal: SignalLevel?
        /// Signal elsewhere.
        public var otherSignal: SignalLevel?
        /// Signal on a journey abroad.
        public var abroadSignal: SignalLevel?

        /// Creates a network without gaps.
        public init() {}

        /// Whether any location has a stated signal.
        var hasSignals: Bool {
            [homeSignal, workSignal, transitSignal, otherSignal, abroadSignal].contains { $0 != nil }
        }

        /// Stated signal at a location, if any.
        func signal(at location: Location) -> SignalLevel? {
            switch location {
            case .home: homeSignal
            case .work: workSignal
            case .transit: transitSignal
            case .other: otherSignal
            case .abroad: abroadSignal
            }
        }
    }
}
