// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Measures
import Phone
import PhoneCore
import Quantities
import Scenario
import Statistics
import Synchronization
import Vocabulary

/// Results of one app in every replication of an experiment, under one policy.
///
/// The runs have the app as declared and, if requested, the app with one change at a time.
public struct AppStudy: Sendable {
    /// Runs with one change, for the same users.
    public struct Trial: Sendable {
        /// Change that was made.
        public let change: AppChange
        /// Results of the app, one set per replication.
        public let facts: [AppFacts]
    }

    /// The experiment.
    public let experiment: Experiment
    /// The app's name.
    public let app: String
    /// The app as declared.
    public let model: AppModel
    /// Name of the policy pair with which the runs were made.
    public let policy: String
    /// Results of the app as declared, one set per replication.
    public let facts: [AppFacts]
    /// Results of each change, without the other changes; empty when no changes were requested.
    public let trials: [Trial]
    /// Texts of the rules that the scheduling policy of the runs declares.
    let rules: [RuleText]
    private let requests: [MetricRequest]

    /// Runs every replication at the experiment's first sweep point.
    ///
    /// - Parameters:
    ///   - app: Name of the app; nil for the experiment's own app.
    ///   - policy: Index of the policy pair; nil for the baseline.
    ///   - replications: Number of replications; nil for the experiment's minimum.
    ///   - variant: Loads the experiment with the additional settings of a change; if nil, no changes are tried.
    ///   - progress: Receives the number of finished runs, in ascending order, and the number of all runs.
    /// - Throws: `Diagnostics` when the app does not exist, or when no app is named and the experiment has none of its
    ///   own.
    public init(
        _ experiment: Experiment, app named: String? = nil, policy chosen: Int? = nil, replications: Int? = nil,
        variant: AppChange.Variant? = nil, progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
    ) throws(Diagnostics) {
        let point = experiment.points[0]
        guard let app = named ?? experiment.app, let index = point.apps.firstIndex(where: { $0.name == app }) else {
            throw Diagnostics(
                "\(experiment.path) does not name the app to study",
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
        let changes = variant.map { AppChange.all(of: point.apps[index], on: point.device, $0) } ?? []
        let total = (1 + changes.count) * count
        let done = Mutex(0)
        let all = inParallel(total) { number in
            let change = number < count ? nil : changes[number / count - 1]
            var run = (change?.experiment ?? experiment).specification(
                point: 0, policy: policy, replication: number % count)
            run.appMetrics = requests.map { AppMetric(metric: $0.metric, app: AppID(index)) }
            change?.apply(&run.apps[index])
            let facts = AppFacts(of: AppID(index), in: run, metrics: requests)
            done.withLock {
                $0 += 1
                progress($0, total)
            }
            return facts
        }
        facts = Array(all[..<count])
        trials = changes.enumerated().map { number, change in
            Trial(change: change, facts: Array(all[(number + 1) * count..<(number + 2) * count]))
        }
    }

    /// The values of a metric of the app, one per replication.
    func values(_ metric: String, _ facts: [AppFacts]) -> [Double] {
        facts.map { $0.metrics["\(metric)(app=\(app))"] ?? .nan }
    }

    /// Effect of each change on a metric of the app, corrected for the number of changes.
    ///
    /// The result is nil if the app has no such metric. A comparison is nil if no replication has both values.
    func effects(on metric: String) -> (entry: MetricList.Entry, changes: [PairedComparison?])? {
        let list = MetricList(MetricCatalog.catalogue, ofApps: requests)
        guard let index = list.index(of: "\(metric)(app=\(app))") else { return nil }
        let (entry, base) = (list.entries[index], values(metric, facts))
        let changed = trials.map { values(metric, $0.facts) }
        let paired = changed.map { other -> PairedComparison? in
            let pairs = zip(base, other).filter { $0.isFinite && $1.isFinite }
            if pairs.isEmpty { return nil }
            return PairedComparison((pairs.map(\.0), pairs.map(\.1)), of: entry, level: experiment.analysis.level)
        }
        let differences = changed.map { zip(base, $0).map { PairedComparison.change(from: $0, to: $1) } }
        let flips = SignFlips(differences, level: experiment.analysis.level)
        return (entry, paired.map { $0?.reaching(standardErrors: flips.reach) })
    }
}

/// Results of one run for one app.
public struct AppFacts: Sendable {
    /// One stay in the background, which begins when the app leaves the screen.
    public struct Stay: Sendable {
        /// Time until the app was killed, was opened again or ended in another way, in seconds.
        public let seconds: Double
        /// Whether jetsam ended the stay.
        public let isKilled: Bool
    }

    /// Reason for the end of a process.
    public enum Death: Hashable, Sendable {
        /// Jetsam killed the process.
        case kill(KillReason)
        /// The process ended in another way.
        case exit(ExitCategory)
    }

    /// Values of the metrics of the app and of the whole phone, by name.
    public let metrics: [String: Double]
    /// Stays in the background that began after the warm-up.
    public let stays: [Stay]
    /// Number of exits of the app's process after the warm-up, by kind of death.
    public let deaths: [Death: Int]
    /// Reason that delayed the app's refresh longest, for each night.
    ///
    /// Nil for a night with a refresh.
    public let nights: [String?]
    /// Outcomes of the app's refresh requests by day (6:00 to 22:00) and at night.
    public let refreshes: (day: RefreshCounts, night: RefreshCounts)
    /// Delay of each silent push that the app received, in seconds.
    public let pushDelays: [Double]
    /// Number of silent pushes that were sent to the app.
    public let pushesSent: Int
    /// Energy that the app took from the battery; nil if the run did not record it.
    public let energy: WatchedEnergy?

    /// Outcomes of refresh requests.
    public struct RefreshCounts: Sendable, Equatable {
        /// Number of submitted requests, including refused ones.
        public var asked = 0
        /// Number of started requests.
        public var ran = 0
        /// Number of requests that were refused at submission.
        public var refused = 0
        /// Number of requests that a newer request of the app replaced before their start.
        public var replaced = 0
    }

    /// Start and end of the night, in hours since the midnight before its start.
    ///
    /// Phones are then mostly idle and charging.
    static let night = (from: 22.0, to: 30.0)
    /// Name of the reason for a night in which the user's setting for background refresh was off.
    static let switchedOff = "switched-off"

    /// Simulates a run and collects the results of the app.
    init(of app: AppID, in run: RunSpecification, metrics: [MetricRequest]) {
        var run = run
        run.tables = StoryRecorder.tables
        run.watchedApp = app
        let recorder = AppRecorder(app: app)
        let outcome = simulate(run, sink: recorder)
        let list = MetricList(MetricCatalog.catalogue, ofApps: metrics)
        energy = outcome.energy
        self.metrics = Dictionary(uniqueKeysWithValues: zip(list.names, outcome.metrics))
        let warm = SimTime.zero + run.warmup
        let end = SimTime.zero + run.duration
        stays = recorder.stays(from: warm, end: end)
        deaths = recorder.deaths(from: warm)
        refreshes = Self.refreshes(recorder.story.requests, from: warm)
        nights = Self.nights(recorder.story, app, RefreshSwitch(of: app, in: run), from: warm, to: end)
        let pushes = recorder.story.requests.filter { $0.work == .silentPush && $0.submitted >= warm }
        pushesSent = pushes.count
        pushDelays = pushes.filter { $0.started != .distantFuture }.map { ($0.started - $0.submitted).seconds }
    }

    private static func refreshes(
        _ rows: [RequestRow], from warm: SimTime
    ) -> (day: RefreshCounts, night: RefreshCounts) {
        var (day, dark) = (RefreshCounts(), RefreshCounts())
        func count(_ time: SimTime, _ key: WritableKeyPath<RefreshCounts, Int>) {
            let hour = (time - (SimTime.zero + .days(Double(time.day)))).seconds / 3600
            if hour >= night.from || hour < night.to - 24 { dark[keyPath: key] += 1 } else { day[keyPath: key] += 1 }
        }
        for row in rows where row.work == .refresh && row.submitted >= warm {
            count(row.submitted, \.asked)
            if row.started != .distantFuture { count(row.started, \.ran) }
            if row.outcome == "refused" { count(row.submitted, \.refused) }
            if row.outcome == "replaced" { count(row.submitted, \.replaced) }
        }
        return (day, dark)
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

/// Records the story of one app, and the times at which the app left the screen and returned.
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

    /// Number of exits of the process, by cause.
    func deaths(from warm: SimTime) -> [AppFacts.Death: Int] {
        var deaths: [AppFacts.Death: Int] = [:]
        for row in moves where row.event == .exit && row.time >= warm {
            deaths[row.reason.map { .kill($0) } ?? .exit(row.exit ?? .normal), default: 0] += 1
        }
        return deaths
    }

    /// Stays in the background; a stay at the end of the run counts as not killed.
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
