// SPDX-License-Identifier: GPL-3.0-or-later
import Power
import Quantities
import Vocabulary

/// Surroundings of a phone, for devices that distinguish them.
///
/// The values are fitted to a model of one body behind one thermal resistance to the air, over rows of 200 to 1,000 s.
/// The rows come from the battery log of one iPhone 13 Pro Max in January (M. Miller 2026,
/// github.com/markm39/mcm-battery-2026, CC BY 4.0). A capacity is the fit's time constant divided by its resistance. On
/// a device without surroundings, the hour of the day determines the air temperature (`Persona.ambient`). Resistance
/// and capacity are then always those of the device (`HeatParameters`).
public struct SurroundingParameters: Sendable {
    /// Surroundings in use off the charger; the fit to rows above 1 W gives 23.9 °C, 4.4 K/W and 2,200 s.
    public var hand = Surrounding(air: .celsius(23.9), resistance: 4.4, capacity: 500)
    /// Surroundings when carried by day; a cell at 0.2 W had 28.5 °C, which is 5.4 K/W above the air.
    ///
    /// The fit to all rows gives 5.4 K/W and 1,700 s.
    public var pocket = Surrounding(air: .celsius(27.4), resistance: 5.4, capacity: 315)
    /// Surroundings on a table by day; 22 °C is an assumption, and the fit to all charges gives 5.5 K/W and 1,000 s.
    public var table = Surrounding(air: .celsius(22), resistance: 5.5, capacity: 182)
    /// Surroundings beside the bed at night; a cell at 0.09 W had 17.9 °C, which is 5.4 K/W above the air.
    public var bedside = Surrounding(air: .celsius(17.4), resistance: 5.4, capacity: 315)
    /// Surroundings on a cable by day, in use or not; the fit to charges by day gives 29.3 °C, 2.5 K/W and 300 s.
    public var cable = Surrounding(air: .celsius(29.3), resistance: 2.5, capacity: 120)
    /// Surroundings on a cable at night, presumably on bedding; the fit gives 22.2 °C, 8.0 K/W and 2,200 s.
    ///
    /// The fit uses all rows of at least 200 s in which the phone was connected at night. A fit only to the rows of
    /// charges, which never complete, gives 19.6 °C and 9.4 K/W.
    public var bed = Surrounding(air: .celsius(22.2), resistance: 8.0, capacity: 275)
    /// Surroundings on a charging pad; assumption: as on a table.
    public var pad = Surrounding(air: .celsius(22), resistance: 5.5, capacity: 182)
    /// Surroundings in a car, charging or in a holder; assumption, 5 to 45 °C, because no recording exists.
    public var car = Surrounding(air: .celsius(25), resistance: 5.4, capacity: 182)
    /// Surroundings in the sun; assumption, 30 to 55 °C, because no recording exists.
    public var sun = Surrounding(air: .celsius(40), resistance: 5.4, capacity: 182)

    /// Share of the hours by day in which a phone that is not held is carried rather than on a table; assumption, 0.5
    /// to 1.
    ///
    /// The hours are those at home, at work or elsewhere. Nine tenths of the recorded rows at 0.2 W by day were above
    /// 24.5 °C.
    public var pocketShare = 0.8
    /// Share of the time on journeys that the phone is in a car; assumption.
    public var carShare = 0.0
    /// Share of the time elsewhere, from 9:00 to 18:00, that the phone is in the sun; assumption.
    public var sunShare = 0.0
    /// Hour of the day from which a phone at home lies beside a bed; the recorded nights are from 23:00 to 8:00.
    public var nightBegins = 23
    /// Hour of the day at which the night ends.
    public var nightEnds = 8

    /// Creates the surroundings of the recorded phone.
    public init() {}

    /// Whether an hour belongs to the night.
    package func isNight(hour: Int) -> Bool {
        nightBegins <= nightEnds
            ? (nightBegins..<nightEnds).contains(hour) : hour >= nightBegins || hour < nightEnds
    }
}

extension SurroundingParameters {
    /// The keys in `surroundings`, with their allowed values.
    public static let keys: [FileKey<SurroundingParameters>] = figures + habits

    private static let figures: [FileKey<SurroundingParameters>] = [
        .map("hand", lying(\.hand.air, \.hand.resistance, \.hand.capacity)),
        .map("pocket", lying(\.pocket.air, \.pocket.resistance, \.pocket.capacity)),
        .map("table", lying(\.table.air, \.table.resistance, \.table.capacity)),
        .map("cable", lying(\.cable.air, \.cable.resistance, \.cable.capacity)),
        .map("bedside", lying(\.bedside.air, \.bedside.resistance, \.bedside.capacity)),
        .map("bed", lying(\.bed.air, \.bed.resistance, \.bed.capacity)),
        .map("pad", lying(\.pad.air, \.pad.resistance, \.pad.capacity)),
        .map("car", lying(\.car.air, \.car.resistance, \.car.capacity)),
        .map("sun", lying(\.sun.air, \.sun.resistance, \.sun.capacity)),
    ]

    private static func lying(
        _ air: FileKey<SurroundingParameters>.Path<Temperature>,
        _ resistance: FileKey<SurroundingParameters>.Path<Double>,
        _ capacity: FileKey<SurroundingParameters>.Path<Double>
    ) -> [FileKey<SurroundingParameters>] {
        [
            .amount(air, "air", .temperature, -40...60),
            .quantity(resistance, "resistance", .thermalResistance, 0.01...1e4),
            .quantity(capacity, "capacity", .heatCapacity, 1...1e6),
        ]
    }

    private static let habits: [FileKey<SurroundingParameters>] = [
        .share(\.pocketShare, "pocket_share"),
        .share(\.carShare, "car_share"),
        .share(\.sunShare, "sun_share"),
        .integer(\.nightBegins, "night_begins", 0...24, example: "23"),
        .integer(\.nightEnds, "night_ends", 0...24, example: "8"),
    ]
}

/// Surroundings of the phone when it is not held.
package struct Resting: BitwiseCopyable {
    /// Surroundings off the charger.
    package var free: Surrounding
    /// Surroundings on a cable.
    package var onCable: Surrounding

    package init(free: Surrounding, onCable: Surrounding) {
        self.free = free
        self.onCable = onCable
    }
}

extension PhoneCore {
    /// Updates the surroundings of the phone: on a pad, on a cable, in a hand, or not held.
    package mutating func followSurroundings() {
        guard let surroundings = device.surroundings else { return }
        let found: Surrounding
        if conditions.pluggedIn {
            found = power.isWireless ? surroundings.pad : resting.onCable
        } else {
            found = conditions.screenOn ? surroundings.hand : resting.free
        }
        guard found != surrounding else { return }
        surrounding = found
        power.setSurrounding(found, at: now)
    }
}
