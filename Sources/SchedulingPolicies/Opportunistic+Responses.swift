// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Answers of each part of the policy in the form of dasd's logs; a part that the logs name has the name in the logs.
///
/// `decide` must be fast and stops at the first veto; here, every part answers. Both give the same verdict, as tests
/// check. Names in public logs: Application, Network Quality, Device Activity, Memory Pressure, CPU Usage, Thermal,
/// Thundering Herd, Battery Level, Activity Group. The other names are this project's.
extension Opportunistic {
    /// The answers of all parts, vetoes first.
    public func responses(to request: RequestView, _ device: DeviceConditions) -> [PolicyResponse] {
        let isRefresh = request.kind == .refresh
        var list = isRefresh ? refreshVetoes(request, device) : processingVetoes(request, device)
        list += commonVetoes(device)
        list += isRefresh ? refreshScores(request, device) : processingScores(device)
        return list
    }

    private func refreshVetoes(_ request: RequestView, _ device: DeviceConditions) -> [PolicyResponse] {
        var list: [PolicyResponse] = []
        if device.now - request.lastOpened > parameters.forgottenRefresh {
            let text = over(device.now - request.lastOpened, parameters.forgottenRefresh)
            list.append(.veto(.notUsedRecently, "Recent Use Policy", weight: 1, text))
        }
        let next = request.lastRun + parameters.spacing
        if device.now < next {
            let seconds = Int((device.now - request.lastRun).seconds)
            let text = "timeSinceLastRun \(seconds) < \(Int(parameters.spacing.seconds))"
            list.append(.veto(.rateLimit, "Rate Limitation Policy", weight: 1, text))
        }
        if device.network == .cellular, device.cellularBudgetLeft <= 0 {
            list.append(.veto(.cellularBudget, "Data Budget Policy", weight: 1, "cellularBudgetLeft == 0"))
        }
        return list + energyVeto(device)
    }

    private func processingVetoes(_ request: RequestView, _ device: DeviceConditions) -> [PolicyResponse] {
        var list: [PolicyResponse] = []
        if device.now - request.lastOpened > parameters.forgotten {
            let text = over(device.now - request.lastOpened, parameters.forgotten)
            list.append(.veto(.notUsedRecently, "Recent Use Policy", weight: 1, text))
        }
        if !device.pluggedIn, !parameters.processingOnBattery {
            list.append(.veto(.needsCharger, "Charger Plugged In Policy", weight: 1, "pluggedIn Required 1 Observed 0"))
        }
        if device.screenOn || !device.locked {
            let text = "launchType == PROCESSING AND deviceActive == 1"
            list.append(.veto(.deviceInUse, Part.deviceActivity, weight: parameters.weights.deviceActivity, text))
        } else if device.now < device.lockedSince + parameters.idle {
            let text =
                "timeSinceLock \(Int((device.now - device.lockedSince).seconds)) < \(Int(parameters.idle.seconds))"
            list.append(
                .veto(.notIdleLongEnough, Part.deviceActivity, weight: parameters.weights.deviceActivity, text))
        }
        return list + energyVeto(device)
    }

    private func energyVeto(_ device: DeviceConditions) -> [PolicyResponse] {
        guard !device.pluggedIn, device.energyBudgetLeft <= 0 else { return [] }
        return [.veto(.energyBudget, "System Energy Budget Policy", weight: 1, "energyBudgetLeft == 0")]
    }

    private func commonVetoes(_ device: DeviceConditions) -> [PolicyResponse] {
        var list: [PolicyResponse] = []
        if device.lowPowerMode {
            list.append(.veto(.lowPowerMode, "Low Power Mode Policy", weight: 1, "lowPowerMode == 1"))
        }
        if !device.pluggedIn, device.batteryLevel < parameters.criticalLevel {
            let text = "batteryLevel \(percent(device.batteryLevel)) < \(percent(parameters.criticalLevel))"
            list.append(.veto(.batteryCritical, Part.battery, weight: parameters.weights.battery, text))
        }
        if device.thermalLevel >= parameters.thermalVeto {
            let text = "thermalLevel >= \(parameters.thermalVeto)"
            list.append(
                .veto(
                    .thermal, Part.thermal, weight: parameters.weights.thermal, text,
                    answer: .absolutelyMustNotProceed))
        }
        if device.pressure == .critical {
            let text = "memoryPressure == critical"
            list.append(.veto(.memoryPressure, Part.memory, weight: parameters.weights.memory, text))
        }
        if device.cameraOn {
            list.append(.veto(.camera, Part.memory, weight: parameters.weights.memory, "cameraIsActive == 1"))
        }
        if device.processorBusy > parameters.processorLimit {
            let text =
                "Max allowed CPU Usage level Required \(percent(parameters.processorLimit)) "
                + "Observed \(percent(device.processorBusy))"
            list.append(.veto(.processorBusy, Part.processor, weight: parameters.weights.processor, text))
        }
        if device.now < device.herdUntil {
            let left = Int((device.herdUntil - device.now).seconds.rounded(.up))
            let text = "deviceInUse == \(device.screenOn ? 1 : 0) AND thunderingHerdWindowLeft == \(left)"
            list.append(.veto(.herd, Part.herd, weight: parameters.weights.herd, text))
        }
        if Int(device.runningLaunches) >= parameters.groupLimit {
            list.append(.veto(.groupLimit, Part.group, weight: parameters.weights.group, "currentAvailableLimit == 0"))
        }
        return list
    }

    private func over(_ time: SimDuration, _ limit: SimDuration) -> String {
        "daysSinceLastOpened \(Int((time / .day).rounded(.down))) > \(Int(limit / .day))"
    }

    private func percent(_ share: Double) -> Int { Int((share * 100).rounded()) }

    /// Names of the parts that score.
    enum Part {
        static let application = "Application Policy"
        static let network = "Network Quality Policy"
        static let deviceActivity = "Device Activity Policy"
        static let memory = "Memory Pressure Policy"
        static let processor = "CPU Usage Policy"
        static let thermal = "Thermal Policy"
        static let herd = "Thundering Herd Policy"
        static let battery = "Battery Level Policy"
        static let group = "Activity Group Policy"
        static let unnamed = "policies not printed"
    }

    private func refreshScores(_ request: RequestView, _ device: DeviceConditions) -> [PolicyResponse] {
        let weights = parameters.weights
        return [
            PolicyResponse(Part.application, weight: weights.application, score: useScore(request)),
            PolicyResponse(Part.deviceActivity, weight: weights.deviceActivity, score: device.screenOn ? 0.25 : 1),
            PolicyResponse(Part.network, weight: weights.network, score: networkScore(device)),
        ] + commonScores(device, total: weights.refreshTotal, sum: weights.refreshSum)
    }

    private func processingScores(_ device: DeviceConditions) -> [PolicyResponse] {
        let weights = parameters.weights
        let activity = PolicyResponse(
            Part.deviceActivity, weight: weights.deviceActivity, score: idleScore(device))
        return [activity] + commonScores(device, total: weights.processingTotal, sum: weights.processingSum)
    }

    private func commonScores(_ device: DeviceConditions, total: Double, sum: Double) -> [PolicyResponse] {
        let weights = parameters.weights
        return [
            PolicyResponse(Part.memory, weight: weights.memory, score: device.pressure == .normal ? 1 : 0.5),
            PolicyResponse(Part.thermal, weight: weights.thermal, score: device.thermalLevel == 0 ? 1 : 0.5),
            PolicyResponse(Part.processor, weight: weights.processor, score: 1),
            PolicyResponse(Part.herd, weight: weights.herd, score: 1),
            PolicyResponse(
                Part.battery, weight: weights.battery, score: device.pluggedIn ? 1 : device.batteryLevel),
            PolicyResponse(Part.group, weight: weights.group, score: 1),
            PolicyResponse(Part.unnamed, weight: max(0, total - sum), score: 1),
        ]
    }
}
