// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing
import Vocabulary

/// Names and sentences of rules.
@Suite struct RuleTextTests {
    enum Rule: UInt8, PolicyRule {
        case early, late

        var text: RuleText {
            switch self {
            case .early: RuleText("early", "it was too early")
            case .late: RuleText("late", "it was late enough")
            }
        }
    }

    enum Scattered: UInt8, PolicyRule {
        case one = 1

        var text: RuleText { RuleText("one", "one") }
    }

    @Test func `the rules that policies share have names and sentences of their own`() {
        #expect(Set(SchedulingRule.allCases.map(\.name)).count == SchedulingRule.allCases.count)
        #expect(Set(SchedulingRule.allCases.map(\.sentence)).count == SchedulingRule.allCases.count)
        #expect(SchedulingRule.camera.text == RuleText("camera", "the camera was in use"))
        #expect(Set(KillReason.allCases.map(\.name)).count == KillReason.allCases.count)
        #expect(Set(KillReason.allCases.map(\.sentence)).count == KillReason.allCases.count)
    }

    @Test func `a decision carries the policy's own rule by its index`() {
        let wait = SchedulingDecision.wait(Rule.late, until: .seconds(5), or: .locked, score: 0.5, threshold: 0.75)
        #expect(!wait.proceed && wait.rule == .custom && wait.ownRule == 1)
        #expect(wait.reconsider == .seconds(5) && wait.wakeOn == .locked)
        #expect(wait.score == 0.5 && wait.threshold == 0.75)
        let start = SchedulingDecision.proceed(Rule.early, score: 0.5, threshold: 0.25)
        #expect(start.proceed && start.ownRule == 0 && start.score == 0.5 && start.threshold == 0.25)
        #expect(SchedulingDecision.wait(.camera).ownRule == nil)
        #expect(Rule.texts.map(\.name) == ["early", "late"])
    }

    @Test func `rules that are not numbered from 0 trap`() async {
        await #expect(processExitsWith: .failure) { _ = Scattered.texts }
    }

    @Test func `each change of the device has its bit, its member and its words`() {
        #expect(ConditionChange.allCases.count == ConditionChanges.count)
        #expect(Set(ConditionChange.allCases.map(\.sentence)).count == ConditionChanges.count)
        let members: [(ConditionChanges, ConditionChange)] = [
            (.pluggedIn, .pluggedIn), (.wifiJoined, .wifiJoined), (.networkAppeared, .networkAppeared),
            (.locked, .locked), (.unlocked, .unlocked), (.lowPowerModeEnded, .lowPowerModeEnded),
            (.batteryRecovered, .batteryRecovered), (.cooled, .cooled), (.launchEnded, .launchEnded),
            (.pressureFell, .pressureFell), (.radioUp, .radioUp), (.workStarted, .workStarted),
            (.cameraStopped, .cameraStopped), (.moved, .moved),
        ]
        #expect(members.count == ConditionChanges.count)
        for (set, change) in members { #expect(set.changes == [change]) }
        #expect(([.cooled, .pluggedIn] as ConditionChanges).changes == [.pluggedIn, .cooled])
    }
}
