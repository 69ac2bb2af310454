// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Measures
import Testing

@testable import Scenario

@Suite struct MetricReaderTests {
    private let catalogue: MetricCatalogue

    init() {
        var builder = MeasureBuilder()
        _ = builder.perDayOfApp("launches_per_day", .lower, "launches")
        _ = builder.perDay("wakeups_per_day", .neutral, "times the phone woke")
        catalogue = MetricCatalogue(builder)
    }

    /// What is read from a list of metrics, and what is wrong with it when these are the apps of each sweep point.
    private func read(_ text: String, apps: [[String]]) throws -> (reader: MetricReader, problems: String) {
        let report = ConfigReport()
        let node = try YAML.parse(SourceText(name: "a.yaml", text: text)).get()
        let reader = MetricReader(catalogue)
        _ = ValueReader<[String]>.list(of: reader.name).read(Cursor(node, report: report))
        reader.check(apps: apps)
        return (reader, report.problems.description)
    }

    @Test func `metrics of the phone and of its apps are read, the latter each once`() throws {
        let (reader, problems) = try read(
            "[launches_per_day, wakeups_per_day, launches_per_day(app=mail), launches_per_day(app=mail)]",
            apps: [["mail", "maps"], ["maps", "mail"]])
        #expect(problems.isEmpty)
        #expect(reader.requests == [MetricRequest(metric: 0, app: "mail")])
    }

    @Test(arguments: [
        ("[wakeups_per_day(app=mail)]", "a.yaml:1:2: error: the metric wakeups_per_day applies to the phone"),
        ("[launches]", "a.yaml:1:2: error: unknown metric \"launches\""),
        ("[launches_per_day(mail)]", "expected launches_per_day or launches_per_day(app=NAME)"),
        ("[launches_per_day(app=mial)]", "a.yaml:1:2: error: there is no app \"mial\""),
        ("[launches_per_day(app=mial)]", "did you mean \"mail\"?"),
        ("[launches_per_day(app=maps)]", "there is no app \"maps\" at every sweep point"),
        ("[launches_per_day(app=zzzz)]", "apps: mail, news"),
    ])
    func `what is asked wrongly is explained where it stands`(text: String, expected: String) throws {
        let problems = try read(text, apps: [["mail", "news"], ["mail", "maps"]]).problems
        #expect(problems.contains(expected), "\(problems)")
    }
}
