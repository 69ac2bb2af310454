// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

extension Persona {
    /// Wi-Fi: the share of time in each location, and the length of its spells (docs/evidence/users.md,
    /// section 2.6).
    public struct WiFi: Sendable {
        /// Share of the time on Wi-Fi at home.
        public var home = 0.0
        /// Share at work.
        public var work = 0.0
        /// Share in transit.
        public var transit = 0.0
        /// Share elsewhere.
        public var other = 0.0
        /// Share on a journey abroad.
        public var abroad = 0.0
        /// Changes between access points an hour while on Wi-Fi away from home; published nowhere.
        public var roamsPerHour = 0.0
        /// Length of a spell on Wi-Fi.
        public var onSpell = LogNormal(mu: 0, sigma: 0)
        /// Length of a spell off Wi-Fi.
        public var offSpell = LogNormal(mu: 0, sigma: 0)
        /// Factor on every share, for countries with less Wi-Fi (docs/evidence/users.md, section 3, Wi-Fi
        /// time share).
        public var countryFactor = 1.0

        /// Creates habits without any activity.
        public init() {}
    }

    /// How the user has set the display.
    public struct Screen: Sendable {
        /// Share of the time on screen in which apps are dark, on a phone that is not set to be dark always.
        public var dark = 0.0
        /// Factor on the brightness that the phone has by itself.
        public var brightness = 1.0

        /// Creates the settings of a new phone.
        public init() {}

        /// The keys in files, with what is allowed.
        public static let keys: [FileKey<Screen>] = [
            .share(\.dark, "dark"), .number(\.brightness, "brightness", 0...10, example: "1.2"),
        ]
    }

    /// Where the cellular network is in reach, and where it is not: in lifts, trains, cellars, abroad without roaming.
    public struct Cellular: Sendable {
        /// Share of the time at home with a network.
        public var home = 1.0
        /// Share at work.
        public var work = 1.0
        /// Share in transit.
        public var transit = 1.0
        /// Share elsewhere.
        public var other = 1.0
        /// Share of the places with 5G; elsewhere the phone has what its mobile radio falls back to.
        ///
        /// Home and work are one location each, every stay elsewhere is another.
        public var fiveG = 1.0
        /// Length of a gap.
        public var gap = LogNormal(median: .minutes(1), sigma: 1, cap: .hours(2))
        /// Whether data of the cellular network are used abroad.
        public var roams = true
        /// How good the signal is at home; excellent where other locations have a level and this one has none, that
        /// of the device's radio where no location has.
        public var homeSignal: SignalLevel?
        /// At work.
        public var workSignal: SignalLevel?
        /// In transit.
        public var transitSignal: SignalLevel?
        /// Elsewhere.
        public var otherSignal: SignalLevel?
        /// On a journey abroad.
        public var abroadSignal: SignalLevel?

        /// Creates a network without gaps.
        public init() {}

        /// Whether anything is said of signals.
        var hasSignals: Bool {
            [homeSignal, workSignal, transitSignal, otherSignal, abroadSignal].contains { $0 != nil }
        }

        /// How good the signal is at a location; nil where nothing is said of it.
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
