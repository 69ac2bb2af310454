// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Phone
import PhoneCore
import Quantities
import Testing
import Vocabulary

@testable import Experiments

@Suite struct StoryTests {
    private let app = AppID(3)

    private func hour(_ value: Double) -> SimTime { .zero + .hours(value) }

    private func decision(_ at: Double, _ rule: String, submitted: Double, floor: Double) -> DecisionRow {
        var row = DecisionRow()
        row.time = hour(at)
        row.app = app
        row.rule = rule
        row.proceed = rule == "scored"
        row.submitted = hour(submitted)
        row.earliestBegin = hour(floor)
        return row
    }

    /// Two requests.
    ///
    /// Asked for at 1 h with a floor at 2 h; held by the herd until 3 h, below the bar until 5 h; ran until 5.5 h.
    /// A second one, asked for at 5 h with a floor at 6 h, is pending when the run ends.
    private func recorder() -> StoryRecorder {
        let recorder = StoryRecorder(app: nil)
        recorder.write(decision(2, "herd", submitted: 1, floor: 2))
        recorder.write(decision(3, "below-threshold", submitted: 1, floor: 2))
        recorder.write(decision(5, "scored", submitted: 1, floor: 2))
        recorder.write(decision(6, "low-power-mode", submitted: 5.25, floor: 6))
        var row = RequestRow()
        row.app = app
        row.submitted = hour(1)
        row.earliestBegin = hour(2)
        row.started = hour(5)
        row.ended = hour(5.5)
        row.outcome = "success"
        recorder.write(row)
        return recorder
    }

    @Test func `every hour of a span has one reason, and together they fill it`() {
        let story = RequestStory(recorder(), app: app, kind: .refresh, from: .zero, to: hour(10))
        let expected: [String: Double] = [
            "no-request": 1, "earliest-begin": 1.5, "herd": 1, "below-threshold": 2, "running": 0.5,
            "low-power-mode": 4,
        ]
        for held in story.held {
            #expect(abs(held.time / .hour - (expected[held.reason] ?? 0)) < 1e-9, "\(held.reason)")
        }
        #expect(story.held.count == expected.count)
        #expect(story.held.map { $0.time / .hour }.reduce(0, +) == 10)
        #expect(story.held.first?.reason == "low-power-mode")
        #expect(story.runs.count == 1 && story.lives.count == 2)
    }

    @Test func `a span cuts what began before it and ends after it`() {
        let story = RequestStory(recorder(), app: app, kind: .refresh, from: hour(2.5), to: hour(4))
        #expect(story.held.map(\.reason) == ["below-threshold", "herd"])
        #expect(story.held.map { $0.time / .hour } == [1, 0.5])
        #expect(story.runs.isEmpty && story.decisions.count == 1)
    }

    private func row(_ outcome: String, submitted: Double, ended: Double, error: String = "") -> RequestRow {
        var row = RequestRow()
        row.app = app
        row.submitted = hour(submitted)
        row.earliestBegin = hour(submitted)
        row.ended = hour(ended)
        row.outcome = outcome
        row.error = error
        return row
    }

    @Test func `a refusal holds until something is pending, and again after it`() {
        let recorder = StoryRecorder(app: nil)
        recorder.write(row("refused", submitted: 1, ended: 1, error: "unavailable"))
        recorder.write(row("refused", submitted: 2, ended: 2, error: "unavailable"))
        recorder.write(row("replaced", submitted: 4, ended: 5))
        recorder.write(row("refused", submitted: 4.5, ended: 4.5, error: "tooManyPendingTaskRequests"))
        recorder.write(row("refused", submitted: 7, ended: 7))
        let story = RequestStory(recorder, app: app, kind: .refresh, from: .zero, to: hour(10))
        let hours = Dictionary(uniqueKeysWithValues: story.held.map { ($0.reason, $0.time / .hour) })
        // Nothing was asked for until 1 h, and from the end of the request at 5 h to the refusal at 7 h.
        #expect(hours == ["no-request": 3, "switched-off": 3, "not-asked": 1, "refused": 3])
        #expect(story.refused.map(\.reason) == ["switched-off", "switched-off", "too-many-pending", "refused"])
        #expect(story.lives.map(\.outcome) == ["replaced"])
        // A span that begins within the refusal has its reason from the start.
        let later = RequestStory(recorder, app: app, kind: .refresh, from: hour(8), to: hour(9))
        #expect(later.held == [HeldBack(reason: "refused", time: .hour)] && later.refused.isEmpty)
    }

    @Test func `the story of one app keeps no rows of others, the outline no responses`() {
        let mine = StoryRecorder(app: AppID(1))
        mine.write(decision(1, "herd", submitted: 0, floor: 0))
        #expect(mine.decisions.isEmpty)
        var row = decision(1, "herd", submitted: 0, floor: 0)
        row.responses = [.veto("Thundering Herd Policy", weight: 1, "")]
        let all = StoryRecorder(app: nil)
        all.write(row)
        #expect(all.decisions.first?.responses == [])
    }

    @Test func `a replay names what differs, to the last bit of a metric`() {
        let metrics = MetricCatalog.catalogue.metrics.map { _ in 1.0 }
        let stored = RunOutcome(metrics: metrics, events: 5, userActions: 1, fingerprint: 7, workloadFingerprint: 9)
        let list = MetricList(MetricCatalog.catalogue)
        #expect(RunReplay.differences(between: stored, and: stored, metrics: list) == [])
        var other = stored
        other.metrics[2] = 1.0.nextUp
        #expect(RunReplay.differences(between: stored, and: other, metrics: list) == [list.names[2]])
        other.fingerprint = 8
        other.workloadFingerprint = 8
        other.events = 6
        #expect(RunReplay.differences(between: stored, and: other, metrics: list).count == 4)
    }
}

/// Words of `flotsam why`.
@Suite struct ReasonTextTests {
    private enum Rule: UInt8, PolicyRule {
        case bored

        var text: RuleText { RuleText("bored", "the policy was bored") }
    }

    @Test func `every reason of a table has words, those of the policy's own rules included`() {
        let texts = ReasonTexts(ownRules: Rule.texts)
        #expect(texts["camera"] == "the camera was in use")
        #expect(texts["thermal"] == "the phone was too warm")
        #expect(
            texts["no-request"]
                == "no request was pending: the app had made no first or next request, or its request was dropped"
        )
        #expect(texts["refused"] == "the system refused it, and no reason was recorded")
        #expect(texts["switched-off"] == "Background App Refresh was switched off")
        #expect(texts["bored"] == "the policy was bored")
        #expect(ReasonTexts(ownRules: [])["bored"] == nil)
    }

    @Test func `what the app does itself holds nobody back`() {
        func isByRule(_ reason: String) -> Bool { HeldBack(reason: reason, time: .hour).isByRule }
        #expect(!isByRule("earliest-begin") && !isByRule("no-request") && !isByRule("running"))
        #expect(isByRule("camera") && isByRule("not-asked") && isByRule("refused") && isByRule("switched-off"))
    }
}
