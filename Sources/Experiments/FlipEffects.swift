// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import PhoneCore
import Quantities
import Vocabulary

/// Effects of a flipped decision: single differences, and the total for each app.
public struct FlipEffects: Sendable {
    /// Event that happens in only one branch, or differs between the branches.
    public struct Step: Sendable, Equatable {
        /// Instant of the event.
        public let time: SimTime
        /// Description of the event as it happens in the flipped branch.
        public let text: String
    }

    /// Effect on one app, flipped minus original.
    public struct Cost: Sendable, Equatable {
        /// Name of the app.
        public let app: String
        /// Number of kills by jetsam.
        public var kills = 0
        /// Number of the user's opens that need a warm or cold launch.
        public var relaunches = 0
        /// Time that the user waits for the app, in seconds.
        public var waitSeconds = 0.0
        /// Number of runs in the background.
        public var runs = 0
    }

    /// Differences between the branches in order of time.
    public let steps: [Step]
    /// Effects on the apps that differ, with the largest change of the waiting time first.
    public let costs: [Cost]
    /// Additional energy of the flipped branch until the end, in joules.
    public let joules: Double

    /// The sum over all apps.
    public var sum: Cost {
        costs.reduce(into: Cost(app: "all")) { sum, cost in
            sum.kills += cost.kills
            sum.relaunches += cost.relaunches
            sum.waitSeconds += cost.waitSeconds
            sum.runs += cost.runs
        }
    }

    /// Compares the branches of a flip.
    public init(_ study: FlipStudy, names: [String]) { self.init(study.original, study.flipped, names: names) }

    init(_ original: FlipStudy.Branch, _ flipped: FlipStudy.Branch, names: [String]) {
        let comparison = BranchComparison(original, flipped, names: names)
        steps = comparison.inOrder
        // Apps with equal changes are ordered by index, so that the order is unique.
        costs = comparison.costs.filter { $0.value != Cost(app: $0.value.app) }.sorted {
            let (left, right) = (abs($0.value.waitSeconds), abs($1.value.waitSeconds))
            return left == right ? $0.key < $1.key : left > right
        }.map(\.value)
        joules = flipped.joules - original.joules
    }

    /// Differences between two branches in order of time.
    static func steps(from original: FlipStudy.Branch, to other: FlipStudy.Branch, names: [String]) -> [Step] {
        BranchComparison(original, other, names: names).inOrder
    }
}

/// Collects the differences between two branches.
private struct BranchComparison {
    let names: [String]
    var steps: [FlipEffects.Step] = []
    var costs: [Int32: FlipEffects.Cost] = [:]

    init(_ original: FlipStudy.Branch, _ other: FlipStudy.Branch, names: [String]) {
        self.names = names
        compareKills(original.kills, other.kills)
        compareOpens(original.opens, other.opens)
        compareRuns(original.runs, other.runs)
    }

    var inOrder: [FlipEffects.Step] { steps.sorted { ($0.time, $0.text) < ($1.time, $1.text) } }

    private func name(_ app: AppID) -> String {
        RowNames(apps: names).name(of: app)
    }

    private mutating func change(_ app: AppID, _ body: (inout FlipEffects.Cost) -> Void) {
        var cost = costs[app.index] ?? FlipEffects.Cost(app: name(app))
        body(&cost)
        costs[app.index] = cost
    }

    /// Compares kills.
    ///
    /// Kills of one app at one instant count as the same kill in both branches.
    private mutating func compareKills(_ original: [EventRow], _ flipped: [EventRow]) {
        struct Key: Hashable { let app: Int32, time: SimTime }
        func key(_ row: EventRow) -> Key { Key(app: row.app.index, time: row.time) }
        let (before, after) = (Set(original.map(key)), Set(flipped.map(key)))
        for row in original where !after.contains(key(row)) {
            steps.append(.init(time: row.time, text: "\(name(row.app)) is not killed (\(row.reason?.name ?? ""))"))
            change(row.app) { $0.kills -= 1 }
        }
        for row in flipped where !before.contains(key(row)) {
            let size = Figures.short(row.footprintMiB, digits: 3)
            let text = "\(name(row.app)) is killed (\(row.reason?.name ?? ""), band \(row.band), \(size) MiB)"
            steps.append(.init(time: row.time, text: text))
            change(row.app) { $0.kills += 1 }
        }
    }

    /// Compares opens; the user opens the same apps in the same order in both branches.
    private mutating func compareOpens(_ original: [EventRow], _ flipped: [EventRow]) {
        let after = Dictionary(grouping: flipped, by: \.app.index)
        for (app, before) in Dictionary(grouping: original, by: \.app.index) {
            for (old, new) in zip(before, after[app] ?? []) where old.launchKind != new.launchKind {
                let gain = old.delaySeconds - new.delaySeconds
                let size = Figures.rough(abs(gain))
                let pace = size == "0" ? "as soon" : "\(size) s \(gain >= 0 ? "sooner" : "later")"
                let text = "\(name(new.app)) \(Self.words(new)) instead of \(Self.noun(old)): \(pace)"
                steps.append(.init(time: new.time, text: text))
            }
            let id = AppID(Int(app))
            let (old, new) = (Self.sum(before), Self.sum(after[app] ?? []))
            change(id) {
                $0.relaunches += new.relaunches - old.relaunches
                $0.waitSeconds += new.wait - old.wait
            }
        }
    }

    private static func sum(_ opens: [EventRow]) -> (relaunches: Int, wait: Double) {
        (opens.count { $0.launchKind != .resume }, opens.reduce(0) { $0 + $1.delaySeconds })
    }

    private static func words(_ row: EventRow) -> String {
        switch row.launchKind {
        case .resume: "resumes"
        case .warm: "launches warm"
        default: "launches cold"
        }
    }

    private static func noun(_ row: EventRow) -> String {
        switch row.launchKind {
        case .resume: "resuming"
        case .warm: "a warm launch"
        default: "a cold launch"
        }
    }

    /// Compares runs.
    ///
    /// Runs of the same work with the same app and start count as the same run in both branches.
    private mutating func compareRuns(_ original: [RequestRow], _ flipped: [RequestRow]) {
        struct Key: Hashable { let app: Int32, work: UInt8, time: SimTime }
        func key(_ row: RequestRow) -> Key { Key(app: row.app.index, work: row.work.rawValue, time: row.started) }
        let (before, after) = (Set(original.map(key)), Set(flipped.map(key)))
        for row in original where !after.contains(key(row)) {
            steps.append(.init(time: row.started, text: "\(row.work.name) of \(name(row.app)) does not run"))
            change(row.app) { $0.runs -= 1 }
        }
        for row in flipped where !before.contains(key(row)) {
            steps.append(.init(time: row.started, text: "\(row.work.name) of \(name(row.app)) runs"))
            change(row.app) { $0.runs += 1 }
        }
    }
}
