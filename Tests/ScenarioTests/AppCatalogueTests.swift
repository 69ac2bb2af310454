// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Quantities
import Testing
import Vocabulary

@testable import Scenario

@Suite struct AppCatalogueTests {
    /// Reads `apps:` as an experiment would.
    func selection(_ text: String) throws -> AppCatalogueReader.Selection {
        let report = ConfigReport()
        let trees = ModelTrees(library: library, report: report)
        let node = try tree(text)
        let whole = trees.whole(Cursor(node, report: report), .apps)
        let base = trees.base(of: Cursor(node, report: report), .apps)
        let found = whole.flatMap { AppCatalogueReader.read(Cursor($0, report: report), base: base) }
        #expect(report.problems.isEmpty, "\(report.problems)")
        return try #require(found)
    }

    func apps(_ text: String) throws -> [AppModel] {
        let selection = try selection(text)
        return selection.catalogue.apps(count: selection.count)
    }

    @Test func `the everyday catalogue gives any number of apps, the named ones first`() throws {
        let apps = try apps("{catalog: everyday, count: 120}")
        #expect(apps.count == 120)
        #expect(apps[0].name == "pigeon" && apps[0].category == "messaging")
        #expect(apps[0].pushesPerDay == 42)
        #expect(apps[0].coldLaunchTime == .milliseconds(900))
        #expect(Set(apps.map(\.name)).count == 120)
        #expect(apps.last?.name.hasSuffix("-0069") == true)
        #expect(try self.apps("{catalog: everyday, count: 7}").map(\.name) == apps.prefix(7).map(\.name))
    }

    @Test func `a phone of everyday apps compresses as its device says, pictures worse and texts better`() throws {
        let apps = try apps("{catalog: everyday, count: 120}")
        let values = Set(apps.map(\.compressibility))
        #expect(values == [0.9, 1, 1.13])
        #expect(apps.filter { $0.category == "photos" }.allSatisfy { $0.compressibility == 0.9 })
        #expect(apps.filter { $0.category == "mail" }.allSatisfy { $0.compressibility == 1.13 })
        // 2.4 to 3.9 are on record, for devices of 2.66.
        #expect(values.allSatisfy { (2.39...3.9).contains(2.66 * $0) })
        let whole = apps.reduce(0) { $0 + $1.backgroundFootprint.mebibytes }
        let pool = apps.reduce(0) { $0 + $1.backgroundFootprint.mebibytes / $1.compressibility }
        #expect(abs(whole / pool - 1) < 0.03, "\(whole / pool)")
    }

    @Test func `more apps change no others`() throws {
        let few = try apps("{catalog: everyday, count: 120}").map { "\($0)" }
        let many = try apps("{catalog: everyday, count: 500}").map { "\($0)" }
        #expect(few == Array(many.prefix(120)))
    }

    @Test func `popularity falls with the rank`() throws {
        let apps = try apps("{catalog: everyday, count: 300}")
        #expect(zip(apps, apps.dropFirst()).allSatisfy { $0.popularity > $1.popularity })
        #expect(abs(apps[0].popularity / apps[99].popularity - 50.1187) < 0.001)
    }

    @Test func `every value of a drawn app makes sense`() throws {
        for app in try apps("{catalog: everyday, count: 5000}") {
            #expect(app.backgroundFootprint <= app.foregroundFootprint && app.backgroundFootprint > .zero)
            #expect(app.resumeTime < app.warmLaunchTime && app.warmLaunchTime < app.coldLaunchTime)
            #expect(app.refreshPeriod == .zero || app.refreshPeriod >= .minutes(5))
            #expect((0...1).contains(app.resubmitProbability) && (0...1).contains(app.completionProbability))
        }
    }

    @Test func `background footprints lie between those of two reported phones`() throws {
        // Deciles of 80 suspended processes of an iPhone 11, extensions included; apps alone on an XS Max: median 40
        // MiB.
        let sizes = try apps("{catalog: everyday, count: 120}").map { $0.backgroundFootprint.mebibytes }.sorted()
        let median = sizes[60]
        #expect(median > 12.7 && median < 60, "median \(median)")
        #expect(sizes[12] > 3.9 && sizes[12] < 25, "first decile \(sizes[12])")
        #expect(sizes[108] > 86 && sizes[108] < 161, "last decile \(sizes[108])")
        #expect(try #require(sizes.last) <= 700)
    }

    @Test func `named apps send 130 pushes a day as the average user gets`() throws {
        let pushes = try apps("{catalog: everyday, count: 51}").map(\.pushesPerDay)
        #expect(abs(pushes.reduce(0, +) - 130) < 5)
        #expect(abs((pushes.max() ?? 0) / pushes.reduce(0, +) - 0.32) < 0.01)
    }

    @Test func `ten thousand apps are drawn, each with a name of its own`() throws {
        let apps = try apps("{catalog: everyday, count: 10000}")
        #expect(apps.count == 10_000 && Set(apps.map(\.name)).count == 10_000)
    }

    @Test func `an experiment changes apps of the catalogue and adds its own`() throws {
        let text = """
            catalog: everyday
            count: 3
            categories: {messaging: {refresh: {every: 10 min}}}
            apps:
              pigeon: {launch: {cold: 2 s}}
              mine: {category: utility, memory: {background: 1 MiB}}
            """
        let apps = try apps(text)
        #expect(apps.map(\.name) == ["mine", "pigeon", "wander"])
        #expect(apps[0].backgroundFootprint == .mebibytes(1))
        #expect(apps[1].coldLaunchTime == .seconds(2))
        #expect(apps[1].refreshPeriod == .minutes(10))
        #expect(apps[1].pushesPerDay == 42)
    }

    /// Periods are multiplied, times of work are added, and 64 bits of nanoseconds hold 292 years.
    @Test(arguments: [
        ("refresh", "every", "104.167 d"), ("processing", "every", "104.167 d"), ("refresh", "wait", "365 d"),
        ("refresh", "processor", "365 d"), ("processing", "time", "365 d"), ("launch", "cold", "365 d"),
    ])
    func `a time that could overflow is refused`(section: String, key: String, most: String) throws {
        let report = ConfigReport()
        let trees = ModelTrees(library: library, report: report)
        let node = try tree("[{name: one, \(section): {\(key): 100000 d}}]")
        let whole = trees.whole(Cursor(node, report: report), .apps)
        let base = trees.base(of: Cursor(node, report: report), .apps)
        _ = whole.flatMap { AppCatalogueReader.read(Cursor($0, report: report), base: base) }
        let messages = report.problems.list.map(\.message)
        #expect(
            messages.contains { $0.contains("expected a time of at most \(most), found \"100000 d\"") },
            "\(messages)")
    }

    @Test func `apps can be written into the experiment`() throws {
        let apps = try apps("[{name: one, category: game, memory: {foreground: 1 GiB}}, {name: two}]")
        #expect(apps.map(\.name) == ["one", "two"])
        #expect(apps[0].foregroundFootprint == .gibibytes(1))
    }
}
