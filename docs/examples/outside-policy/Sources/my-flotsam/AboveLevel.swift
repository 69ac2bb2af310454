import Quantities
import Vocabulary

/// Background work runs while the battery shows at least a level, or on the charger.
struct AboveLevel: SchedulingPolicy {
    static let entry = SchedulingPolicyEntry(
        PolicyDescriptor(
            name: "above-level", summary: "Starts work while the battery shows at least a level, or on the charger.",
            source: "an exercise",
            parameters: [
                PolicyParameter(
                    name: "level", dimension: .fraction, defaultValue: 0.5, range: 0...1,
                    meaning: "lowest level at which work starts; assumption")
            ])
    ) { AboveLevel(level: $0.values[0]) }

    let level: Double

    mutating func decide(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision {
        if device.pluggedIn || device.batteryLevel >= level { return .proceed(.custom) }
        return .wait(.custom, until: device.now + .minutes(30), or: .pluggedIn)
    }
}
