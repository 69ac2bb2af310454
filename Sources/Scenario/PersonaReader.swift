// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Quantities
import Workload

/// Reads a persona from a whole tree; the keys are the names of the Swift properties in `snake_case`.
struct PersonaReader {
    /// The persona; nil when something is wrong with it.
    static func read(_ cursor: Cursor) -> Persona? {
        let before = cursor.report.problems.list.count
        let map = MapReader(cursor)
        _ = map.optional("schema", .integer(1...1, example: "1"))
        _ = map.optional("summary", .text)
        var persona = Persona(name: map.value("name", .text, default: "persona"))
        map.set(&persona.grounding, "grounding", .text)
        map.set(&persona.installedApps, "installed_apps", .integer(1...AppCatalogueReader.limit, example: "80"))
        map.section("pickups") { readPickups($0, into: &persona.pickups) }
        map.section("apps") { readApps($0, into: &persona.apps) }
        map.set(&persona.visit, "visit", spread)
        map.set(&persona.glance, "glance", spread)
        readGames(map, into: &persona)
        map.set(&persona.notificationsPerDay, "notifications_per_day", rate)
        map.set(&persona.interruptionsPerScreenHour, "interruptions_per_screen_hour", rate)
        map.set(&persona.interruption, "interruption", spread)
        map.set(&persona.forceQuitsPerDay, "force_quits_per_day", rate)
        map.section("charging") { readCharging($0, into: &persona.charging) }
        map.section("places") { readPlaces($0, into: &persona.places) }
        map.section("wifi") { readWiFi($0, into: &persona.wifi) }
        map.section("background") { readBackground($0, into: &persona.background) }
        map.set(&persona.ambient, "ambient", ambient)
        map.set(&persona.workdaysPerWeek, "workdays_per_week", .integer(0...7, example: "5"))
        map.set(&persona.workdayHours, "workday_hours", hours)
        map.set(&persona.freeDayHours, "free_day_hours", hours)
        checkAssumptions(map)
        map.finish()
        return cursor.report.problems.list.count == before ? persona : nil
    }

    private static var rate: ValueReader<Double> { .number(0...100_000, example: "100") }
    private static var factor: ValueReader<Double> { .number(0...1000, example: "1.0") }
    private static var sigma: ValueReader<Double> { .number(0...10, example: "0.5") }

    private static func readPickups(_ map: MapReader, into pickups: inout Persona.Pickups) {
        map.set(&pickups, Persona.Pickups.keys)
        map.retired("gap_scale", "gaps are stretched so that the day has \"per_day\" pick-ups")
    }

    private static func readApps(_ map: MapReader, into apps: inout Persona.AppChoice) {
        map.set(&apps, Persona.AppChoice.keys)
    }

    private static func readGames(_ map: MapReader, into persona: inout Persona) {
        guard let games = map.map("games") else { return }
        let share = games.required("share_of_launches", .share)
        let visit = games.required("visit", spread)
        let charging = games.value("charge_while_playing", .share, default: 0)
        games.finish()
        guard let share, let visit else { return }
        persona.games = Persona.Games(shareOfLaunches: share, visit: visit, chargeWhilePlaying: charging)
    }

    private static func readCharging(_ map: MapReader, into charging: inout Persona.Charging) {
        map.set(&charging.nightProbability, "night_probability", .share)
        map.set(&charging.nightPlug, "night_plug", clock)
        map.set(&charging.workdayUnplug, "workday_unplug", clock)
        map.set(&charging.freeDayUnplug, "free_day_unplug", clock)
        map.set(&charging.topUpsPerHour, "top_ups_per_hour", .number(0...1000, example: "0.45"))
        map.set(&charging.topUpLevelScale, "top_up_level_scale", .quantity(.fraction, 0.001...100))
        map.set(&charging.topUpLength, "top_up_length", spread)
        map.set(&charging.carProbability, "car_probability", .share)
        map.set(&charging.workProbability, "work_probability", .share)
        map.set(&charging.convenienceLevel, "convenience_level", .share)
        // What stands there is read where the models are found.
        _ = map.cursor("charger")
        map.set(&charging.chargerPower, "charger_power", .amount(.power, 0.1...1000))
        map.set(&charging.optimizedCharging, "optimized_charging", .flag)
        map.set(&charging.acceptsLowPowerMode, "accepts_low_power_mode", .share)
    }

    private static func readPlaces(_ map: MapReader, into places: inout Persona.Places) {
        map.set(&places.work, "work", .list(of: span))
        map.set(&places.commute, "commute", .list(of: span))
        map.set(&places.workdayOuting, "workday_outing", outing)
        map.set(&places.freeDayOuting, "free_day_outing", outing)
    }

    private static func readWiFi(_ map: MapReader, into wifi: inout Persona.WiFi) {
        map.set(&wifi.home, "home", .share)
        map.set(&wifi.work, "work", .share)
        map.set(&wifi.transit, "transit", .share)
        map.set(&wifi.other, "other", .share)
        map.set(&wifi.onSpell, "on_spell", spread)
        map.set(&wifi.offSpell, "off_spell", spread)
        map.set(&wifi.countryFactor, "country_factor", .number(0...10, example: "1.0"))
    }

    private static func readBackground(_ map: MapReader, into background: inout Persona.BackgroundHabits) {
        map.set(&background, Persona.BackgroundHabits.keys)
    }
}

extension PersonaReader {
    /// The longest length where a spread names none, so that no sum of lengths can overflow.
    private static var year: SimDuration { .days(365) }

    /// `{median: 12.8 s, sigma: 1.8, cap: 2 h}`.
    private static var spread: ValueReader<LogNormal> {
        ValueReader(example: "{median: 12 s, sigma: 1.8}") { cursor in
            let map = MapReader(cursor, expected: "a spread such as {median: 12 s, sigma: 1.8}")
            let median = map.required("median", .duration(1e-9...3e7))
            let deviation = map.required("sigma", sigma)
            let cap = map.optional("cap", .duration(1e-9...3.2e7))
            map.finish()
            guard let median, let deviation else { return nil }
            if let cap, cap < median {
                map.cursor("cap")?.expected("a cap of at least the median")
                return nil
            }
            return LogNormal(median: median, sigma: deviation, cap: cap ?? max(median, Self.year))
        }
    }

    /// `{mean: 23.3 h, deviation: 0.8 h}`.
    private static var clock: ValueReader<ClockHour> {
        ValueReader(example: "{mean: 23.3 h, deviation: 48 min}") { cursor in
            let map = MapReader(cursor, expected: "a time of day such as {mean: 23.3 h, deviation: 48 min}")
            let mean = map.required("mean", .duration(0...172_800))
            let deviation = map.required("deviation", .duration(0...86400))
            map.finish()
            guard let mean, let deviation else { return nil }
            return ClockHour(mean: mean / .hour, deviation: deviation / .hour)
        }
    }

    /// `{from: 9 h, to: 17 h}`, as hours.
    private static var span: ValueReader<ClosedRange<Double>> {
        ValueReader(example: "{from: 9 h, to: 17 h}") { cursor in
            let map = MapReader(cursor, expected: "a span such as {from: 9 h, to: 17 h}")
            let from = map.required("from", .duration(0...172_800))
            let to = map.required("to", .duration(0...172_800))
            map.finish()
            guard let from, let to else { return nil }
            guard from <= to else {
                map.cursor("to")?.fail(
                    "expected an end after the beginning", hint: "hours above 24 belong to the next day")
                return nil
            }
            return (from / .hour)...(to / .hour)
        }
    }

    private static var outing: ValueReader<Persona.Outing> {
        ValueReader(example: "{probability: 30 %, start: …, length: …}") { cursor in
            let map = MapReader(cursor)
            var outing = Persona.Outing()
            map.set(&outing.probability, "probability", .share)
            map.set(&outing.start, "start", clock)
            map.set(&outing.length, "length", spread)
            map.finish()
            return map.isMap ? outing : nil
        }
    }

    /// One temperature, or one for each hour from midnight.
    private static var ambient: ValueReader<[Temperature]> {
        let one = ValueReader<Temperature>.amount(.temperature, -40...60)
        let shape = ValueReader<[Temperature]>.list(of: one)
        return ValueReader(example: "22 degC", shape: .either([one.shape, shape.shape])) { cursor in
            if cursor.node.items == nil { return one.read(cursor).map { [$0] } }
            return shape.checked("one temperature or 24") { $0.count == 24 }.read(cursor)
        }
    }

    private static var hours: ValueReader<[Double]> {
        ValueReader<[Double]>.list(of: .number(0...1e9, example: "0.04"))
            .checked("24 numbers, not all zero") { $0.count == 24 && $0.contains { $0 > 0 } }
    }
}
