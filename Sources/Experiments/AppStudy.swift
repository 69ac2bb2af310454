// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Measures
import Phone
import PhoneCore
import Quantities
import Scenario
import Statistics
import Vocabulary

/// What becomes of one app in every replication of an experiment, under one policy: as it is declared, and, when that
/// is asked, with half its footprint.
public struct AppStudy: Sendable {
    /// The experiment.
    public let experiment: Experiment
    /// The app's name.
    public let app: String
    /// The app as it is declared.
    public let model: AppModel
    /// Name of the policies under which it was run.
    public let policy: String
    /// One set of facts per replication.
    public let facts: [AppFacts]
    /// The same users with half the footprint; empty when that was not asked.
    public let halved: [AppFacts]
    /// The rules that its scheduling policy declares itself.
    let rules: [RuleText]
    private let requests: [MetricRequest]

    /// Runs every replication, at the experiment's first sweep point.
    ///
    /// - Parameters:
    ///   - app: Name of the app; the one that the experiment is about when nil.
    ///   - policy: Index of the policies; the baseline when nil.
    ///   - replications: How many; the least number of the experiment when nil.
    ///   - halves: Whether to run everything again with half the footprint.
    /// - Throws: `Diagnostics` when there is no such app, or the experiment is about none.
    public init(
        _ experiment: Experiment, app named: String? = nil, policy chosen: Int? = nil, replications: Int? = nil,
        halves: Bool = true
    ) throws(Diagnostics) {
        let point = experiment.points[0]
        guard let app = named ?? experiment.app, let index = point.apps.firstIndex(where: { $0.name == app }) else {
            throw Diagnostics(
                "\(experiment.path) is about no app",
                hint: "add app: {name: myapp, footprint: 400 MiB, opened: 6 / d}, or begin with flotsam new --app")
        }
        self.experiment = experiment
        self.app = app
        model = point.apps[index]
        let policy = chosen ?? experiment.baselineIndex
        self.policy = experiment.policies[policy].name
        rules = experiment.policies[policy].schedulingRules
        let count = replications ?? experiment.replicationRule.minimum
        let catalogue = MetricCatalog.catalogue
        let requests = catalogue.metrics.indices.filter { catalogue.metrics[$0].isOfApps }.map {
            MetricRequest(metric: $0, app: app)
        }
        self.requests = requests
        let all = inParallel(halves ? 2 * count : count) { number in
            var run = experiment.specification(point: 0, policy: policy, replication: number % count)
            run.appMetrics = requests.map { AppMetric(metric: $0.metric, app: AppID(index)) }
            if number >= count {
                run.apps[index].foregroundFootprint = run.apps[index].foregroundFootprint * 0.5
                run.apps[index].backgroundFootprint = run.apps[index].backgroundFootprint * 0.5
            }
            return AppFacts(of: AppID(index), in: run, metrics: requests)
        }
        facts = Array(all[..<count])
        halved = Array(all[count...])
    }

    /// The values of a metric of the app, one per replication.
    func values(_ metric: String, _ facts: [AppFacts]) -> [Double] {
        facts.map { $0.metrics["\(metric)(app=\(app))"] ?? .nan }
    }

    /// What half the footprint changes in a metric of the app, no pair where no replication has both values; nil when
    /// the app has no such metric.
    func halving(_ metric: String) -> (paired: PairedComparison?, entry: MetricList.Entry)? {
        let list = MetricList(MetricCatalog.catalogue, ofApps: requests)
        guard let index = list.index(of: "\(metric)(app=\(app))") else { return nil }
        let pairs = zip(values(metric, facts), values(metric, halved)).filter { $0.isFinite && $1.isFinite }
        let entry = list.entries[index]
        guard !pairs.isEmpty else { return (nil, entry) }
        return (PairedComparison((pairs.map(\.0), pairs.map(\.1)), of: entry, level: experiment.analysis.level), entry)
    }
}

/// What one run says about one app.
public struct AppFacts: Sendable {
    /// One stay in the background, from leaving the screen on.
    public struct Stay: Sendable {
        /// How long until it was killed, opened again or ended otherwise, in seconds.
        public let seconds: Double
        /// Whether jetsam ended it.
        public let isKilled: Bool
    }

    /// Why a process ended.
    public enum Death: Hashable, Sendable {
        /// Jetsam killed it.
        case kill(KillReason)
        /// It ended otherwise.
        case exit(ExitCategory)
    }

    /// The values of the app's metrics, and of those of the whole phone, by their names.
    public let metrics: [String: Double]
    /// Stays in the background that began after the warm-up.
    public let stays: [Stay]
    /// How often its process ended after the warm-up, by cause.
    public let deaths: [Death: Int]
    /// For each night what held the app's refresh back longest; nil where one ran.
    public let nights: [String?]
    /// How late each silent push that the app got was, in seconds.
    public let pushDelays: [Double]
    /// Silent pushes sent to it.
    public let pushesSent: Int

    /// The night: from this hour of a day to that of the next, when phones lie and charge.
    static let night = (from: 22.0, to: 30.0)
    /// Stands for a switch that the user has set to off.
    static let switchedOff = "switched-off"

    /// Does a run and keeps what concerns the app.
    init(of app: AppID, in run: RunSpecification, metrics: [MetricRequest]) {
        var run = run
        run.tables = StoryRecorder.tables
        let recorder = AppRecorder(app: app)
        let outcome = simulate(run, sink: recorder)
        let list = MetricList(MetricCatalog.catalogue, ofApps: metrics)
        self.metrics = Dictionary(uniqueKeysWithValues: zip(list.names, outcome.metrics))
        let warm = SimTime.zero + run.warmup
        let end = SimTime.zero + run.duration
        stays = recorder.stays(from: warm, end: end)
        deaths = recorder.deaths(from: warm)
        nights = Self.nights(recorder.story, app, RefreshSwitch(of: app, in: run), from: warm, to: end)
        let pushes = recorder.story.requests.filter { $0.work == .silentPush && $0.submitted >= warm }
        pushesSent = pushes.count
        pushDelays = pushes.filter { $0.started != .distantFuture }.map { ($0.started - $0.submitted).seconds }
    }

    private static func nights(
        _ story: StoryRecorder, _ app: AppID, _ setting: RefreshSwitch, from warm: SimTime, to end: SimTime
    ) -> [String?] {
        var nights: [String?] = []
        var day = warm.day
        while true {
            let from = SimTime.zero + .days(Double(day)) + .hours(night.from)
            let to = SimTime.zero + .days(Double(day)) + .hours(night.to)
            guard to <= end else { return nights }
            day += 1
            let tale = RequestStory(story, app: app, kind: .refresh, from: from, to: to)
            if !tale.runs.isEmpty {
                nights.append(nil)
            } else if setting.sentence != nil {
                nights.append(switchedOff)
            } else {
                nights.append(tale.held[0].reason)
            }
        }
    }
}

/// Keeps the story of one app, and when it left the screen and came back.
private final class AppRecorder: RowSink {
    let story: StoryRecorder
    private let app: AppID
    private var moves: [EventRow] = []

    init(app: AppID) {
        self.app = app
        story = StoryRecorder(app: app)
    }

    func write<Row>(_ row: Row, to table: Table<Row>) {
        story.write(row, to: table)
        guard let event = row as? EventRow, event.app == app else { return }
        switch event.event {
        case .enterBackground, .willEnterForeground, .becomeActive, .exit: moves.append(event)
        default: break
        }
    }

    /// How often the process ended, by cause.
    func deaths(from warm: SimTime) -> [AppFacts.Death: Int] {
        var deaths: [AppFacts.Death: Int] = [:]
        for row in moves where row.event == .exit && row.time >= warm {
            deaths[row.reason.map { .kill($0) } ?? .exit(row.exit ?? .normal), default: 0] += 1
        }
        return deaths
    }

    /// The stays in the background; one that the end of the run cuts off counts as not killed.
    func stays(from warm: SimTime, end: SimTime) -> [AppFacts.Stay] {
        var stays: [AppFacts.Stay] = []
        var left: SimTime?
        for row in moves {
            if row.event == .enterBackground {
                left = left ?? row.time
                continue
            }
            guard let since = left else { continue }
            left = nil
            guard since >= warm else { continue }
            stays.append(
                AppFacts.Stay(
                    seconds: (row.time - since).seconds, isKilled: row.event == .exit && row.reason != nil))
        }
        if let left, left >= warm { stays.append(AppFacts.Stay(seconds: (end - left).seconds, isKilled: false)) }
        return stays
    }
}
