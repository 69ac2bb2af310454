// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Files
import Measures
import Phone
import PhoneCore
import Quantities
import Scenario
import TestSupport
import Testing
import Vocabulary

@testable import Experiments

/// Answers about one app, and about two policies, against what their runs say.
@Suite struct AppAnswersTests {
    private static let text = """
        schema: 1
        name: mine
        seed: 3
        start: 2026-03-02 00:00
        duration: 4 d
        warmup: 1 d
        replications: 3
        device: {base: iphone-13, memory: {ram: 3 GiB}}
        apps: {catalog: everyday, count: 60}
        app: {name: mine, footprint: 500 MiB, opened: 9 / d, refresh: {every: 1 h, enabled: true}}
        user: {persona: average}
        policies: {eviction: [jetsam, lru], scheduling: immediate}
        baseline: {eviction: jetsam, scheduling: immediate}
        """

    private func experiment(_ overrides: [String] = []) throws -> Experiment {
        let folder = try TemporaryFolder()
        try replaceFile(folder.path + "/mine.yaml", with: Self.text)
        return try loadExperiment(
            path: folder.path + "/mine.yaml", overrides: overrides, catalog: .builtIn, library: ModelLibrary.located())
    }

    private func again(_ overrides: [String]) throws(Diagnostics) -> Experiment {
        try loadExperiment(
            SourceText(name: "mine.yaml", text: Self.text), overrides: overrides, library: ModelLibrary.located())
    }

    /// The means before the brackets of their intervals, and the upper ends in them.
    private func figures(_ sentence: String) -> (means: [Double], ends: [Double]) {
        (
            sentence.matches(of: #/([0-9.]+) \[/#).compactMap { Double($0.output.1) },
            sentence.matches(of: #/, ([0-9.]+)\]/#).compactMap { Double($0.output.1) }
        )
    }

    private func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

    @Test func `the answers of an app are the means of what its runs say`() throws {
        let study = try AppStudy(experiment())
        let answers = AppAnswers(study).answers
        #expect(study.facts.count == 3 && answers.count == 7)
        func agrees(_ found: Double?, _ value: Double, _ what: Comment) {
            // Figures have two digits, and no decimals from ten on.
            let half = abs(value) >= 9.95 ? 0.51 : abs(value) >= 0.995 ? 0.051 : 0.0051
            #expect(abs((found ?? .nan) - value) <= half, what)
        }
        let rates = ["resumes_per_day", "warm_launches_per_day", "cold_launches_per_day"].map {
            study.values($0, study.facts)
        }
        let opened = figures(answers[0].sentences[0]).means
        #expect(mean(rates[2]) > 0.5)
        agrees(opened.first, rates.reduce(0) { $0 + mean($1) }, "opens")
        for (index, rate) in rates.enumerated() { agrees(opened[index + 1], mean(rate), "of kind \(index)") }
        let lives = answers[1].sentences
        let killed = study.facts.map { facts in
            100 * Double(facts.stays.filter(\.isKilled).count) / Double(facts.stays.count)
        }
        agrees(figures(lives[0]).means.first, mean(killed), "killed")
        let hours = study.facts.compactMap { facts -> Double? in
            let sorted = facts.stays.filter(\.isKilled).map { $0.seconds / 3600 }.sorted()
            guard let last = sorted.indices.last else { return nil }
            return (sorted[last / 2] + sorted[(last + 1) / 2]) / 2
        }
        agrees(figures(lives[1]).means.first, mean(hours), "hours until it is killed")
        let nights = study.facts.map { facts in
            100 * Double(facts.nights.filter { $0 == nil }.count) / Double(facts.nights.count)
        }
        let first = answers[4].sentences[0]
        #expect(first.hasSuffix("of \(study.facts.reduce(0) { $0 + $1.nights.count }) nights (22:00 to 06:00)."))
        let told = figures(first).means.first ?? first.firstMatch(of: #/In ([0-9.]+)/#).flatMap { Double($0.output.1) }
        agrees(told, mean(nights), "nights")
        for sentence in answers.flatMap(\.sentences) where sentence.contains("] %") {
            #expect(figures(sentence).ends.allSatisfy { $0 <= 100 }, "\(sentence)")
        }
    }

    @Test(arguments: [[], ["device.os=ios-17"], ["app.footprint=1900 MiB"]])
    func `what an app dies of is what its exits say`(_ settings: [String]) throws {
        let experiment = try experiment(settings)
        let answer = try #require(AppAnswers(AppStudy(experiment)).answers.first { $0.name == "deaths" })
        let app = try #require(experiment.points[0].apps.firstIndex { $0.name == "mine" })
        var counts: [String: Int] = [:]
        for replication in 0..<3 {
            var run = experiment.specification(point: 0, policy: 0, replication: replication)
            run.tables = [.events]
            let recorder = BranchRecorder()
            _ = simulate(run, sink: recorder)
            for row in recorder.events where row.event == .exit && row.app == AppID(app) && row.time >= .zero + .days(1)
            {
                counts[row.reason?.name ?? row.exit?.name ?? "", default: 0] += 1
            }
        }
        let all = counts.values.reduce(0, +)
        #expect(all > 3 && abs(answer.figures[0].value - Double(all) / 9) < 1e-9)
        #expect(answer.reasons.map(\.name) == counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key))
        for reason in answer.reasons { #expect(reason.share == Double(counts[reason.name] ?? 0) / Double(all)) }
        let advice = [
            "long-idle-exit": "a smaller footprint does not help",
            "per-process-limit": "a footprint below that limit helps",
            "vm-pageshortage": "a smaller footprint helps only by leaving the phone more memory",
        ]
        let most = answer.reasons[0]
        #expect(answer.sentences.count == (most.share >= 0.5 ? 2 : 1))
        if most.share >= 0.5 { #expect(answer.sentences[1].hasSuffix(": \(advice[most.name] ?? most.name).")) }
    }

    @Test func `what becomes of refreshes is what the rows of its requests say`() throws {
        let experiment = try experiment(["app.refresh.every=30 min"])
        let answer = try #require(AppAnswers(AppStudy(experiment)).answers.first { $0.name == "refreshes" })
        let app = try #require(experiment.points[0].apps.firstIndex { $0.name == "mine" })
        var (asked, replaced, refused, ran) = ([Double](), [Double](), 0.0, [0.0, 0.0])
        for replication in 0..<3 {
            var run = experiment.specification(point: 0, policy: 0, replication: replication)
            run.tables = StoryRecorder.tables
            let recorder = StoryRecorder(app: AppID(app))
            _ = simulate(run, sink: recorder)
            let rows = recorder.requests.filter { $0.work == .refresh && $0.submitted >= .zero + .days(1) }
            asked.append(Double(rows.count))
            replaced.append(100 * Double(rows.count { $0.outcome == "replaced" }) / Double(rows.count))
            refused += Double(rows.count { $0.outcome == "refused" })
            for row in rows where row.started != .distantFuture {
                let hour = row.started.seconds.truncatingRemainder(dividingBy: 86_400) / 3600
                ran[hour < 6 || hour >= 22 ? 1 : 0] += 1
            }
        }
        func value(_ name: String) -> Double { answer.figures.first { $0.name == name }?.value ?? .nan }
        #expect(asked.allSatisfy { $0 > 10 } && refused == 0 && ran[0] > 0)
        #expect(abs(value("asked_per_day") - mean(asked) / 3) < 1e-9)
        #expect(abs(value("replaced_share") - mean(replaced)) < 1e-9 && mean(replaced) > 1)
        #expect(abs(value("ran_by_day_per_day") - ran[0] / 9) < 1e-9)
        #expect(abs(value("ran_at_night_per_day") - ran[1] / 9) < 1e-9)
        #expect(value("refused_share") == 0)
        #expect(answer.sentences.contains { $0.contains("a new request replaced the pending one in ") })
    }

    @Test func `each change is tried alone, and its effect is the paired difference of the same users`() throws {
        let experiment = try experiment(["replications=6", "duration=2 d", "apps.count=30"])
        let study = try AppStudy(
            experiment,
            variant: { more throws(Diagnostics) in
                try self.again(["replications=6", "duration=2 d", "apps.count=30"] + more)
            })
        let help = try #require(AppAnswers(study).answers.last)
        let names = study.trials.map(\.change.name)
        #expect(
            names == [
                "half_footprint", "rarer_refresh", "more_frequent_refresh", "keep_pending", "system_ios-18",
                "system_ios-26",
            ])
        #expect(Set(help.changes.map(\.name)) == Set(names))
        let rarer = try #require(help.changes.first { $0.name == "rarer_refresh" })
        let base = study.values("refreshes_per_day", study.facts)
        let (app, count) = (try #require(experiment.points[0].apps.firstIndex { $0.name == "mine" }), 6)
        let changed = try (0..<count).map { replication -> Double in
            var run = experiment.specification(point: 0, policy: 0, replication: replication)
            #expect(run.apps[app].refreshPeriod == .hours(1))
            run.apps[app].refreshPeriod = .hours(2)
            let metric = try #require(MetricCatalog.catalogue.index(of: "refreshes_per_day"))
            run.appMetrics = [AppMetric(metric: metric, app: AppID(app))]
            return try #require(simulate(run).metrics.last)
        }
        #expect(abs(rarer.figures[2].value - (mean(changed) - mean(base))) < 1e-9 && mean(changed) < mean(base))
        #expect(rarer.isTeams && !rarer.better.contains("refreshes_per_day"))
        for effect in help.changes {
            let (cold, kills, refreshes) = (effect.figures[0], effect.figures[1], effect.figures[2])
            #expect(effect.helps == (cold.high < 0 || kills.high < 0 || refreshes.low > 0), "\(effect.name)")
        }
        let without = try #require(help.changes.first { $0.name == "system_ios-18" })
        #expect(!without.isTeams && without.sentence == "on ios-18 instead of ios-18.5")
        // An app that leaves pending requests alone replaces none.
        let kept = try #require(study.trials.first { $0.change.name == "keep_pending" })
        #expect(kept.facts.allSatisfy { $0.refreshes.day.replaced + $0.refreshes.night.replaced == 0 })
        #expect(study.facts.contains { $0.refreshes.day.replaced > 0 })
    }

    @Test func `kills of an app by reason add up to its kills`() throws {
        let study = try AppStudy(experiment())
        for facts in study.facts {
            let reasons = KillReason.allCases.map { facts.metrics["\($0.metricName)(app=mine)"] ?? .nan }
            #expect(abs(reasons.reduce(0, +) - (facts.metrics["kills_per_day(app=mine)"] ?? .nan)) < 1e-9)
            let reaped = facts.deaths[.kill(.longIdleExit)] ?? 0
            #expect(abs((facts.metrics["kills_long_idle_exit_per_day(app=mine)"] ?? .nan) - Double(reaped) / 3) < 1e-9)
        }
        #expect(study.facts.contains { ($0.metrics["kills_long_idle_exit_per_day(app=mine)"] ?? 0) > 0 })
    }

    /// Under the second nobody dies, so that what ended an app tells the two branches apart.
    @Test(arguments: ["lru", "unbounded"])
    func `what one policy avoids less what it causes is the difference of their relaunches`(_ other: String) throws {
        // The last system without a reaper, which leaves the policies little to decide.
        let experiment = try experiment(["policies.eviction=[jetsam, \(other)]", "device.os=ios-17"])
        let contrast = PolicyContrast(experiment, policy: 1, against: 0, replications: 2)
        for (replication, pair) in contrast.pairs.enumerated() {
            let branches = (0..<2).map { _ in BranchRecorder() }
            let relaunches = (0..<2).map { policy in
                var run = experiment.specification(point: 0, policy: policy, replication: replication)
                run.tables = [.events]
                let index = MetricCatalog.catalogue.index(of: "relaunches_per_day")
                return simulate(run, sink: branches[policy]).metrics[index ?? 0] * 3
            }
            let saved = pair.switches.count(where: \.isSaved)
            // An app that dies on screen is opened again under one policy, and under the other it never left.
            let difference = Int((relaunches[0] - relaunches[1]).rounded())
            #expect(2 * saved - pair.switches.count + pair.alone[1] - pair.alone[0] == difference)
            #expect(pair.alone.allSatisfy { $0 <= 3 }, "\(pair.alone)")
            #expect(saved > 0 && pair.switches.allSatisfy { $0.time >= .zero + .days(1) })
            // A resume is quicker than a launch.
            #expect(pair.switches.allSatisfy { ($0.gain > 0) == $0.isSaved })
            // The kill behind a relaunch is the app's last end under the policy that had to launch it.
            for one in pair.switches {
                let death = branches[one.isSaved ? 0 : 1].events.last {
                    $0.event == .exit && $0.app == AppID(one.app) && $0.time < one.time
                }
                #expect(one.reason == death?.reason && one.band == (death?.reason == nil ? nil : death?.band))
            }
            #expect(pair.held.allSatisfy { $0["running"] == nil && $0["no-request"] == nil })
        }
    }

    @Test func `an interval of a share ends at 0 and at 100 %`() throws {
        let answers = try AppAnswers(AppStudy(experiment()))
        #expect("\(answers.figure("share", [40, 60, 50], "%"))" == "50 [25, 75] %")
        #expect("\(answers.figure("share", [90, 100, 100], "%"))" == "97 [82, 100] %")
        #expect("\(answers.figure("share", [10, 0, 0], "%"))" == "3.3 [0, 18] %")
        let rate = answers.figure("rate", [9, 110, 110], "1/d")
        #expect(rate.low == 0 && rate.high > 160, "only shares end at 100")
    }

    @Test func `a figure counts the replications without a value, and an answer names them`() throws {
        let answers = try AppAnswers(
            AppStudy(experiment(["policies.eviction=[jetsam, unbounded]"]), policy: 1))
        let figure = answers.figure("share", [40, .nan, 60, .infinity, 50], "%")
        #expect(figure.n == 3 && figure.withoutValue == 2 && figure.value == 50)
        let none = answers.figure("share", [.nan, .nan], "s")
        #expect(none.n == 0 && none.withoutValue == 2 && none.value.isNaN && "\(none)" == "-")
        // Nobody is killed, so there is no time until the kill.
        let life = answers.answers[1]
        #expect(life.figures.map(\.name).prefix(2) == ["killed_share", "killed_after_h"])
        #expect(life.figures.map(\.withoutValue) == [0, 3, 0, 0, 0])
        #expect(life.sentences.last == "These figures have no value in some replications: killed_after_h in 3 of 3.")
        for answer in answers.answers where answer.figures.allSatisfy({ $0.withoutValue == 0 }) {
            #expect(!answer.sentences.contains { $0.hasPrefix("These figures have no value") })
        }
    }
}
