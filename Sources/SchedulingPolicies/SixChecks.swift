import Quantities
import Vocabulary

/// The engine that tutorials describe: six conditions, all of which must hold.
///
/// App in the background, floor passed (both checked before any policy is asked), battery above 20 %, on Wi-Fi, user
/// likely inactive, resources free; Low Power Mode stops everything. Two of them are wrong as descriptions of the iPhone:
/// Wi-Fi is no gate there, and refreshes are placed before expected use, not away from it (WWDC20 session 10063).
public struct SixChecks: SchedulingPolicy {
    private let battery: Double
    private let inactive: Double
    private let look: SimDuration

    /// Creates the policy with the battery level it wants, the likelihood of use it takes for inactive, and its pace.
    public init(battery: Double, inactive: Double, look: SimDuration) {
        self.battery = battery
        self.inactive = inactive
        self.look = look
    }

    /// Goes through the checks in the order of the write-ups.
    public func decide(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision {
        let again = device.now + look
        if device.lowPowerMode { return .wait(.lowPowerMode, or: .lowPowerModeEnded) }
        if device.batteryLevel <= battery { return .wait(.batteryCritical, until: again, or: .batteryRecovered) }
        if device.network != .wifi { return .wait(.needsWifi, or: .wifiJoined) }
        if device.screenOn { return .wait(.deviceInUse, or: .locked) }
        if request.openLikelihood > inactive { return .wait(.deviceInUse, until: again) }
        if device.pressure != .normal { return .wait(.memoryPressure, until: again, or: .pressureFell) }
        if device.thermalLevel >= 2 { return .wait(.thermal, until: again, or: .cooled) }
        return .proceed(.immediate)
    }

    static let entry = SchedulingPolicyEntry(
        PolicyDescriptor(
            name: "six-checks",
            summary: "The engine of tutorials: six conditions, Wi-Fi and an inactive user among them.",
            source: "common write-ups of iOS background work (six checks of a 'background decision engine')",
            parameters: [
                PolicyParameter(
                    name: "battery", dimension: .fraction, defaultValue: 0.2, range: 0...1,
                    meaning: "Battery level that must be exceeded (the write-ups: 20 %)"),
                PolicyParameter(
                    name: "inactive", dimension: .fraction, defaultValue: 0.2, range: 0...1,
                    meaning: "Likelihood of use within 30 min up to which the user counts as inactive; assumption"),
                PolicyParameter(
                    name: "look", dimension: .duration, defaultValue: 900, range: 1...86400,
                    meaning: "Time between two looks where no change of the device helps; assumption"),
            ], needs: [.apps, .network])
    ) { SixChecks(battery: $0.values[0], inactive: $0.values[1], look: .seconds($0.values[2])) }
}
