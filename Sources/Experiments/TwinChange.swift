// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Measures
import Phone
import PhoneCore
import Quantities
import Scenario
import Statistics
import Vocabulary
import Workload

/// Hypothetical change of the recorded days.
///
/// Examples are `memory=8GiB`, `policy=lru`, `app.com.example.footprint=-30%`, `without com.example` and any setting of
/// the experiment.
public struct TwinChange: Sendable {
    /// Text of the change, as the user wrote it.
    public let text: String
    /// Settings that the change adds to the experiment.
    public private(set) var overrides: [String] = []
    /// Whether runs start without apps in memory, both with the change and without it.
    private(set) var dropsStart = false
    /// Name of the app that the change removes; nil if it removes none.
    private var gone: String?
    /// App, key and value, if the change affects one app.
    private var app: (name: String, key: Key, value: Value)?

    /// Keys of an app that a change can set.
    private enum Key: String, CaseIterable {
        case footprint, load, refresh, launch

        var dimension: Dimension? {
            switch self {
            case .footprint: .bytes
            case .load: nil
            case .refresh, .launch: .time
            }
        }
    }

    /// New value, or factor on the present value.
    private enum Value: Sendable {
        case factor(Double), value(Double)
    }

    /// Setting that removes the recorded start state, because this state only fits a phone with the same memory.
    static let emptyStart = ["device.start_state=null"]

    /// Reads one change, or one change for each of several values, such as `memory=3GiB,4GiB,8GiB`.
    ///
    /// - Parameters:
    ///   - apps: Names of the twin's apps.
    ///   - evictions: Names of the eviction policies, by which the kind of policy in `policy=` is recognized.
    ///   - schedulings: Names of the scheduling policies.
    public static func levels(
        _ text: String, apps: [String], evictions: [String], schedulings: [String]
    ) throws(Diagnostics) -> [TwinChange] {
        let head =
            text.hasPrefix("without ")
            ? 8 : text.firstIndex(of: "=").map { text.distance(from: text.startIndex, to: $0) + 1 }
        let values = parts(text.dropFirst(head ?? text.count))
        guard values.count > 1 else {
            return [try TwinChange(text, apps: apps, evictions: evictions, schedulings: schedulings)]
        }
        var changes: [TwinChange] = []
        for value in values {
            if value.isEmpty { throw problem(text, "has an empty value") }
            let level = text.prefix(head ?? 0) + value
            if changes.contains(where: { $0.text == level }) {
                throw problem(text, "has the value \(value.excerpt) twice")
            }
            changes.append(
                try TwinChange(String(level), apps: apps, evictions: evictions, schedulings: schedulings))
        }
        return changes
    }

    /// Parts of a text between commas; commas in brackets and quotes do not separate parts.
    private static func parts(_ text: Substring) -> [String] {
        var parts = [""]
        var depth = 0
        var isQuoted = false
        for character in text {
            switch character {
            case "\"": isQuoted.toggle()
            case "[", "{", "(": depth += 1
            case "]", "}", ")": depth -= 1
            default: break
            }
            if character == ",", depth <= 0, !isQuoted {
                parts.append("")
            } else if character != " " || parts.last != "" {
                parts[parts.count - 1].append(character)
            }
        }
        return parts
    }

    /// Reads one change.
    ///
    /// - Parameters:
    ///   - apps: Names of the twin's apps.
    ///   - evictions: Names of the eviction policies, by which the kind of policy in `policy=` is recognized.
    ///   - schedulings: Names of the scheduling policies.
    public init(
        _ text: String, apps: [String], evictions: [String], schedulings: [String]
    ) throws(Diagnostics) {
        self.text = text
        if text.hasPrefix("without ") || text.hasPrefix("without=") {
            gone = try Self.known(String(text.dropFirst(8)), among: apps, as: "app", in: text)
            return
        }
        guard let sign = text.firstIndex(of: "=") else { throw Self.problem(text, "has no =") }
        let (key, value) = (String(text[..<sign]), String(text[text.index(after: sign)...]))
        switch key {
        case "memory":
            overrides = ["device.memory.ram=\(value)"] + Self.emptyStart
            dropsStart = true
        case "battery": overrides = ["device.battery.capacity=\(value)"]
        case "policy":
            let name = String(value.prefix { $0 != "[" })
            let isScheduling = schedulings.contains(name) && !evictions.contains(name)
            if !isScheduling { _ = try Self.known(name, among: evictions + schedulings, as: "policy", in: text) }
            overrides = [isScheduling ? "policies.scheduling=\(value)" : "policies.eviction=\(value)"]
        default:
            guard key.hasPrefix("app.") else {
                guard key.contains(".") else { throw Self.problem(text, "is not a known change") }
                overrides = [text]
                return
            }
            try readApp(key.dropFirst(4), value, apps)
        }
    }

    private mutating func readApp(_ path: Substring, _ value: String, _ apps: [String]) throws(Diagnostics) {
        let words = Key.allCases.map(\.rawValue)
        guard let point = path.lastIndex(of: "."), let key = Key(rawValue: String(path[path.index(after: point)...]))
        else { throw Self.problem(text, "must end in one of " + words.joined(separator: ", ")) }
        let name = try Self.known(String(path[..<point]), among: apps, as: "app", in: text)
        let percent = value.hasSuffix("%") ? Double(value.dropLast().filter { $0 != " " }) : nil
        if let percent {
            guard percent > -100, percent <= 10_000 else {
                throw Self.problem(text, "must change by more than -100 % and at most 10000 %")
            }
            app = (name, key, .factor(1 + percent / 100))
            return
        }
        guard let dimension = key.dimension else {
            guard let number = Double(value), (0...16).contains(number) else {
                throw Self.problem(text, "must be a load from 0 to 16")
            }
            app = (name, key, .value(number))
            return
        }
        let amount: Double
        do throws(UnitTextError) {
            amount = try UnitText.parse(value, as: dimension)
        } catch {
            throw Self.problem(text, error.message)
        }
        guard (0...(dimension == .bytes ? 1e12 : SimDuration.longestStated)).contains(amount) else {
            let words = dimension == .bytes ? "size from 0 to 1000 GB" : "time from 0 to 365 d"
            throw Self.problem(text, "must be a \(words)")
        }
        app = (name, key, .value(amount))
    }

    private static func known(
        _ name: String, among names: [String], as what: String, in text: String
    ) throws(Diagnostics) -> String {
        if names.contains(name) { return name }
        throw Diagnostics(
            "--what-if \(text.excerpt): unknown \(what) \"\(name.excerpt)\"",
            hint: nearest(to: name, in: names).map { "did you mean \"\($0)\"?" })
    }

    private static func problem(_ text: String, _ message: String) -> Diagnostics {
        Diagnostics(
            "--what-if \(text.excerpt): \(message)",
            hint: "for instance memory=8GiB, policy=lru, app.com.example.footprint=-30%, 'without com.example'")
    }

    /// Applies the change to the specification of a run.
    func apply(to run: inout RunSpecification) {
        if let gone, let index = run.apps.firstIndex(where: { $0.name == gone }) {
            run.apps[index] = AppModel(name: gone, category: "utility")
        }
        guard let app, let index = run.apps.firstIndex(where: { $0.name == app.name }) else { return }
        func changed(_ old: Double) -> Double {
            switch app.value {
            case .factor(let factor): old * factor
            case .value(let value): value
            }
        }
        func time(_ old: SimDuration) -> SimDuration {
            .seconds(min(changed(old.seconds), SimDuration.longestStated))
        }
        switch app.key {
        case .footprint:
            let old = run.apps[index].foregroundFootprint
            let new = ByteCount(Int64(changed(Double(old.bytes)).rounded()))
            run.apps[index].foregroundFootprint = new
            let factor = Double(new.bytes) / Double(max(1, old.bytes))
            run.apps[index].backgroundFootprint = run.apps[index].backgroundFootprint * factor
        case .load:
            run.apps[index].followsActivityLoad = false
            run.apps[index].foregroundLoad = changed(run.apps[index].foregroundLoad)
        case .refresh: run.apps[index].refreshPeriod = time(run.apps[index].refreshPeriod)
        case .launch: run.apps[index].coldLaunchTime = time(run.apps[index].coldLaunchTime)
        }
    }

    /// Applies the change to the recorded rows: opens of a removed app are replaced.
    func apply(to file: inout WorkloadFile) {
        guard let gone, let app = file.apps.firstIndex(of: gone) else { return }
        for index in file.events.indices where file.events[index].app == app && file.events[index].kind == .open {
            // Instead of the removed app, the user looks at the home screen.
            file.events[index] = WorkloadEvent(.home, at: file.events[index].time)
        }
        file.events.removeAll { $0.app == app }
    }
}

/// Effects of a change on the recorded days.
public struct TwinAnswer: Sendable {
    /// The requested change.
    public let change: TwinChange
    /// Change of each judged metric; nil if no run has both values.
    public let changes: [Change?]
    /// The effects as figures.
    public let figures: [Figure]
    /// Value of each judged metric in the unchanged replay, with its unit; nil if the metric has no value.
    public let replayed: [(mean: Double, unit: String)?]

    /// Judged metrics, with their words in sentences.
    public static let judged: [(metric: String, words: String)] = [
        (metric: "relaunches_per_day", words: "relaunches"), ("cold_launches_per_day", "cold launches"),
        ("launch_wait_s_per_day", "launch wait"), ("kills_per_day", "kills"), ("energy_wh_per_day", "energy"),
        ("content_age_s_mean", "age of content"),
    ]
}

extension Twin {
    /// Effects of changes on the recorded days, compared run by run.
    ///
    /// Intervals are corrected for the number of changes.
    ///
    /// - Parameter variant: Loads the twin's experiment with additional settings.
    public func answers(
        _ changes: [TwinChange], runs count: Int, variant: (_ overrides: [String]) throws(Diagnostics) -> Experiment
    ) throws(Diagnostics) -> [TwinAnswer] {
        let base = try metrics(experiment, nil, runs: count)
        var others: [[[Double]]] = []
        let needsEmpty = model.startText != nil && changes.contains(where: \.dropsStart)
        let empty = needsEmpty ? try metrics(try variant(TwinChange.emptyStart), nil, runs: count) : base
        for change in changes {
            others.append(
                try metrics(change.overrides.isEmpty ? experiment : try variant(change.overrides), change, runs: count))
        }
        let list = MetricList(MetricCatalog.catalogue)
        var answers = changes.map { _ in ([Change?](), [Figure]()) }
        var replayed: [(mean: Double, unit: String)?] = []
        for (name, _) in TwinAnswer.judged {
            guard let index = list.index(of: name) else { continue }
            let entry = list.entries[index]
            let own = base.map { $0[index] }
            let known = own.filter(\.isFinite)
            replayed.append(known.isEmpty ? nil : (known.reduce(0, +) / Double(known.count), entry.unit))
            let owns = changes.map { change in change.dropsStart ? empty.map { $0[index] } : own }
            let all = others.map { runs in runs.map { $0[index] } }
            let flips = SignFlips(
                zip(owns, all).map { zip($0, $1).map { PairedComparison.change(from: $0, to: $1) } },
                level: experiment.analysis.level)
            for (number, other) in all.enumerated() {
                let pairs = zip(owns[number], other).filter { $0.isFinite && $1.isFinite }
                guard !pairs.isEmpty else {
                    answers[number].0.append(nil)
                    continue
                }
                let paired = PairedComparison(
                    (pairs.map(\.0), pairs.map(\.1)), of: entry, level: experiment.analysis.level
                ).reaching(standardErrors: flips.reach)
                answers[number].0.append(Change(paired, entry))
                answers[number].1.append(Figure(name, paired, entry.unit, of: count))
            }
        }
        return zip(changes, answers).map {
            TwinAnswer(change: $0, changes: $1.0, figures: $1.1, replayed: replayed)
        }
    }

    private func metrics(
        _ experiment: Experiment, _ change: TwinChange?, runs count: Int
    ) throws(Diagnostics) -> [[Double]] {
        guard let window = replayed else {
            return inParallel(count) { index in
                var run = experiment.specification(
                    point: 0, policy: experiment.baselineIndex, replication: index)
                change?.apply(to: &run)
                return simulate(run, sink: nil).metrics
            }
        }
        var runner = TwinRunner(experiment: experiment, chargerWatts: model.chargerWatts)
        runner.adjust = { change?.apply(to: &$0) }
        return try runner.runs(of: window, count: count) { change?.apply(to: &$0) }.map(\.metrics)
    }
}
