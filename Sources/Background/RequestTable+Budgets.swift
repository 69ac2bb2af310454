// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Use of the day's budgets by silent pushes. Apple names the budgets for pushes as well as for refreshes (WWDC20
/// session 10063).
///
/// For a push, an app does the same work as for a refresh, so its bytes over cellular count in the same way. The energy
/// of a push is a parameter, because neither the share of a push nor the unit of the budget is public.
extension RequestTable {
    /// Whether each budget covers a silent push now; always true under a policy without budgets.
    func budgetsCover(_ launch: Launch, _ device: DeviceConditions) -> (energy: Bool, cellular: Bool) {
        guard policy.keepsBudgets else { return (true, true) }
        let share = pushShare(launch.app, device)
        var budgets = budgets
        let left = budgets.left(for: share, at: launch.time)
        return (share.units == 0 || left.energy > 0, share.bytes == 0 || left.cellular > 0)
    }

    /// Charges the budgets for a silent push that launches its app.
    mutating func chargePush(to app: AppID, device: DeviceConditions, at now: SimTime) {
        guard policy.keepsBudgets else { return }
        _ = budgets.reserve(pushShare(app, device), at: now)
    }

    private func pushShare(_ app: AppID, _ device: DeviceConditions) -> BudgetShare {
        BudgetShare(
            units: device.pluggedIn ? 0 : parameters.pushes.energyUnits,
            bytes: device.network == .cellular ? Double(facts[Int(app.index)].refreshBytes.bytes) : 0)
    }
}
