// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Applies vetoes, and then compares a weighted mean with a threshold that falls until the deadline, like Apple's dasd.
///
/// Vetoes, weights and the rule of the mean come from public logs of dasd (ably-flutter README, cocoa-mhlw/cocoa#644,
/// flutterfire#13073) and Apple's WWDC20 session 10063. The level and the slope of the threshold are not public.
public struct Opportunistic: SchedulingPolicy {
    /// Parameters in brackets after the name, with their defaults; the policy's entry has ranges and sources.
    public struct Parameters: Sendable {
        /// Score needed at the earliest begin of a request.
        public var thresholdStart = 0.8
        /// Score needed at the deadline of a request.
        public var thresholdEnd = 0.4
        /// Shortest time between two refreshes of an app.
        public var spacing = SimDuration.minutes(15)
        /// Likelihood of use at and above which the use score is 1.
        public var fullLikelihood = 0.1
        /// Time since locking after which processing may run.
        public var idle = SimDuration.minutes(5)
        /// Largest number of simultaneous background launches.
        public var groupLimit = 2
        /// Battery level below which nothing runs without a charger.
        public var criticalLevel = 0.2
        /// Time between two checks of a request below the threshold.
        public var rescoring = SimDuration.minutes(30)
        /// Time without an open after which an app gets no processing.
        public var forgotten = SimDuration.days(7)
        /// Whether processing may run without a charger.
        public var processingOnBattery = false
        /// Time without an open after which an app gets no refresh.
        public var forgottenRefresh = SimDuration.days(7)
        /// Share of the processor that may be busy when work starts.
        public var processorLimit = 0.5
        /// Least thermal level at which no work starts.
        public var thermalVeto = UInt8(2)
        /// Weights of the scores of the parts.
        public var weights = Weights()

        /// Creates the defaults.
        public init() {}
    }

    /// Weights of the scores of the parts, as printed in the logs; the totals include parts that were not printed.
    public struct Weights: Sendable {
        /// The likelihood of use.
        public var application = 50.0
        /// The network.
        public var network = 8.4
        /// Whether the phone is in use.
        public var deviceActivity = 5.0
        /// Memory pressure.
        public var memory = 5.0
        /// The processor.
        public var processor = 5.0
        /// Heat.
        public var thermal = 5.0
        /// The waiting time after a long absence of the user.
        public var herd = 1.0
        /// The battery.
        public var battery = 1.0
        /// The number of simultaneous launches.
        public var group = 0.5
        /// Sum of weights of a push launch (ably-flutter README), used for refreshes.
        public var refreshTotal = 97.02
        /// Sum of weights of a processing task (cocoa#644), without use and network.
        public var processingTotal = 29.61

        /// Creates the weights of the logs.
        public init() {}

        /// Sum of the weights named here that count for processing.
        var processingSum: Double { deviceActivity + memory + processor + thermal + herd + battery + group }
        /// Sum of the weights named here that count for a refresh.
        var refreshSum: Double { processingSum + application + network }
    }

    /// The parameters, in separate memory, so that no check of a request copies them.
    private final class Settings: Sendable {
        let parameters: Parameters

        init(_ parameters: Parameters) { self.parameters = parameters }
    }

    private let settings: Settings

    var parameters: Parameters {
        @inline(__always) get { settings.parameters }
    }

    /// Always true, because the policy reads both budgets.
    public var keepsBudgets: Bool { true }

    /// Creates the policy.
    public init(_ parameters: Parameters = Parameters()) { settings = Settings(parameters) }

    /// Returns a veto, or compares the score with the threshold.
    public func decide(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision {
        if let veto = request.kind == .refresh ? refreshVeto(request, device) : processingVeto(request, device) {
            return veto
        }
        if let veto = commonVeto(request, device) { return veto }
        let score = request.kind == .refresh ? refreshScore(request, device) : processingScore(device)
        if Int(device.runningLaunches) >= parameters.groupLimit {
            // This veto has a score, which determines the order of the next launches.
            return .wait(.groupLimit, or: .launchEnded, score: score)
        }
        let threshold = threshold(request, at: device.now)
        if score >= threshold { return .proceed(.scored, score: score, threshold: threshold) }
        let until = min(crossing(request, score: score), device.now + parameters.rescoring)
        return .wait(.belowThreshold, until: until, or: helpful(device), score: score, threshold: threshold)
    }

    // MARK: The threshold

    /// The needed score, which falls linearly from the earliest begin of the request to its deadline.
    func threshold(_ request: RequestView, at now: SimTime) -> Double {
        let life = request.deadline - request.earliestBegin
        guard life > .zero else { return parameters.thresholdEnd }
        let age = min(1, max(0, (now - request.earliestBegin) / life))
        return parameters.thresholdStart + (parameters.thresholdEnd - parameters.thresholdStart) * age
    }

    /// When the threshold falls to a given score.
    private func crossing(_ request: RequestView, score: Double) -> SimTime {
        let fall = parameters.thresholdStart - parameters.thresholdEnd
        guard fall > 0 else { return request.deadline }
        let age = (parameters.thresholdStart - score) / fall
        guard age < 1 else { return request.deadline }
        // One microsecond more, so that rounding does not affect the comparison.
        return request.earliestBegin + (request.deadline - request.earliestBegin) * max(0, age) + .milliseconds(0.001)
    }

    /// Changes that would raise the score.
    private func helpful(_ device: DeviceConditions) -> ConditionChanges {
        var changes: ConditionChanges = []
        if !device.pluggedIn { changes.insert(.pluggedIn) }
        if device.network != .wifi { changes.insert(.wifiJoined) }
        return changes
    }

    // MARK: Scores

    private func refreshScore(_ request: RequestView, _ device: DeviceConditions) -> Double {
        let weights = parameters.weights
        var score = WeightedScore()
        score.add(useScore(request), weight: weights.application)
        // The score is 0.25 while the phone is in use, as for the push launch in the ably-flutter log.
        score.add(device.screenOn ? 0.25 : 1, weight: weights.deviceActivity)
        score.add(networkScore(device), weight: weights.network)
        addCommon(to: &score, device)
        score.fill(to: weights.refreshTotal)
        return score.mean
    }

    private func processingScore(_ device: DeviceConditions) -> Double {
        var score = WeightedScore()
        score.add(idleScore(device), weight: parameters.weights.deviceActivity)
        addCommon(to: &score, device)
        score.fill(to: parameters.weights.processingTotal)
        return score.mean
    }

    /// Score of the likelihood of use; 1 from `fullLikelihood` on.
    func useScore(_ request: RequestView) -> Double {
        parameters.fullLikelihood > 0 ? min(1, request.openLikelihood / parameters.fullLikelihood) : 1
    }

    /// Score of the network, one half on cellular; assumption.
    func networkScore(_ device: DeviceConditions) -> Double { device.network == .wifi ? 1 : 0.5 }

    /// Score of an idle device: 0.05 at once (cocoa#644), and 1 an hour later, which is an assumption.
    func idleScore(_ device: DeviceConditions) -> Double {
        let idle = (device.now - device.lockedSince - parameters.idle) / .hour
        return min(1, max(0.05, idle))
    }

    private func addCommon(to score: inout WeightedScore, _ device: DeviceConditions) {
        let weights = parameters.weights
        // The score is one half if the next higher level is a veto; assumption.
        score.add(device.pressure == .normal ? 1 : 0.5, weight: weights.memory)
        score.add(device.thermalLevel == 0 ? 1 : 0.5, weight: weights.thermal)
        score.add(1, weight: weights.processor)
        score.add(1, weight: weights.herd)
        score.add(device.pluggedIn ? 1 : device.batteryLevel, weight: weights.battery)
        score.add(1, weight: weights.group)
    }
}
