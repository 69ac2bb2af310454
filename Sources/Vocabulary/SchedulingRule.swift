// SPDX-License-Identifier: GPL-3.0-or-later

/// The rules that scheduling policies share, for `decisions.csv` and for explanations.
///
/// A policy with further rules declares them as a `PolicyRule`.
public enum SchedulingRule: UInt8, Sendable, CaseIterable, BitwiseCopyable {
    case immediate, scored, belowThreshold, deviceInUse, notIdleLongEnough, lowPowerMode, batteryCritical, thermal
    case memoryPressure, herd, groupLimit, rateLimit, energyBudget, cellularBudget, notUsedRecently, needsCharger
    case needsWifi, deadlineReached
    /// A rule that the policy declares itself; `SchedulingDecision.ownRule` is its index.
    case custom
    case batchWindow, joinedBatch, heartbeat, backlog, backOff, quota, doze, notExpectedSoon, beforeUse
    /// The processor is busy with other work.
    case processorBusy
    /// The camera is in use.
    case camera

    /// The name in tables, and the words of `flotsam why`.
    public var text: RuleText {
        switch self {
        case .immediate: RuleText("immediate", "no rule prevented the work")
        case .scored: RuleText("scored", "the score was high enough")
        case .belowThreshold: RuleText("below-threshold", "the score was below the threshold")
        case .deviceInUse: RuleText("device-in-use", "the phone was in use")
        case .notIdleLongEnough:
            RuleText("not-idle-long-enough", "the phone had not been locked for long enough")
        case .lowPowerMode: RuleText("low-power-mode", "Low Power Mode was on")
        case .batteryCritical:
            RuleText("battery-critical", "the battery was low and the phone off the charger")
        case .thermal: RuleText("thermal", "the phone was too warm")
        case .memoryPressure: RuleText("memory-pressure", "memory pressure was critical")
        case .herd: RuleText("herd", "launches were held back after a long absence of the user or the network")
        case .groupLimit: RuleText("group-limit", "the largest allowed number of background launches ran")
        case .rateLimit: RuleText("rate-limit", "the last run was too recent")
        case .energyBudget: RuleText("energy-budget", "the day's energy budget was used up")
        case .cellularBudget: RuleText("cellular-budget", "the day's cellular budget was used up")
        case .notUsedRecently:
            RuleText("not-used-recently", "the user had not opened the app for too long")
        case .needsCharger: RuleText("needs-charger", "the work waited for a charger")
        case .needsWifi: RuleText("needs-wifi", "the policy waited for Wi-Fi")
        case .deadlineReached: RuleText("deadline-reached", "the work could wait no longer")
        case .custom: RuleText("custom", "an unnamed rule of the policy applied")
        case .batchWindow: RuleText("batch-window", "the work waited to share a wake-up")
        case .joinedBatch: RuleText("joined-batch", "the work shared a wake-up")
        case .heartbeat: RuleText("heartbeat", "the work waited until the radio was on for another reason")
        case .backlog: RuleText("backlog", "waiting was still cheaper than the radio")
        case .backOff: RuleText("back-off", "earlier refreshes were not seen, so the policy backed off")
        case .quota: RuleText("quota", "the app's quota was used up")
        case .doze: RuleText("doze", "the phone was in Doze between two maintenance windows")
        case .notExpectedSoon:
            RuleText("not-expected-soon", "the app was not expected to be opened soon")
        case .beforeUse: RuleText("before-use", "the next use of the app determined the time")
        case .processorBusy: RuleText("processor-busy", "the processor was busy")
        case .camera: RuleText("camera", "the camera was in use")
        }
    }

    /// The name in tables.
    public var name: String { text.name }
    /// The condition under which the rule decided.
    public var sentence: String { text.sentence }
}
