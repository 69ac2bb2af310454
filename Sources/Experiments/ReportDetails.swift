// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Measures
import Phone
import PhoneCore
import Quantities
import Recording
import Scenario
import Vocabulary

/// Details for a report page that the tables do not contain; some runs are repeated to obtain them.
///
/// The details are hours of the phone, kills by reason with the number of regretted ones, and hours of the experiment's
/// own apps.
public struct ReportDetails: Sendable {
    /// Kill of an app after the warm-up.
    struct Kill: Sendable {
        let app: Int
        let time: SimTime
        let reason: KillReason
        /// Whether the user opened the app so soon after the kill that it counts as regretted.
        var isRegretted = false
    }

    /// Details of one run, from the end of the warm-up on.
    struct Facts: Sendable {
        var hours: [DeviceHourRow] = []
        var kills: [Kill] = []
        /// Opens and refreshes of the apps that have their own metrics.
        var opens: [(app: Int, time: SimTime)] = []
        var refreshes: [(app: Int, time: SimTime)] = []
    }

    private let plan: Plan
    private let experiment: Experiment
    private let runs: [PlannedRun]
    private let facts: [Facts]
    /// Indices of the apps that have their own metrics.
    private let apps: [Int]

    /// Repeats runs of a directory: the first replications of every policy at the first sweep point.
    ///
    /// - Throws: `Diagnostics` when the experiment is missing or has changed, or when no such run is finished. It
    ///   throws `NonDeterminism` when a run differs from the stored one.
    public init(_ path: String, replications: Int, policies: PolicyCatalog) throws {
        let first = try RunReplay(path + "#0", policies: policies)
        plan = first.plan
        experiment = first.experiment
        let names = experiment.points[0].apps.map(\.name)
        let asked = Set(plan.metrics.ofApps.compactMap(\.app) + [experiment.app].compactMap { $0 })
        apps = names.indices.filter { asked.contains(names[$0]) }
        let plan = plan
        let users = (0..<plan.replications).map { replication in
            plan.policies.indices.map { plan.run(replication: replication, point: 0, policy: $0) }
        }
        // Only users with runs under all policies are used, so that every policy has the same users.
        let whole = users.filter { $0.allSatisfy { first.sibling($0).stored != nil } }
        runs = Array(whole.prefix(replications).joined())
        let runs = runs
        guard !runs.isEmpty else {
            throw Diagnostics(
                "\(path) contains no user with runs of this build under every policy",
                hint: "flotsam run makes these runs again")
        }
        let specifications = runs.map { first.sibling($0).specification }
        let mine = apps
        let found = inParallel(runs.count) { index in
            var run = specifications[index]
            run.tables = DetailRecorder.tables
            let recorder = DetailRecorder(run, apps: mine)
            return (simulate(run, sink: recorder), recorder.facts)
        }
        for (run, found) in zip(runs, found) { try first.sibling(run).hold(found.0) }
        facts = found.map(\.1)
    }

    /// The details as JSON, for the program that draws the page.
    public var json: JSONValue {
        .object([
            "replications": .integer(Set(runs.map(\.replication)).count), "runs": .integer(runs.count),
            "days": .number((experiment.duration - experiment.warmup) / .day), "hours": table(Self.hours(_:)),
            "kills": table(killRows), "apps": table(appRows),
        ])
    }

    private func table(_ rows: (Facts) -> [[String: JSONValue]]) -> JSONValue {
        .array(
            zip(runs, facts).flatMap { run, facts in
                rows(facts).map { row in
                    .object(
                        row.merging([
                            "policy": .string(plan.policies[run.policy].name), "replication": .integer(run.replication),
                        ]) { own, _ in own })
                }
            })
    }

    private static func hours(_ facts: Facts) -> [[String: JSONValue]] {
        facts.hours.map { hour in
            [
                "hour": .integer(hour.hour), "battery_pct": .number(hour.batteryPercent),
                "kills": .integer(hour.kills), "wired_mib": .number(hour.wiredMiB),
                "system_mib": .number(hour.systemMiB), "screen_mib": .number(hour.screenMiB),
                "background_mib": .number(hour.backgroundMiB), "suspended_mib": .number(hour.suspendedMiB),
                "compressor_mib": .number(hour.compressorMiB), "cached_mib": .number(hour.cachedMiB),
            ]
        }
    }

    private func killRows(_ facts: Facts) -> [[String: JSONValue]] {
        KillReason.allCases.compactMap { reason in
            let kills = facts.kills.filter { $0.reason == reason }
            guard !kills.isEmpty else { return nil }
            return [
                "reason": .string(reason.name), "sentence": .string(reason.sentence), "kills": .integer(kills.count),
                "regretted": .integer(kills.count(where: \.isRegretted)),
            ]
        }
    }

    private func appRows(_ facts: Facts) -> [[String: JSONValue]] {
        apps.flatMap { app in
            (0..<24).map { hour in
                func count(_ times: [(app: Int, time: SimTime)]) -> JSONValue {
                    .integer(times.count { $0.app == app && $0.time.hour % 24 == hour })
                }
                return [
                    "app": .string(experiment.points[0].apps[app].name), "hour": .integer(hour),
                    "kills": count(facts.kills.map { ($0.app, $0.time) }), "opens": count(facts.opens),
                    "refreshes": count(facts.refreshes),
                ]
            }
        }
    }
}

/// Collects the details of one run.
private final class DetailRecorder: RowSink {
    static let tables: TableSet = [.events, .requests, .deviceHours]

    private(set) var facts = ReportDetails.Facts()
    private let begin: SimTime
    private let count: Int
    private let apps: [Int]
    /// Last kill of each app, unless the app was launched or opened since.
    private var open: [Int?]

    init(_ run: RunSpecification, apps: [Int]) {
        begin = .zero + run.warmup
        count = run.apps.count
        self.apps = apps
        open = Array(repeating: nil, count: count)
    }

    func write<Row>(_ row: Row, to table: Table<Row>) {
        switch row {
        case let row as DeviceHourRow where SimTime.zero + .hours(Double(row.hour)) >= begin: facts.hours.append(row)
        case let row as EventRow: add(row)
        case let row as RequestRow
        where row.work == .refresh && row.outcome == "success" && row.ended >= begin
            && apps.contains(Int(row.app.index)):
            facts.refreshes.append((Int(row.app.index), row.ended))
        default: break
        }
    }

    private func add(_ row: EventRow) {
        let app = Int(row.app.index)
        guard app >= 0, app < count else { return }
        if row.event == .exit {
            open[app] = nil
            guard let reason = row.reason, row.time >= begin else { return }
            open[app] = facts.kills.count
            facts.kills.append(.init(app: app, time: row.time, reason: reason))
        } else if row.launchKind != nil, row.delaySeconds.isFinite {
            if let kill = open[app], row.time - facts.kills[kill].time <= EventRow.regret {
                facts.kills[kill].isRegretted = true
            }
            open[app] = nil
            if row.time >= begin, apps.contains(app) { facts.opens.append((app, row.time)) }
        } else if row.event == .launch {
            open[app] = nil
        }
    }
}
