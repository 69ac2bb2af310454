// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Testing

@testable import Scenario

/// The keys of an experiment itself: those of the runs change a run, the others what a session makes of them.
@Suite struct ExperimentKeyTests {
    @Test(arguments: [
        ("seed", "8"), ("start", "2026-03-09 00:00"), ("duration", "1 d"), ("warmup", "6 h"), ("apps.count", "50"),
        ("policies_from", "12 h"),
        ("policies.eviction", "[lru]"), ("policies.scheduling", "[immediate]"), ("user.persona", "gamer"),
        ("device", "iphone-15"), ("user.trace", trace),
    ])
    func `another value of the key changes a run`(key: String, value: String) throws {
        #expect(try KeyRun.print(["\(key)=\(value)"]) != KeyRun.print([]))
    }

    @Test func `a recording lasts longer than it is where it repeats`() throws {
        let longer = [ModelKey.offline, "duration=4 d"]
        #expect(throws: Diagnostics.self) { try KeyRun.print(longer) }
        #expect(try KeyRun.print(longer + ["user.repeat=true"]) != KeyRun.print([ModelKey.offline]))
    }

    private static let trace = String(ModelKey.offline.dropFirst(11))
    private static let target = "{id: a, metric: kills_per_day, band: [0, 9]"

    /// What a session reads besides its runs.
    private static func plan(_ settings: [String]) throws -> String {
        var text = ""
        dump(try load(KeyRun.text + "\ntargets: [\(target)}]", overrides: settings), to: &text)
        return text
    }

    @Test(arguments: [
        ("on_error", "retry(2)", []), ("uncertainty", "{samples: 3}", []),
        ("uncertainty.samples", "4", ["uncertainty={samples: 3}"]),
        ("name", "other", []), ("question", "why", []), ("replications", "3", []), ("replications.min", "11", ranged),
        ("replications.max", "90", ranged), ("replications.until", "half-width < 5 %", ranged),
        ("sweep", "{axes: {apps.count: [20, 30]}}", []), ("sweep.mode", "product", ["sweep=\(zipped)"]),
        ("sweep.where", "apps.count < 25", ["sweep={axes: {apps.count: [20, 30]}}"]),
        ("sweep.count", "3", [designed]), ("sweep.ranges", "{apps.count: [10, 20]}", [designed]),
        ("sweep.levels", "6", [designed]), ("sweep.mode", "lhs", [designed]), ("seed", "9", [designed]),
        ("select", "{indifference: 5 %}", longer), ("select.indifference", "6 %", longer + [chosen]),
        ("select.level", "90 %", longer + [chosen]), ("select.first", "12", longer + [chosen]),
        ("analysis.quantiles", "[50 %]", []),
        ("sweep.baseline", "{apps.count: 30}", ["sweep={axes: {apps.count: [20, 30]}}"]),
        ("sweep.axes", "{apps.count: [20]}", ["sweep=\(zipped)"]), ("baseline", "jetsam+never", compared),
        ("metrics.primary", "relaunches_per_day", []), ("metrics.shown", "[kills_per_day]", []),
        ("analysis.level", "90 %", []), ("analysis.equivalence", "3 %", []),
        ("analysis.equivalence", "{default: 1 %, kills_per_day: 3 %}", []), ("analysis.correction", "none", []),
        ("output.tables", "[events]", []), ("targets.0.id", "b", []), ("targets.0.what", "kills", []),
        ("targets.0.metric", "relaunches_per_day", []), ("targets.0.band", "{at_least: 1}", []),
        ("targets.0.strength", "weak", []), ("targets.0.source", "a book", []),
        ("targets.0.policy", "jetsam+never", compared), ("targets.0.point", "{apps.count: 20}", ["sweep=\(zipped)"]),
        ("targets.0.relative_to", "{policy: jetsam+never}", compared),
    ])
    func `another value of the key changes what a session does`(
        key: String, value: String, settings: [String]
    ) throws {
        #expect(try Self.plan(settings + ["\(key)=\(value)"]) != Self.plan(settings))
    }

    private static let designed = "sweep={mode: morris, count: 2, ranges: {apps.count: [10, 40]}}"
    private static let longer = compared + ["replications=50", "metrics.primary=kills_per_day"]
    private static let chosen = "select={indifference: 5 %}"
    private static let ranged = ["replications={min: 10, max: 50, until: half-width < 1 %}"]
    private static let zipped = "{mode: zip, axes: {apps.count: [20, 30], device.memory.ram: [2 GiB, 3 GiB]}}"
    private static let compared = ["policies.scheduling=[opportunistic, never]", "baseline=jetsam+opportunistic"]
}
