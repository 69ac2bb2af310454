// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Files
import Measures
import Quantities
import TestSupport
import Testing
import Vocabulary

@testable import Scenario

/// `app:`, an app of one's own on top of a catalogue.
@Suite struct OwnAppTests {
    private static let app = "app: {name: mine, category: news, footprint: 360 MiB, opened: 6 / d}"

    private func load(_ app: String, overrides: [String] = []) throws -> Experiment {
        try read(sample + "\n" + app, overrides: overrides)
    }

    private func read(_ text: String, overrides: [String]) throws -> Experiment {
        try loadExperiment(SourceText(name: "a.yaml", text: text), overrides: overrides, library: library)
    }

    private func warnings(_ app: String, overrides: [String] = []) throws -> [String] {
        try load(app, overrides: overrides).warnings.list.map(\.message)
    }

    @Test func `it stands first, is counted among the apps, and has what its category has`() throws {
        let experiment = try load(Self.app)
        let app = experiment.points[0].apps[0]
        #expect(experiment.points[0].apps.count == 20)
        #expect(app.name == "mine" && experiment.app == "mine" && app.isStudied)
        #expect(app.opensPerDay == 6 && app.popularity == 0)
        // News: 180 MiB on screen, 48 MiB in the background, so 96 of 360.
        #expect(app.foregroundFootprint == .mebibytes(360) && app.backgroundFootprint == .mebibytes(96))
        #expect(app.refreshPeriod == .minutes(90) && app.traits.silentPushesPerDay == 4)
    }

    @Test func `a key of its own wins over what its category has`() throws {
        let app = try load("app: {name: mine, category: news, footprint: 360 MiB, memory: {background: 7 MiB}}")
            .points[0].apps[0]
        #expect(app.backgroundFootprint == .mebibytes(7))
        #expect(app.opensPerDay == 0 && app.popularity > 0)
    }

    @Test func `every measure of an app is a metric of it`() throws {
        let metrics = try load(Self.app).appMetrics
        #expect(metrics.count > 40 && metrics.allSatisfy { $0.app == "mine" })
        #expect(Set(metrics.map(\.metric)).count == metrics.count)
        #expect(try read(sample, overrides: []).appMetrics.isEmpty)
    }

    @Test func `a sweep and an option change it`() throws {
        let swept = try load(Self.app + "\nsweep: {axes: {app.footprint: [400 MiB, 200 MiB]}}")
        #expect(swept.points.map { $0.apps[0].foregroundFootprint } == [.mebibytes(400), .mebibytes(200)])
        #expect(Set(swept.points.map(\.resolvedText)).count == 2)
        let set = try load(Self.app, overrides: ["app.opened=3 / week"])
        #expect(set.points[0].apps[0].opensPerDay == 3.0 / 7)
    }

    @Test func `it may take a share of a user's opens, whoever the user is`() throws {
        let text = "app: {name: mine, category: news, opened: {share: 4 %}}"
        let app = try load(text).points[0].apps[0]
        #expect(app.opensShare == 0.04 && app.opensPerDay == 0 && app.popularity == 0)
        let set = try load(text, overrides: ["app.opened.share=50 %"])
        #expect(set.points[0].apps[0].opensShare == 0.5)
        // Two people who pick the phone up 50 and 200 times a day open it in proportion.
        let users = "\nsweep: {axes: {user.persona.pickups.per_day: [50, 200]}}"
        #expect(try load(text + users).points.map { $0.apps[0].opensShare } == [0.04, 0.04])
    }

    @Test func `it may stand in a file, which options and sweeps change as well`() throws {
        let folder = try TemporaryFolder()
        try replaceFile(folder.path + "/mine.yaml", with: "name: mine\ncategory: mail\nfootprint: 100 MiB\n")
        func readFile(_ overrides: [String]) throws -> Experiment {
            try loadExperiment(
                SourceText(name: folder.path + "/a.yaml", text: sample + "\napp: mine.yaml"), overrides: overrides,
                library: library)
        }
        #expect(try readFile([]).points[0].apps[0].foregroundFootprint == .mebibytes(100))
        let changed = try readFile(["app.footprint=70 MiB"]).points[0].apps[0]
        #expect(changed.foregroundFootprint == .mebibytes(70) && changed.category == "mail")
    }

    @Test(arguments: [
        ("app: {footprint: 9 MiB}", "\"name\" is missing"),
        ("app: {name: mine, category: nwes}", "did you mean \"news\"?"),
        ("app: {name: pigeon}", "the catalogue already has an app \"pigeon\""),
        ("app: {name: mine, opened: 6}", "expected a rate such as \"6 / d\", \"3 / week\" or \"1 / h\""),
        ("app: {name: mine, opened: {share: 60 %}}", "expected a share of the user's opens, up to 50 %"),
        ("app: {name: mine, opened: {part: 4 %}}", "share"),
        ("app: {name: mine, opened: 900 / d}", "one app can have at most half of the visits"),
        ("app: {name: mine, footprnt: 9 MiB}", "did you mean \"footprint\"?"),
        ("app: nowhere.yaml", "no file \"nowhere.yaml\""),
        ("app: [1]", "expected a map such as {name: myapp, footprint: 400 MiB}, or a file"),
    ])
    func `a mistake is explained`(text: String, expected: String) throws {
        let problems = #expect(throws: Diagnostics.self) { try load(text) }
        #expect(problems?.description.contains(expected) == true, "\(problems?.description ?? "")")
        #expect(problems?.description.contains("a.yaml:15:") == true)
    }

    @Test(arguments: [
        (
            "refresh: {every: 1 h, processor: 40 s}",
            "no refresh will complete: the limit is 30 s, but processor time and waiting alone need 41.5 s"
        ),
        ("refresh: {every: 1 h, enabled: false}", "no refresh will run, because enabled is false"),
        ("refresh: {every: 0 s}", "the app never requests a refresh"),
        ("refresh: {every: 1 h, resubmits: 0 %}", "only one refresh runs, because no refresh requests the next one"),
        (
            "processing: {per_day: 1, time: 20 min}",
            "no processing task will complete: the limit is 10 min, but the task needs 20 min"
        ),
        ("processing: {per_day: 0}", "the app never requests processing"),
        ("pushes: {silent_per_day: 90}", "the system delivers at most 61 of the 90 silent pushes a day"),
        ("memory: {foreground: 9 GiB}", "the app is killed on screen"),
    ])
    func `a declaration that cannot work is told before the first run`(key: String, expected: String) throws {
        let found = try warnings("app: {name: mine, category: news, \(key)}")
        #expect(found.count == 1 && found.allSatisfy { $0.hasPrefix(expected) }, "\(found)")
    }

    @Test func `declarations that work are not remarked on`() throws {
        #expect(try warnings(Self.app).isEmpty)
        let template = ExperimentTemplate.appText(name: "x", path: "x.yaml")
        #expect(try read(template, overrides: []).warnings.list.isEmpty)
    }
}
