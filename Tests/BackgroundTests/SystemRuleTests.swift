// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import SchedulingPolicies
import Testing
import Vocabulary

@testable import Background

/// The one table of the system's rules, and the four that ask it: decisions, explanations, pushes and transfers.
@Suite struct SystemRuleTests {
    private let now = SimTime.zero + .hours(10)
    private let app = AppID(0)

    @Test func `every reason has a name and a sentence, and a name has one sentence`() {
        var sentences: [String: String] = [:]
        for reason in RequestReason.all {
            let text = reason.text()
            #expect(!text.name.isEmpty && !text.sentence.isEmpty)
            if let other = sentences[text.name] { #expect(other == text.sentence, "\(text.name)") }
            sentences[text.name] = text.sentence
        }
        #expect(RequestReason.all.map(\.index) == Array(0..<RequestReason.count))
        #expect(SystemRule.allCases.count == SystemRule.count)
    }

    @Test func `a rule that says which change lifts it is lifted by that change`() {
        for rule in SystemRule.allCases {
            let facts = rule.facts
            #expect(!facts.kinds.isEmpty && !facts.stages.isEmpty && facts.weight > 0 && !facts.rationale.isEmpty)
        }
        #expect(SystemRule.camera.facts.liftedBy == .cameraStopped)
        #expect(SystemRule.heat.facts.liftedBy == .cooled)
        #expect(SystemRule.batteryCritical.facts.liftedBy == [.pluggedIn, .batteryRecovered])
    }

    @Test func `every rule is asked, in the order of their declaration, until one holds`() {
        var asked: [SystemRule] = []
        let held = SystemRule.first { rule in
            asked.append(rule)
            return false
        }
        #expect(held == nil)
        #expect(asked == SystemRule.allCases)
        for rule in SystemRule.allCases { #expect(SystemRule.first { $0 == rule } == rule) }
    }

    @Test func `the rules that concern a kind of work are asked in the order of the table`() {
        let rules = SystemRules.ByKind()
        func names(_ set: SystemRules) -> [String] {
            var found: [String] = []
            _ = SystemRule.first { rule in
                if set.contains(rule) { found.append(rule.facts.text.name) }
                return false
            }
            return found
        }
        let launch = ["force-quit", "first-unlock", "busy", "foreground", "low-power-mode", "thermal"]
        #expect(names(rules.refresh) == launch)
        #expect(names(rules.processing) == launch + ["device-in-use"])
        #expect(
            names(rules.request) == [
                "earliest-begin", "throttled", "spacing", "requires-power", "requires-network", "protected-files",
            ])
        #expect(names(rules.submission) == ["switched-off", "force-quit"])
        #expect(
            names(rules.push) == [
                "force-quit", "low-power-mode", "battery-critical", "thermal", "camera", "requires-network",
            ])
        #expect(names(rules.pushAllowance) == ["herd", "energy-budget", "cellular-budget"])
        #expect(names(rules.transfer) == ["requires-network"])
        #expect(
            names(rules.discretionaryTransfer) == [
                "low-power-mode", "requires-power", "requires-network", "requires-wifi",
            ])
    }

    // MARK: Explanations

    /// A device and a table in a state drawn at random.
    private func situation(_ random: inout PolicyRandom) -> (RequestTable, DeviceConditions, Bool) {
        func chance(_ share: Double) -> Bool { random.nextUniform() < share }
        var table = makeTable()
        let options: RequestOptions = {
            var options = RequestOptions()
            options.needsUnlockedFiles = chance(0.4)
            return options
        }()
        let kind: RequestKind = chance(0.5) ? .refresh : .processing
        let later = now + (chance(0.3) ? .minutes(20) : .zero)
        _ = table.submit(
            app, kind, earliestBegin: later, requiresPower: chance(0.4), requiresNetwork: chance(0.5),
            options: options, at: now)
        if chance(0.2) { _ = table.answerAfterBoot(app, kind, at: now) }
        if chance(0.2) {
            let other: RequestKind = kind == .refresh ? .processing : .refresh
            _ = table.submit(app, other, earliestBegin: now, requiresPower: false, requiresNetwork: false, at: now)
            _ = table.ask(0, other, at: now)
        }
        var device = DeviceConditions(now: now)
        device.lowPowerMode = chance(0.2)
        device.thermalLevel = UInt8(random.nextUniform() * 4)
        device.pluggedIn = chance(0.5)
        device.network = chance(0.4) ? .none : .cellular
        device.screenOn = chance(0.3)
        device.locked = !device.screenOn
        return (table, device, chance(0.15))
    }

    @Test func `F35: a decision takes the first rule that an explanation shows`() throws {
        var random = PolicyRandom(seed: 77)
        var (held, several) = (0, 0)
        for _ in 0..<3000 {
            let (table, device, isForeground) = situation(&random)
            let kind: RequestKind = table.isPending(app, .refresh) ? .refresh : .processing
            let said = try #require(
                table.explain(
                    app, kind, device: device, openLikelihood: 0, isForeground: isForeground, at: now))
            var asked = table
            let reason = asked.ask(0, kind, device, foreground: isForeground, at: now).reason
            guard case .system(let rule) = reason else {
                #expect(said.responses.isEmpty && reason == .policy(.immediate))
                continue
            }
            #expect(said.responses.first == PolicyResponse(rule))
            #expect(said.responses.first?.sentence == reason.text().sentence)
            held += 1
            several += said.responses.count > 1 ? 1 : 0
        }
        #expect(held > 1000 && several > 500)
    }

    @Test func `an explanation names heat, and every other rule that holds beside it`() throws {
        var table = makeTable()
        _ = table.submitRefresh(0, network: true, at: now)
        var device = DeviceConditions(now: now)
        device.thermalLevel = 3
        let hot = try #require(table.explain(app, .refresh, device: device, openLikelihood: 0, at: now))
        #expect(hot.responses.map(\.name) == ["Thermal Policy", "Network Quality Policy"])
        #expect(hot.responses.first?.rationale == "thermalLevel >= 3" && hot.responses.first?.weight == 5)
        #expect(hot.joint.answer == .absolutelyMustNotProceed)
        device.lowPowerMode = true
        let both = try #require(table.explain(app, .refresh, device: device, openLikelihood: 0, at: now))
        #expect(
            both.responses.map(\.sentence) == [
                "Low Power Mode was on", "the phone was too warm",
                "the request asked for a network, and there was none",
            ])
        device.thermalLevel = 2
        #expect(table.explain(app, .refresh, device: device, openLikelihood: 0, at: now)?.responses.count == 2)
    }

    // MARK: Pushes and transfers

    /// Every combination of what matters to pushes and transfers.
    private func devices() -> [DeviceConditions] {
        var found: [DeviceConditions] = []
        for bits in 0..<32 {
            for network in Network.allCases {
                for level in UInt8(0)...3 {
                    var device = DeviceConditions(now: now)
                    device.network = network
                    device.thermalLevel = level
                    device.lowPowerMode = bits & 1 != 0
                    device.batteryLevel = bits & 2 != 0 ? 0.19 : 0.2
                    device.pluggedIn = bits & 4 != 0
                    device.cameraOn = bits & 8 != 0
                    device.herdUntil = bits & 16 != 0 ? now + .minutes(4) : .zero
                    found.append(device)
                }
            }
        }
        return found
    }

    @Test(arguments: [true, false])
    func `a silent push waits for the device, then for the clock, and then is let through`(stops: Bool) {
        var parameters = BackgroundParameters()
        parameters.lowPowerModeStopsWork = stops
        let table = makeTable(parameters: parameters)
        for device in devices() {
            for opens in [now - .hour, now + .minutes(2), now + .minutes(9)] {
                var asked = table
                let answer = asked.admitPush(to: app, opens: opens, device: device, at: now)
                let mustWait =
                    device.network == .none || (stops && device.lowPowerMode)
                    || (device.batteryLevel < 0.2 && !device.pluggedIn) || device.thermalLevel >= 2 || device.cameraOn
                let from = max(opens, device.herdUntil)
                if mustWait {
                    guard case .waitForChange(let rule) = answer else {
                        Issue.record("\(answer) on \(device)")
                        continue
                    }
                    #expect(asked.holds(rule, Launch(push: app, at: now), device) && !rule.facts.liftedBy.isEmpty)
                } else {
                    #expect(answer == (from <= now ? .launch : .wait(until: from)))
                }
            }
        }
    }

    @Test func `a push that a budget does not cover is looked at again half an hour later`() {
        struct Thrifty: SchedulingPolicy {
            var keepsBudgets: Bool { true }
            func decide(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision {
                .proceed(.immediate)
            }
        }
        var parameters = BackgroundParameters()
        parameters.cellularBudget = .mebibytes(5)
        var table = makeTable(policy: Thrifty(), parameters: parameters) { $0.refreshBytes = .mebibytes(4) }
        var device = DeviceConditions(now: now)
        device.network = .cellular
        #expect(table.admitPush(to: app, opens: now, device: device, at: now) == .launch)
        #expect(table.admitPush(to: app, opens: now, device: device, at: now) == .wait(until: now + .minutes(30)))
        device.network = .wifi
        #expect(table.admitPush(to: app, opens: now, device: device, at: now) == .launch)
    }

    @Test func `pushes to an app are dropped where its user wants none`() {
        var table = makeTable()
        #expect(table.rulingOutPushes(to: app) == nil)
        table.forceQuit(app, at: now)
        #expect(table.rulingOutPushes(to: app) == .forceQuit)
        table.noteOpened(app, at: now)
        #expect(table.rulingOutPushes(to: app) == nil)
        #expect(makeTable { $0.refreshEnabled = false }.rulingOutPushes(to: app) == .switchedOff)
        var parameters = BackgroundParameters()
        parameters.refreshSwitch = false
        #expect(makeTable(parameters: parameters).rulingOutPushes(to: app) == .switchedOff)
    }

    @Test func `a transfer needs a network, and power, Wi-Fi and full power where the system chooses the moment`() {
        let table = makeTable()
        for device in devices() {
            let any = table.ruleAgainstTransfer(of: app, isDiscretionary: false, device: device, at: now)
            #expect(any == (device.network == .none ? .requiresNetwork : nil))
            let chosen = table.ruleAgainstTransfer(of: app, isDiscretionary: true, device: device, at: now)
            let isGood = device.pluggedIn && device.network == .wifi && !device.lowPowerMode
            #expect((chosen == nil) == isGood)
        }
    }

    // MARK: Rules of a policy's own

    private enum Rule: UInt8, PolicyRule {
        case tooEarly, lateEnough

        var text: RuleText {
            switch self {
            case .tooEarly: RuleText("too-early", "the policy waited for noon")
            case .lateEnough: RuleText("late-enough", "it was past noon")
            }
        }
    }

    @Test func `a rule that a policy declares itself is named by its reason`() {
        let noon = now + .hours(2)
        let policy = Scripted { _, device in
            device.now < noon ? .wait(Rule.tooEarly, until: noon) : .proceed(Rule.lateEnough)
        }
        let models = [AppModel(name: "a", category: "test")]
        var table = RequestTable(apps: models, parameters: .init(), policy: policy, ownRules: Rule.texts)
        _ = table.submitRefresh(0, at: now)
        let early = table.ask(0, at: now)
        #expect(early.reason == .own(0) && early.wakeAt == noon)
        #expect(table.name(of: early.reason) == "too-early")
        #expect(early.reason.text(own: Rule.texts).sentence == "the policy waited for noon")
        let late = table.ask(0, at: noon)
        #expect(late.action == .start && table.name(of: late.reason) == "late-enough")
        #expect(table.counts[RequestReason.own(0).index] == 2)
        // A policy whose descriptor lists no rules still runs.
        #expect(makeTable().name(of: .own(1)) == "custom")
    }

    @Test func `the names of errors are those that tables write`() {
        #expect(
            RequestError.allCases.map(\.rawValue) == [
                "unavailable", "tooManyPendingTaskRequests", "notPermitted", "immediateRunIneligible",
            ])
        #expect(RequestError.allCases.map(\.code) == [1, 2, 3, 4])
    }
}

extension Launch {
    /// A silent push that may launch its app.
    fileprivate init(push app: AppID, at now: SimTime) {
        self.init(app: app, kind: .silentPush, isForeground: false, time: now)
    }
}
