// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Phone
import PhoneCore
import Quantities
import Scenario
import Statistics
import Vocabulary

/// Causes of the difference between two policies, over all replications.
///
/// Every user opens the same apps at the same instants under both policies. The study therefore finds each open that is
/// a relaunch under one policy and a resume under the other. It also finds the kill that caused the relaunch.
public struct PolicyContrast: Sendable {
    /// Open that the two policies serve differently.
    public struct Switch: Sendable {
        /// Index of the app.
        public let app: Int
        /// Time of the open, under the first policy.
        public let time: SimTime
        /// Whether the first policy resumes and the other relaunches; false for the reverse.
        public let isSaved: Bool
        /// Waiting time that the first policy saves, in seconds; negative if it adds waiting time.
        public let gain: Double
        /// Reason for which jetsam killed the process before the relaunch; nil when it ended otherwise or never ran.
        public let reason: KillReason?
        /// Band in which the process died; nil without a kill.
        public let band: Int16?
    }

    /// Results of one replication.
    public struct Pair: Sendable {
        /// Opens that differ, in the order of time.
        public let switches: [Switch]
        /// Number of relaunches at instants at which only one policy has an open of the app.
        ///
        /// An example is a second open after the app died on screen. The first number is for the first policy, the
        /// second for the other.
        public let alone: [Int]
        /// Kills of apps by band, first under the first policy, then under the other.
        public let kills: [[Int16: Int]]
        /// Hours for which each rule delayed the refresh requests of all apps, by the rule's name, first under the
        /// first policy.
        public let held: [[String: Double]]
        /// First differences between the two runs.
        public let steps: [FlipEffects.Step]
    }

    /// Name of the first policy.
    public let policy: String
    /// Name of the other policy.
    public let other: String
    /// One pair of runs per replication.
    public let pairs: [Pair]
    /// Number of days after the warm-up.
    public let days: Double
    /// Names of the apps.
    public let names: [String]
    /// Descriptions of the reasons for which requests were delayed.
    public let reasons: ReasonTexts
    let level: Double

    /// Largest number of differences that are kept for each replication.
    private static let mostSteps = 12

    /// Runs every replication at a sweep point under both policies.
    public init(_ experiment: Experiment, policy: Int, against other: Int, replications: Int, point: Int = 0) {
        self.policy = experiment.policies[policy].name
        self.other = experiment.policies[other].name
        days = (experiment.duration - experiment.warmup) / .day
        let names =
            (0..<replications).map { experiment.points[point].processNames(replication: $0) }
            .max { $0.count < $1.count } ?? []
        self.names = names
        level = experiment.analysis.level
        reasons = ReasonTexts(
            ownRules: experiment.policies[policy].schedulingRules + experiment.policies[other].schedulingRules)
        pairs = inParallel(replications) { replication in
            let branches = [policy, other].map { index in
                var run = experiment.specification(point: point, policy: index, replication: replication)
                run.tables = [.events, .requests, .decisions]
                let story = ContrastRecorder()
                _ = simulate(run, sink: story)
                return story
            }
            return Pair(
                branches[0], branches[1], apps: experiment.appCount(point: point, replication: replication),
                names: names,
                from: .zero + experiment.warmup, to: .zero + experiment.duration, mostSteps: Self.mostSteps)
        }
    }

    /// Mean of a number per day over the replications, with its interval.
    public func perDay(_ count: (Pair) -> Double) -> MeanInterval {
        MeanInterval(pairs.map { count($0) / days }, level: level)
    }
}

/// Collects the data of one run for a contrast.
private final class ContrastRecorder: RowSink {
    let branch = BranchRecorder()
    let story = StoryRecorder(app: nil)

    func write<Row>(_ row: Row, to table: Table<Row>) {
        branch.write(row, to: table)
        story.write(row, to: table)
    }
}

extension PolicyContrast.Pair {
    fileprivate init(
        _ mine: ContrastRecorder, _ other: ContrastRecorder, apps: Int, names: [String], from: SimTime, to: SimTime,
        mostSteps: Int
    ) {
        let branches = [mine.branch.branch(.joules(0)), other.branch.branch(.joules(0))]
        let opens = branches.map { Dictionary(grouping: $0.opens, by: \.app.index) }
        let exits = branches.map { branch in
            Dictionary(grouping: branch.events.filter { $0.event == .exit }, by: \.app.index)
        }
        var switches: [PolicyContrast.Switch] = []
        var alone = [0, 0]
        for app in 0..<apps {
            let key = Int32(app)
            for (one, two) in Self.together(opens[0][key] ?? [], opens[1][key] ?? [], from: from) {
                guard let one, let two else {
                    if one.map({ $0.launchKind != .resume }) == true { alone[0] += 1 }
                    if two.map({ $0.launchKind != .resume }) == true { alone[1] += 1 }
                    continue
                }
                let isSaved = one.launchKind == .resume && two.launchKind != .resume
                let isLost = one.launchKind != .resume && two.launchKind == .resume
                guard isSaved || isLost else { continue }
                let loser = isSaved ? 1 : 0
                let relaunch = isSaved ? two : one
                let death = exits[loser][key]?.last { $0.time < relaunch.time }
                switches.append(
                    PolicyContrast.Switch(
                        app: app, time: one.time, isSaved: isSaved, gain: two.delaySeconds - one.delaySeconds,
                        reason: death?.reason, band: death.flatMap { $0.reason == nil ? nil : $0.band }))
            }
        }
        self.switches = switches.sorted { ($0.time, $0.app) < ($1.time, $1.app) }
        self.alone = alone
        kills = branches.map { branch in
            var counts: [Int16: Int] = [:]
            for kill in branch.kills where kill.time >= from && Int(kill.app.index) < apps {
                counts[kill.band, default: 0] += 1
            }
            return counts
        }
        held = [mine, other].map { Self.held($0.story, apps: apps, from: from, to: to) }
        // Kills of system processes are omitted, because they are many and no user notices them.
        let ofApps = branches.map { branch in
            FlipStudy.Branch(
                events: branch.events.filter { (0..<apps).contains(Int($0.app.index)) }, requests: branch.requests,
                joules: branch.joules)
        }
        steps = Array(FlipEffects.steps(from: ofApps[1], to: ofApps[0], names: names).prefix(mostSteps))
    }

    /// Opens of an app under both policies, matched by instant and, within an instant, by order.
    private static func together(_ mine: [EventRow], _ other: [EventRow], from: SimTime) -> [(EventRow?, EventRow?)] {
        var pairs: [(EventRow?, EventRow?)] = []
        var (one, two) = (mine[...], other[...])
        while let instant = [one.first?.time, two.first?.time].compactMap({ $0 }).min() {
            let first = one.first?.time == instant ? one.popFirst() : nil
            let second = two.first?.time == instant ? two.popFirst() : nil
            if instant >= from { pairs.append((first, second)) }
        }
        return pairs
    }

    /// Hours for which each rule delayed refresh requests of all apps.
    private static func held(_ story: StoryRecorder, apps: Int, from: SimTime, to: SimTime) -> [String: Double] {
        var hours: [String: Double] = [:]
        for app in 0..<apps {
            let tale = RequestStory(story, app: AppID(app), kind: .refresh, from: from, to: to)
            for part in tale.held where part.isByRule { hours[part.reason, default: 0] += part.time.seconds / 3600 }
        }
        return hours
    }
}
