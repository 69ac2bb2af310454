// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

extension Opportunistic {
    /// The veto against a refresh; nil without a veto.
    func refreshVeto(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision? {
        if device.now - request.lastOpened > parameters.forgottenRefresh { return forgotten(device) }
        let next = request.lastRun + parameters.spacing
        if device.now < next { return .wait(.rateLimit, until: next) }
        if !device.pluggedIn, device.energyBudgetLeft <= 0 {
            return .wait(.energyBudget, until: device.now + parameters.rescoring, or: .pluggedIn)
        }
        if device.network == .cellular, device.cellularBudgetLeft <= 0 {
            return .wait(.cellularBudget, until: device.now + parameters.rescoring, or: .wifiJoined)
        }
        return nil
    }

    /// The veto against processing, or nil.
    ///
    /// The condition that changes most rarely is checked first, so that most requests wait for a rare change.
    func processingVeto(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision? {
        if device.now - request.lastOpened > parameters.forgotten { return forgotten(device) }
        if !device.pluggedIn, !parameters.processingOnBattery { return .wait(.needsCharger, or: .pluggedIn) }
        if device.screenOn || !device.locked { return .wait(.deviceInUse, or: .locked) }
        let idle = device.lockedSince + parameters.idle
        if device.now < idle { return .wait(.notIdleLongEnough, until: idle) }
        if !device.pluggedIn, device.energyBudgetLeft <= 0 {
            return .wait(.energyBudget, until: device.now + parameters.rescoring, or: .pluggedIn)
        }
        return nil
    }

    /// Veto against an app that is not used; its next open brings a new request, so one check a day is enough.
    private func forgotten(_ device: DeviceConditions) -> SchedulingDecision {
        .wait(.notUsedRecently, until: device.now + .day)
    }

    /// Time between two checks of a busy processor (cocoa-mhlw/cocoa#644: checks at 09:10, 09:15, 09:16, 09:21).
    private static let busyRecheck = SimDuration.minutes(5)

    /// The veto against any launch; nil without a veto.
    func commonVeto(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision? {
        if device.lowPowerMode { return .wait(.lowPowerMode, or: .lowPowerModeEnded) }
        if !device.pluggedIn, device.batteryLevel < parameters.criticalLevel {
            return .wait(.batteryCritical, or: [.pluggedIn, .batteryRecovered])
        }
        if device.thermalLevel >= parameters.thermalVeto { return .wait(.thermal, or: .cooled) }
        if device.pressure == .critical { return .wait(.memoryPressure, or: .pressureFell) }
        // The log lists this veto under the policy of memory pressure (ably-flutter README: cameraIsActive == 1).
        if device.cameraOn { return .wait(.camera, or: .cameraStopped) }
        if device.processorBusy > parameters.processorLimit {
            return .wait(.processorBusy, until: device.now + Self.busyRecheck, or: .locked)
        }
        if device.now < device.herdUntil { return .wait(.herd, until: device.herdUntil) }
        return nil
    }
}
