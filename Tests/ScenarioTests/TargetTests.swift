// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Measures
import Phone
import PhoneCore
import Testing

@testable import Scenario

/// What results are held against, as experiment files say it.
@Suite struct TargetTests {
    private func load(_ targets: String, sweep: String = "") throws -> Experiment {
        let source = SourceText(name: "a.yaml", text: sample + "\n" + sweep + "\ntargets:\n" + targets + "\n")
        return try loadExperiment(source, library: library)
    }

    private func problem(_ targets: String, sweep: String = "") -> String {
        do {
            _ = try load(targets, sweep: sweep)
            return "no problem"
        } catch {
            return "\(error)"
        }
    }

    private static let swept = "sweep: {axes: {apps.count: [20, 30]}}"

    @Test func `bands come as two ends, as a value with a tolerance, or open`() throws {
        let targets = try load(
            """
              - {id: a, metric: kills_per_day, band: [0, 9]}
              - {id: b, metric: kills_per_day, band: {value: 50, tolerance: 8 %}, strength: strong}
              - {id: c, metric: kills_per_day, band: {value: -2, tolerance: 0.5}}
              - {id: d, metric: kills_per_day, band: {at_least: 3}, strength: found}
              - {id: e, metric: kills_per_day, band: {at_most: 3}}
              - {id: f, metric: kills_per_day, band: {exactly: 48}}
            """
        ).targets
        #expect(targets.map(\.band) == [0...9, 46...54, -2.5...(-1.5), 3 ... .infinity, -Double.infinity...3, 48...48])
        #expect(targets.map(\.strength) == [.medium, .strong, .medium, .found, .medium, .medium])
    }

    @Test func `a target is a prediction unless it names the parameter behind it`() throws {
        let targets = try load(
            """
              - {id: a, metric: kills_per_day, band: [0, 9]}
              - {id: b, metric: kills_per_day, band: [0, 9], basis: calibrated, parameter: device.display.base_power}
              - {id: c, metric: kills_per_day, band: [0, 9], basis: identity, parameter: LifeCycleRules.launchLimit}
            """
        ).targets
        #expect(targets.map(\.basis) == [.prediction, .calibrated, .identity])
        #expect(targets.map(\.parameter) == ["", "device.display.base_power", "LifeCycleRules.launchLimit"])
    }

    @Test func `numerics name no parameter, a figure of a fitted recording names what was fitted to that`() throws {
        let targets = try load(
            """
              - {id: a, metric: kills_per_day, band: [0, 9], basis: numerics}
              - {id: b, metric: kills_per_day, band: [0, 9], basis: in-sample, parameter: device.surroundings}
              - {id: c, metric: kills_per_day, band: [0, 9], same_in_all: nobody dies}
            """
        ).targets
        #expect(targets.map(\.basis) == [.numerics, .inSample, .prediction])
        #expect(targets.map(\.parameter) == ["", "device.surroundings", ""])
        #expect(targets.map(\.sameInAll) == ["", "", "nobody dies"])
    }

    @Test func `a band may be in another unit of the quantity's dimension`() throws {
        let targets = try load(
            """
              - {id: a, of: {table: requests, column: idle_s, statistic: median}, unit: min, band: [3, 10]}
              - {id: b, of: {table: events, column: footprint_mib, statistic: median}, unit: MB, band: [42, 50]}
              - {id: c, metric: energy_wh_per_day, unit: W, band: [1.3, 1.5]}
              - {id: d, of: {table: app_days, column: foreground_s, statistic: per_day}, unit: h/d, band: {at_least: 1}}
              - {id: e, of: {table: requests, column: idle_s, statistic: p95}, band: [3, 10]}
              - {id: f, of: {table: requests, column: idle_s, statistic: count}, band: [3, 10]}
            """
        ).targets
        #expect(targets.map(\.unit.name) == ["min", "MB", "W", "h/d", "s", "1"])
        let scales = [1.0 / 60, 1.048576, 1.0 / 24, 1.0 / 3600, 1, 1]
        #expect(zip(targets, scales).allSatisfy { abs($0.unit.scale / $1 - 1) < 1e-12 })
    }

    @Test func `of rows that have something in common only the least may count`() throws {
        let target = try load(
            """
              - id: a
                of: {table: requests, column: idle_s, least_per: {column: started_s, minus: idle_s}, statistic: median}
                band: [180, 600]
            """
        ).targets[0]
        guard case .table(let figure) = target.quantity else {
            Issue.record("no figure of a table")
            return
        }
        #expect(figure.least == TableFigure.Group(column: "started_s", minus: "idle_s"))
    }

    @Test func `a figure of a table makes the runs write it`() throws {
        let experiment = try load(
            """
              - id: a
                of: {table: requests, column: started_s, minus: earliest_begin_s, where: {app: pigeon}, statistic: p05}
                band: [0, 60]
              - {id: b, metric: kills_per_day, band: [0, 1], relative_to: {of: {table: events, statistic: count}}}
            """)
        #expect(experiment.tables == [.requests, .events])
        guard case .table(let figure) = experiment.targets[0].quantity else {
            Issue.record("no figure of a table")
            return
        }
        #expect(figure.columns == ["started_s"] && figure.minus == "earliest_begin_s" && figure.statistic == .p05)
        #expect(figure.conditions.map(\.requirement) == [.words(["pigeon"])])
        #expect(figure.warmupSeconds == 86400 && figure.days == 2)
    }

    @Test func `every table that runs can write is known to output and to targets`() throws {
        for table in PhoneTables.list.tables {
            let experiment = try load(
                "  - {id: a, of: {table: \(table.name), statistic: count}, band: [0, 1]}\n"
                    + "output: {tables: [\(table.name)]}"
            )
            #expect(experiment.tables == table.set, "\(table.name)")
            guard case .table(let figure) = experiment.targets[0].quantity else {
                Issue.record("\(table.name) is no figure of a table")
                continue
            }
            #expect(figure.table.name == table.name)
        }
    }

    @Test(arguments: [
        ("device_hours", "hour", 3600.0), ("app_days", "day", 86_400), ("events", "t_s", 1), ("requests", "ended_s", 1),
        ("decisions", "t_s", 1), ("callbacks", "t_s", 1), ("app_hours", "hour", 3600), ("radio", "t_s", 1),
        ("battery", "t_s", 1),
    ])
    func `a table says which of its columns is its time`(name: String, column: String, unit: Double) throws {
        let table = try #require(PhoneTables.list[name])
        let time = try #require(table.time)
        #expect(table.columns[time.index].name == column)
        #expect(time.unit == unit)
    }

    @Test(arguments: [
        ("{id: a, band: [1, 2]}", "a target needs \"metric\" or \"of\""),
        ("{id: a, metric: kills, band: [1, 2]}", "unknown metric \"kills\""),
        ("{id: a, metric: wall_wh_per_day(app=pigeon), band: [1, 2]}", "applies to the phone, not to a single app"),
        ("{id: a, metric: wall_wh_per_day(day=3), band: [1, 2]}", "expected wall_wh_per_day or"),
        ("{id: a, metric: kills_per_day, band: [2, 1]}", "the smaller first"),
        ("{id: a, metric: kills_per_day, band: {value: 2}}", "expected [low, high], {value, tolerance}"),
        ("{id: a, metric: kills_per_day, band: {at_least: 1, at_most: 2}}", "expected [low, high]"),
        ("{id: a, metric: kills_per_day, band: {value: 2, tolerance: 3 s}}", "expected a tolerance"),
        ("{id: a, metric: kills_per_day, band: [1, 2], strength: stong}", "did you mean \"strong\"?"),
        ("{id: a, metric: kills_per_day, band: [1, 2], policy: lru}", "unknown pair of policies \"lru\""),
        (
            "{id: a, metric: kills_per_day, band: [1, 2], relative_to: {}}",
            "the reference contains no policy, point or metric"
        ),
        ("{id: a, metric: kills_per_day, of: {table: events, statistic: count}, band: [1, 2]}", "not both"),
        ("{id: a, of: {table: events, statistic: mean}, band: [1, 2]}", "the key \"column\" is missing"),
        ("{id: a, of: {table: event, statistic: count}, band: [1, 2]}", "did you mean \"events\"?"),
        (
            "{id: a, of: {table: events, column: footprint, statistic: mean}, band: [1, 2]}",
            "the table events has no column \"footprint\""
        ),
        ("{id: a, of: {table: events, column: footprint, statistic: mean}, band: [1, 2]}", "\"footprint_mib\"?"),
        ("{id: a, of: {table: app_days, column: app, statistic: mean}, band: [1, 2]}", "\"app\" contains words"),
        ("{id: a, of: {table: radio, column: t_s, minus: from, statistic: sum}, band: [1, 2]}", "no column \"from\""),
        (
            "{id: a, of: {table: app_hours, statistic: count, where: {hours: {from: 1}}}, band: [1, 2]}",
            "no column \"hours\""
        ),
        (
            "{id: a, of: {table: events, statistic: count, where: {app: {from: 1}}}, band: [1, 2]}",
            "\"app\" contains words"
        ),
        (
            "{id: a, of: {table: battery, column: t_s, gaps: true, statistic: mean}, band: [1, 2]}",
            "the rows of battery have no app"
        ),
        (
            "{id: a, of: {table: events, statistic: count, where: {app: {hours: [1]}}}, band: [1, 2]}",
            "expected a word, a list of words"
        ),
        (
            "{id: a, of: {table: events, statistic: count, where: {t_s: {hours: [5, 5]}}}, band: [1, 2]}",
            "expected a word, a list of words"
        ),
        (
            "{id: a, of: {table: events, statistic: count, where: {t_s: {from: 2, to: 1}}}, band: [1, 2]}",
            "expected a word, a list of words"
        ),
        ("{id: a, metric: kills_per_day, band: [1, 2], point: {apps.count: 20}}", "nothing is swept"),
        ("{id: a, metric: kills_per_day, band: {exactly: 1, at_least: 2}}", "expected [low, high]"),
        ("{id: a, metric: kills_per_day, band: [1, 2], basis: fitted}", "basis"),
        (
            "{id: a, metric: kills_per_day, band: [1, 2], basis: calibrated}",
            "the basis \"calibrated\" needs a parameter"
        ),
        ("{id: a, metric: kills_per_day, band: [1, 2], parameter: x}", "a prediction must not name a parameter"),
        ("{id: a, metric: energy_wh_per_day, band: [1, 2], unit: min}", "which cannot be converted to min"),
        ("{id: a, of: {table: events, statistic: count}, band: [1, 2], unit: s}", "which cannot be converted to s"),
        (
            "{id: a, metric: launch_ms_p95, unit: s, band: [1, 2], relative_to: {metric: kills_per_day}}",
            "a ratio (relative_to) has no unit"
        ),
        (
            "{id: a, of: {table: events, statistic: count, least_per: {column: t_s}}, band: [1, 2]}",
            "it cannot be combined with gaps or counts"
        ),
        (
            "{id: a, of: {table: events, column: t_s, statistic: mean, least_per: {column: ts}}, band: [1, 2]}",
            "the table events has no column \"ts\""
        ),
        (
            "{id: a, of: {table: app_days, statistic: count, where: {day: {hours: [5, 5]}}}, band: [1, 2]}",
            "expected a word"
        ),
    ])
    func `mistakes in targets are explained where they stand`(text: String, expected: String) {
        let found = problem("  - " + text)
        #expect(found.contains(expected), "\(found)")
        #expect(found.contains("a.yaml:"), "\(found)")
    }

    @Test func `points are those of the sweep`() throws {
        let target = "  - {id: a, metric: kills_per_day, band: [1, 2], point: {POINT}}"
        let good = try load(target.replacing("POINT", with: "apps.count: 30"), sweep: Self.swept)
        #expect(good.targets[0].point == [SweepPoint.Axis(path: "apps.count", value: "30")])
        let value = problem(target.replacing("POINT", with: "apps.count: 40"), sweep: Self.swept)
        #expect(value.contains("no point of the sweep has apps.count = 40") && value.contains("one of: 20, 30"))
        let axis = problem(target.replacing("POINT", with: "device: iphone-13"), sweep: Self.swept)
        #expect(axis.contains("the sweep has no axis \"device\""))
        let zipped = "sweep: {mode: zip, axes: {apps.count: [20, 30], device.memory.ram: [3 GiB, 4 GiB]}}"
        let together = "apps.count: 20, device.memory.ram: 3 GiB"
        #expect(try load(target.replacing("POINT", with: together), sweep: zipped).targets[0].point.count == 2)
        let apart = problem(target.replacing("POINT", with: together.replacing("3 GiB", with: "4 GiB")), sweep: zipped)
        #expect(apart.contains("no point of the sweep has these values together"), "\(apart)")
    }
}
