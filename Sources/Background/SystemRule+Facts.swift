// SPDX-License-Identifier: GPL-3.0-or-later
import Vocabulary

extension SystemRule {
    /// The facts of the rule.
    ///
    /// Log names, weights and conditions come from public logs if these show the rule. The logs are those of the
    /// ably-flutter README, cocoa-mhlw/cocoa#644, flutterfire#13073, and the macOS log in "Mitigating Mac Enrollment
    /// Failures", 2020. Other values are assumptions, including a weight of 1 where the logs show no weight.
    public var facts: Facts {
        switch self {
        case .switchedOff:
            Facts(
                RuleText("switched-off", "Background App Refresh was switched off"), log: "Application Policy",
                weight: 50, "backgroundRefresh Required 1 Observed 0", answer: .absolutelyMustNotProceed,
                for: [.refresh, .processing, .silentPush], at: .submission)
        case .forceQuit:
            Facts(
                RuleText("force-quit", "the user had force-quit the app"), log: "Application Policy", weight: 50,
                "forceQuit Required 0 Observed 1", answer: .absolutelyMustNotProceed,
                for: [.refresh, .processing, .silentPush, .event], at: [.submission, .launch])
        case .firstUnlock:
            Facts(
                RuleText("first-unlock", "the phone had not been unlocked since it started"),
                log: "File Protection Policy", "firstUnlock Required 1 Observed 0",
                answer: .absolutelyMustNotProceed, liftedBy: .unlocked)
        case .busy:
            Facts(
                RuleText("busy", "other work of the app was under way"), log: "Application Policy", weight: 50,
                "otherLaunchOfApp Required 0 Observed 1", liftedBy: .launchEnded)
        case .foreground:
            Facts(
                RuleText("foreground", "the user was looking at the app"), log: "Application Policy", weight: 50,
                "appIsForeground Required 0 Observed 1", liftedBy: .locked)
        case .lowPowerMode:
            Facts(
                SchedulingRule.lowPowerMode.text, log: "Low Power Mode Policy", "lowPowerMode == 1",
                for: [.refresh, .processing, .silentPush, .discretionaryTransfer], liftedBy: .lowPowerModeEnded)
        case .batteryCritical:
            Facts(
                SchedulingRule.batteryCritical.text, log: "Battery Level Policy", "batteryLevel is critical",
                for: .silentPush, liftedBy: [.pluggedIn, .batteryRecovered])
        case .heat:
            Facts(
                SchedulingRule.thermal.text, log: "Thermal Policy", weight: 5, "thermalLevel >= 3",
                answer: .absolutelyMustNotProceed, for: [.refresh, .processing, .silentPush], liftedBy: .cooled)
        case .camera:
            Facts(
                SchedulingRule.camera.text, log: "Memory Pressure Policy", weight: 5, "cameraIsActive == 1",
                for: .silentPush, liftedBy: .cameraStopped)
        case .deviceInUse:
            Facts(
                SchedulingRule.deviceInUse.text, log: "Device Activity Policy", weight: 5,
                "launchType == PROCESSING AND deviceActive == 1", for: .processing, liftedBy: .locked)
        case .earliestBegin:
            Facts(
                RuleText("earliest-begin", "the app had asked for a later start"), log: "Time Policy",
                "earliestBegin is in the future", at: .request)
        case .throttled:
            Facts(
                RuleText("throttled", "the app's last run ended without completion, so the next one must wait"),
                log: "Rate Limitation Policy", "the last run ended without completion", at: .request)
        case .spacing:
            Facts(
                RuleText("spacing", "the app's last processing task had started too recently"),
                log: "Rate Limitation Policy", "timeSinceLastRun < minimumSpacing", at: .request)
        case .requiresPower:
            Facts(
                RuleText("requires-power", "the request asked for external power, and there was none"),
                log: "Charger Plugged In Policy", "pluggedIn Required 1 Observed 0",
                for: [.refresh, .processing, .discretionaryTransfer], at: .request, liftedBy: .pluggedIn)
        case .requiresNetwork:
            Facts(
                RuleText("requires-network", "the request asked for a network, and there was none"),
                log: "Network Quality Policy", weight: 8.4, "path Required 1 Observed 0",
                for: [.refresh, .processing, .silentPush, .transfer, .discretionaryTransfer], at: .request,
                liftedBy: .networkAppeared)
        case .requiresWiFi:
            Facts(
                RuleText("requires-wifi", "the system makes such transfers on Wi-Fi only"),
                log: "Network Quality Policy", weight: 8.4, "wifi Required 1 Observed 0", for: .discretionaryTransfer,
                at: .request, liftedBy: .wifiJoined)
        case .protectedFiles:
            Facts(
                RuleText("protected-files", "the app's files cannot be read while the phone is locked"),
                log: "File Protection Policy", "unlocked Required 1 Observed 0", at: .request, liftedBy: .unlocked)
        case .herd:
            Facts(
                SchedulingRule.herd.text, log: "Thundering Herd Policy", "thunderingHerdWindowLeft > 0",
                for: .silentPush, at: .allowance)
        case .energyBudget:
            Facts(
                SchedulingRule.energyBudget.text, log: "System Energy Budget Policy", "energyBudgetLeft == 0",
                for: .silentPush, at: .allowance)
        case .cellularBudget:
            Facts(
                SchedulingRule.cellularBudget.text, log: "Data Budget Policy", "cellularBudgetLeft == 0",
                for: .silentPush, at: .allowance)
        }
    }
}

/// Rules of the system, one bit each, in the order of checking.
struct SystemRules: OptionSet, Sendable, BitwiseCopyable {
    let rawValue: UInt32

    init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The rules that apply to a kind of work at these stages.
    init(for kind: BackgroundKinds, at stages: SystemRule.Stages) {
        rawValue = SystemRule.allCases.reduce(0) { bits, rule in
            let facts = rule.facts
            let concerns = facts.kinds.isSuperset(of: kind) && !facts.stages.isDisjoint(with: stages)
            return concerns ? bits | 1 << UInt32(rule.rawValue) : bits
        }
    }

    @inline(__always)
    func contains(_ rule: SystemRule) -> Bool { rawValue & 1 << UInt32(rule.rawValue) != 0 }

    /// The rules by kind of work, found once when the table is created.
    struct ByKind: Sendable, BitwiseCopyable {
        let refresh = SystemRules(for: .refresh, at: .launch)
        let processing = SystemRules(for: .processing, at: .launch)
        let request = SystemRules(for: .requests, at: .request)
        let submission = SystemRules(for: .requests, at: .submission)
        let pushSubmission = SystemRules(for: .silentPush, at: .submission)
        let push = SystemRules(for: .silentPush, at: [.launch, .request])
        let pushAllowance = SystemRules(for: .silentPush, at: .allowance)
        let transfer = SystemRules(for: .transfer, at: [.launch, .request])
        let discretionaryTransfer = SystemRules(for: .discretionaryTransfer, at: [.launch, .request])
    }
}
