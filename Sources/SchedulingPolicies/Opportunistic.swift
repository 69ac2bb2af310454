import Quantities
import Vocabulary

/// Vetoes first, then a weighted mean against a bar that falls as the deadline nears: after Apple's dasd.
///
/// Vetoes, weights and the rule of the mean come from public logs of dasd (ably-flutter README, cocoa-mhlw/cocoa#644,
/// flutterfire#13073) and Apple's WWDC20 session 10063; where the bar stands and how it falls is not public.
public struct Opportunistic: SchedulingPolicy {
    /// What can be set in brackets behind the name; the entry holds defaults and sources.
    public struct Parameters: Sendable {
        /// Score needed at the floor of a request.
        public var thresholdStart = 0.8
        /// Score needed at its deadline.
        public var thresholdEnd = 0.4
        /// Shortest time between two refreshes of an app.
        public var spacing = SimDuration.minutes(15)
        /// Likelihood of use at and above which the use score is 1.
        public var fullLikelihood = 0.1
        /// Time since locking after which processing may run.
        public var idle = SimDuration.minutes(5)
        /// Background launches at once.
        public var groupLimit = 2
        /// Battery level below which nothing runs off the charger.
        public var criticalLevel = 0.2
        /// Time between two looks at a request below the bar.
        public var rescoring = SimDuration.minutes(30)
        /// Time without an open after which an app gets nothing.
        public var forgotten = SimDuration.days(7)
        /// Whether processing may run off the charger.
        public var processingOnBattery = false

        /// Creates the defaults.
        public init() {}
    }

    /// Weights printed in the logs; those of the totals stand for policies that were not printed.
    enum Weight {
        static let application = 50.0
        static let network = 8.4
        static let deviceActivity = 5.0
        static let memory = 5.0
        static let processor = 5.0
        static let thermal = 5.0
        static let herd = 1.0
        static let battery = 1.0
        static let group = 0.5
        /// Sum of weights of a push launch (ably-flutter README), taken for refreshes.
        static let refreshTotal = 97.02
        /// Sum of weights of a processing task (cocoa#644); neither use nor network enter it.
        static let processingTotal = 29.61
    }

    let parameters: Parameters

    /// Creates the policy.
    public init(_ parameters: Parameters = Parameters()) { self.parameters = parameters }

    /// Lets a veto speak, and otherwise compares the score with the bar.
    public func decide(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision {
        if let veto = request.kind == .refresh ? refreshVeto(request, device) : processingVeto(request, device) {
            return veto
        }
        if let veto = commonVeto(request, device) { return veto }
        let score = request.kind == .refresh ? refreshScore(request, device) : processingScore(device)
        if Int(device.runningLaunches) >= parameters.groupLimit {
            // A veto that brings its score along: it decides who gets the next free place.
            return .wait(.groupLimit, or: .launchEnded, score: score)
        }
        let threshold = threshold(request, at: device.now)
        if score >= threshold { return .proceed(.scored, score: score, threshold: threshold) }
        let until = min(crossing(request, score: score), device.now + parameters.rescoring)
        return .wait(.belowThreshold, until: until, or: helpful(device), score: score, threshold: threshold)
    }

    // MARK: The bar

    /// The score needed: it falls in a straight line from the floor of the request to its deadline.
    func threshold(_ request: RequestView, at now: SimTime) -> Double {
        let life = request.deadline - request.earliestBegin
        guard life > .zero else { return parameters.thresholdEnd }
        let age = min(1, max(0, (now - request.earliestBegin) / life))
        return parameters.thresholdStart + (parameters.thresholdEnd - parameters.thresholdStart) * age
    }

    /// When the bar comes down to this score.
    private func crossing(_ request: RequestView, score: Double) -> SimTime {
        let fall = parameters.thresholdStart - parameters.thresholdEnd
        guard fall > 0 else { return request.deadline }
        let age = (parameters.thresholdStart - score) / fall
        guard age < 1 else { return request.deadline }
        // A microsecond later the comparison is beyond rounding.
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
        var score = WeightedScore()
        let likelihood = request.openLikelihood
        score.add(
            parameters.fullLikelihood > 0 ? min(1, likelihood / parameters.fullLikelihood) : 1,
            weight: Weight.application)
        // In use: 0.25, as the push launch in the ably-flutter log.
        score.add(device.screenOn ? 0.25 : 1, weight: Weight.deviceActivity)
        // Half marks on cellular; assumption.
        score.add(device.network == .wifi ? 1 : 0.5, weight: Weight.network)
        addCommon(to: &score, device)
        score.fill(to: Weight.refreshTotal)
        return score.mean
    }

    private func processingScore(_ device: DeviceConditions) -> Double {
        var score = WeightedScore()
        // 0.05 as soon as the device counts as idle (cocoa#644); 1 after an hour more, which is an assumption.
        let idle = (device.now - device.lockedSince - parameters.idle) / .hour
        score.add(min(1, max(0.05, idle)), weight: Weight.deviceActivity)
        addCommon(to: &score, device)
        score.fill(to: Weight.processingTotal)
        return score.mean
    }

    private func addCommon(to score: inout WeightedScore, _ device: DeviceConditions) {
        // One half where the next level up is a veto; assumption.
        score.add(device.pressure == .normal ? 1 : 0.5, weight: Weight.memory)
        score.add(device.thermalLevel == 0 ? 1 : 0.5, weight: Weight.thermal)
        score.add(1, weight: Weight.processor)
        score.add(1, weight: Weight.herd)
        score.add(device.pluggedIn ? 1 : device.batteryLevel, weight: Weight.battery)
        score.add(1, weight: Weight.group)
    }
}
