import Quantities
import Vocabulary

/// Background work runs while the battery shows at least a level, or on the charger.
struct AboveLevel: SchedulingPolicy {
    static let entry = SchedulingPolicyEntry(
        PolicyDescriptor(
            name: "above-level", summary: "Starts work while the battery shows at least a level, or on the charger.",
            source: "an exercise", rules: Rule.texts),
        AboveLevel(),
        Parameter(\.level, "level", .fraction, 0...1, "lowest level at which work starts; assumption"))

    /// Why work starts or waits.
    enum Rule: UInt8, PolicyRule {
        case levelReached, belowLevel

        var text: RuleText {
            switch self {
            case .levelReached: RuleText("level-reached", "the battery showed enough")
            case .belowLevel: RuleText("below-level", "the battery showed less than the policy asks for")
            }
        }
    }

    var level = 0.5

    mutating func decide(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision {
        if device.pluggedIn || device.batteryLevel >= level { return .proceed(Rule.levelReached) }
        return .wait(Rule.belowLevel, until: device.now + .minutes(30), or: .pluggedIn)
    }
}
