// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Quantities
import Workload

/// Reads a persona from its expanded tree.
///
/// The keys are the names of the Swift properties in `snake_case`.
struct PersonaReader {
    /// Reads the persona; nil if it has errors, which are reported.
    static func read(_ cursor: Cursor) -> Persona? {
        let before = cursor.report.problems.errorCount
        let map = MapReader(cursor)
        _ = map.optional("schema", .schema)
        _ = map.optional("summary", .text)
        var persona = Persona(name: map.value("name", .text, default: "persona"))
        map.set(&persona.grounding, "grounding", .text)
        map.set(&persona, Persona.keys)
        map.section("pickups") { readPickups($0, into: &persona.pickups) }
        map.section("apps") { readApps($0, into: &persona.apps) }
        readGames(map, into: &persona)
        map.section("episodes") { $0.set(&persona.episodes, Persona.Episodes.keys) }
        readOpenedBy(map, into: &persona.openedBy)
        map.section("notifications") { notifications in
            var habits = Persona.Notifications()
            notifications.set(&habits, Persona.Notifications.keys)
            persona.notifications = habits
        }
        map.section("charging") { readCharging($0, into: &persona.charging) }
        map.section("places") { readPlaces($0, into: &persona.places) }
        map.section("wifi") { readWiFi($0, into: &persona.wifi) }
        map.section("cellular") { $0.set(&persona.cellular, Persona.Cellular.keys) }
        map.section("screen") { $0.set(&persona.screen, Persona.Screen.keys) }
        map.section("background") { readBackground($0, into: &persona.background) }
        map.set(&persona.ambient, "ambient", ambient)
        map.set(&persona.workdayHours, "workday_hours", hours)
        map.set(&persona.freeDayHours, "free_day_hours", hours)
        map.set(
            &persona.dayShift, "day_shift",
            ValueReader<Double>.quantity(.time, -43200...43200).map { $0 / 3600 })
        checkAssumptions(map)
        map.finish()
        return cursor.report.problems.errorCount == before ? persona.shifted : nil
    }

    private static func readPickups(_ map: MapReader, into pickups: inout Persona.Pickups) {
        map.set(&pickups, Persona.Pickups.keys)
        map.retired("gap_scale", "the gaps between pick-ups are stretched until the day has \"per_day\" pick-ups")
    }

    private static func readApps(_ map: MapReader, into apps: inout Persona.AppChoice) {
        map.set(&apps, Persona.AppChoice.keys)
    }

    private static func readOpenedBy(_ map: MapReader, into shares: inout Persona.OpenShares) {
        guard let part = map.map("opened_by") else { return }
        part.set(&shares, Persona.OpenShares.keys)
        part.finish()
        if shares.sum > 1 {
            part.cursor.fail(
                "the shares add up to more than 100 %", hint: "opens by icon make up the rest, up to 100 %")
        }
    }

    private static func readGames(_ map: MapReader, into persona: inout Persona) {
        guard let games = map.map("games") else { return }
        var habits = Persona.Games(shareOfLaunches: 0, visit: LogNormal(mu: 0, sigma: 0), chargeWhilePlaying: 0)
        games.set(&habits, Persona.Games.keys)
        games.finish()
        persona.games = habits
    }

    private static func readCharging(_ map: MapReader, into charging: inout Persona.Charging) {
        map.set(&charging, Persona.Charging.keys)
        // This only marks the key as known. `readCharger` reads its value.
        _ = map.cursor("charger")
    }

    private static func readPlaces(_ map: MapReader, into places: inout Persona.Places) {
        map.set(&places, Persona.Places.keys)
    }

    private static func readWiFi(_ map: MapReader, into wifi: inout Persona.WiFi) {
        map.set(&wifi, Persona.WiFi.keys)
    }

    private static func readBackground(_ map: MapReader, into background: inout Persona.BackgroundHabits) {
        map.set(&background, Persona.BackgroundHabits.keys)
    }
}

extension PersonaReader {
    /// Reads one temperature, or a list with one for each hour from midnight.
    private static var ambient: ValueReader<[Temperature]> {
        let one = ValueReader<Temperature>.amount(.temperature, -40...60)
        let shape = ValueReader<[Temperature]>.list(of: one)
        return ValueReader(example: "22 degC", shape: .either([one.shape, shape.shape])) { cursor in
            if cursor.node.items == nil { return one.read(cursor).map { [$0] } }
            return shape.checked("one temperature, or 24 (one for each hour)") { $0.count == 24 }.read(cursor)
        }
    }

    private static var hours: ValueReader<[Double]> {
        ValueReader<[Double]>.list(of: .number(0...1e9, example: "0.04"))
            .checked("24 numbers, not all zero") { $0.count == 24 && $0.contains { $0 > 0 } }
    }
}
