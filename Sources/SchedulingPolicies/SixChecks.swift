// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// The engine that tutorials describe: six conditions, all of which must be met.
///
/// The conditions: app in the background, earliest begin passed, battery above 20 %, on Wi-Fi, user likely inactive,
/// resources free. The first two are checked before any policy is called. Low Power Mode stops everything.
///
/// Two conditions do not hold for the iPhone. Wi-Fi is not required there, and refreshes run before expected use, not
/// away from it. Source: WWDC20 session 10063.
public struct SixChecks: SchedulingPolicy {
    /// Battery level that must be exceeded.
    public var battery = 0.2
    /// Likelihood of use up to which the user counts as inactive.
    public var inactive = 0.2
    /// Time between two checks if no change of the device helps.
    public var look = SimDuration.minutes(15)

    /// Creates the policy with its defaults.
    public init() {}

    /// Makes the checks in the order of the tutorials.
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
            summary: "Checks the six conditions of many tutorials, such as Wi-Fi and an inactive user.",
            source: "common write-ups of iOS background work (six checks of a 'background decision engine')",
            family: .ios, needs: [.apps, .network]),
        SixChecks(),
        Parameter(
            \.battery, "battery", .fraction, 0...1, "Battery level above which work may start (the write-ups: 20 %)"),
        Parameter(
            \.inactive, "inactive", .fraction, 0...1,
            "The user counts as inactive up to this likelihood of use within 30 min; assumption"),
        Parameter(
            \.look, "look", .duration, 1...86400,
            "Time between two checks if no change of the device causes one earlier; assumption"))
}
