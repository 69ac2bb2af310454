// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// While the screen is off, delays the work of apps that the user does not open when waking the phone.
///
/// Source: Chen, Jindal, Ding, Hu, Gupta and Vannithamby, "Smartphone background activities in the wild", MobiCom 2015
/// (HUSH). An app's back-off doubles each time the screen comes on and the user does not open the app; an open of the
/// app resets it. The paper exempts apps that are used without touch. Here, apps that play or navigate may run in any
/// case.
public struct Hush: SchedulingPolicy {
    /// Back-off of an app that was just used.
    public var first = SimDuration.minutes(15)
    /// Longest back-off.
    public var longest = SimDuration.day

    /// Creates the policy with its defaults.
    public init() {}

    /// Lets work run while the screen is on; otherwise, lets it run when the back-off since the last run is over.
    public func decide(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision {
        if device.screenOn { return .proceed(.immediate) }
        let next = request.lastRun + backOff(after: request.screenCyclesSinceOpened)
        return device.now >= next ? .proceed(.immediate) : .wait(.backOff, until: next, or: .unlocked)
    }

    /// The back-off after the screen has come on a number of times without an open of the app.
    public func backOff(after cycles: Int32) -> SimDuration {
        guard first > .zero else { return .zero }
        var length = first
        var left = cycles
        while left > 0, length < longest {
            length = length + length
            left -= 1
        }
        return min(length, longest)
    }

    static let entry = SchedulingPolicyEntry(
        PolicyDescriptor(
            name: "hush", summary: "Backs off from apps that the user does not open; the back-off doubles each time.",
            source: "HUSH (Chen et al., MobiCom 2015); its constants are not public", needs: [.apps]),
        Hush(),
        Parameter(
            \.first, "first", .duration, 0...86400,
            "Back-off of an app that was opened since the screen last came on; assumption"),
        Parameter(\.longest, "longest", .duration, 1...2_592_000, "Longest back-off; assumption"))
}
