// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Importers
import Measures
import Numerics
import Phone
import Platform
import PhoneCore
import Power
import Quantities
import Scenario
import Vocabulary
import Workload

/// Comparison of a replay of the recorded days with the recording.
public struct TwinReplay: Sendable {
    /// A recorded figure and its value in the replay.
    public struct Row: Sendable {
        /// Name of the figure.
        public let name: String
        /// Unit of the figure.
        public let unit: String
        /// Group of rows that contains the figure.
        public let group: String
        /// Recorded value.
        public let recorded: Double
        /// Simulated value, as the mean of the runs.
        public let simulated: Double
        /// Ends of the interval that should contain the recorded value in 95 % of cases.
        public let low: Double, high: Double

        /// Whether the interval contains the recorded value.
        public var isInside: Bool { recorded >= low && recorded <= high }
        /// Whether the width of the interval is at most half of the recorded value.
        public var isSharp: Bool { high - low <= abs(recorded) / 2 }
    }

    /// Compared figures.
    public let rows: [Row]
    /// Recorded and simulated battery level at the end of each hour, with the interval.
    public let levels: [(hour: Int, recorded: Double, simulated: Double, low: Double, high: Double)]
    /// Names of values that the files do not contain, so that they are assumed or not compared.
    public let missing: [String]
}

extension TwinReplay {
    /// Energy of each part of the phone in an hour, in joules.
    static let parts: [(String, @Sendable (DeviceHourRow) -> Double)] = [
        ("processor", { $0.processorJoules + $0.platformJoules }), ("screen", \.displayJoules),
        ("cellular", { $0.radioJoules[.cellular] }), ("wifi", { $0.radioJoules[.wifi] }),
        ("memory", \.memoryJoules), ("graphics", \.graphicsJoules), ("audio", \.audioJoules),
        ("bluetooth", \.bluetoothJoules), ("location", \.locationJoules),
        ("camera", \.cameraJoules), ("video", \.videoJoules),
    ]

    /// Compares the runs of a window with the recording.
    ///
    /// - Parameter errors: Errors of the model in the fitted hours.
    init(
        _ window: TwinWindow, _ runs: [TwinRun], _ recording: WorkloadFile, _ phone: RecordedPhone,
        errors: TwinErrors, energy: Double
    ) {
        let origin = CalendarDate(recording.start).map { Int64($0.daysSince1970) * 86_400_000_000_000 }
        var rows: [Row] = []
        var levels: [(hour: Int, recorded: Double, simulated: Double, low: Double, high: Double)] = []
        var moved = (down: 0.0, up: 0.0)
        let screen = ScreenTimes(recording)
        for hour in window.hours {
            let time = SimTime.zero + .hours(Double(hour + 1))
            guard let recorded = recording.response.level(at: time) else { continue }
            let found = runs.compactMap { $0.level(at: time) }
            guard !found.isEmpty else { continue }
            let (mean, spread) = Self.moments(found)
            let before = Self.moments(runs.compactMap { $0.level(at: time - .hour) }).mean
            let change = mean - (before.isFinite ? before : mean)
            if change < 0 { moved.down -= change } else { moved.up += change }
            // A full battery on a charger ends the accumulation of errors.
            if mean > 0.985, screen.isPlugged(time - .minutes(5)..<time) { moved = (0.01, 0) }
            let variance = errors.down.variance(of: moved.down) + errors.up.variance(of: moved.up)
            let reach = errors.reach * (variance + spread).squareRoot()
            let (low, high) = (max(0, mean - reach), min(1, mean + reach))
            levels.append((hour + 1, recorded, mean, low, high))
            rows.append(
                Row(
                    name: "level at \(Self.clock(hour + 1))", unit: "%", group: "battery level by hour",
                    recorded: 100 * recorded, simulated: 100 * mean, low: 100 * low, high: 100 * high))
        }
        rows += Self.energyRows(window, runs, recording, errors, energy)
        rows += Self.jobRows(window, runs, recording, errors)
        if let origin {
            rows += Self.processRows(window, runs, phone, origin)
            rows += Self.partRows(window, runs, phone, errors, midnight: Int(origin / 3_600_000_000_000))
        }
        self.rows = rows
        self.levels = levels
        missing = Self.missing(recording, phone)
    }

    /// Compares the numbers of process ends by category, as MetricKit counts them, if nothing else was recorded.
    ///
    /// The simulated days are those of an average owner.
    init?(endsOf model: TwinModel, _ experiment: Experiment, runs count: Int) {
        let apps = model.apps.filter { !$0.told.exits.isEmpty && $0.told.days > 0 }
        guard !apps.isEmpty else { return nil }
        let metrics = MetricCatalog.catalogue
        let categories = metrics.metrics.indices.filter { metrics.metrics[$0].name.hasPrefix("exits_") }
        let phone = experiment.points[0].apps
        let requests = apps.flatMap { app in categories.map { MetricRequest(metric: $0, app: app.name) } }
        let list = MetricList(metrics, ofApps: requests)
        let all = inParallel(count) { index in
            var run = experiment.specification(point: 0, policy: experiment.baselineIndex, replication: index)
            run.appMetrics = requests.compactMap { request in
                phone.firstIndex { $0.name == request.app }.map { AppMetric(metric: request.metric, app: AppID($0)) }
            }
            return simulate(run).metrics
        }
        var rows: [Row] = []
        for app in apps {
            for category in categories {
                let name = metrics.metrics[category].name
                let key = String(name.dropFirst(6).dropLast(8))
                guard let index = list.index(of: "\(name)(app=\(app.name))") else { continue }
                let values = all.compactMap { $0.indices.contains(index) ? $0[index] : nil }.filter(\.isFinite)
                let recorded = Double(app.told.exits[key] ?? 0) / Double(app.told.days)
                let (mean, spread) = Self.moments(values)
                guard !values.isEmpty, recorded > 0 || mean > 0 else { continue }
                // The interval contains the randomness of the daily counts and the differences between phones.
                let reach = 1.96 * (spread + max(mean, recorded, 0.1) / Double(app.told.days)).squareRoot()
                rows.append(
                    Row(
                        name: "\(app.name): \(key)", unit: "1/d", group: "ends of processes", recorded: recorded,
                        simulated: mean, low: max(0, mean - reach), high: mean + reach))
            }
        }
        self.rows = rows
        levels = []
        missing = [
            "use of the phone (an average owner)", "battery level",
            "other apps (\(phone.count - model.apps.count) of the catalogue)",
        ]
    }

    /// Mean and variance of the values of runs; without values, the mean is NaN.
    static func moments(_ values: [Double]) -> (mean: Double, variance: Double) {
        guard !values.isEmpty else { return (.nan, 0) }
        let moments = Moments(values)
        return (moments.mean, moments.variance)
    }

    private static func clock(_ hour: Int) -> String {
        "day \(hour / 24 + 1), " + (hour % 24 < 10 ? "0" : "") + "\(hour % 24):00"
    }

    /// Energy from the battery in the hours off the charger in which the level did not rise.
    private static func energyRows(
        _ window: TwinWindow, _ runs: [TwinRun], _ recording: WorkloadFile, _ errors: TwinErrors, _ energy: Double
    ) -> [Row] {
        let screen = ScreenTimes(recording)
        func time(_ hour: Int) -> SimTime { .zero + .hours(Double(hour)) }
        var (recorded, count) = (0.0, 0)
        var simulated = [Double](repeating: 0, count: runs.count)
        for hour in window.hours where !screen.isPlugged(time(hour)..<time(hour + 1)) {
            guard let one = recording.response.level(at: time(hour)),
                let next = recording.response.level(at: time(hour + 1)), next <= one
            else { continue }
            recorded += (one - next) * energy
            count += 1
            for (index, run) in runs.enumerated() { simulated[index] += (run.hours[hour]?.batteryJoules ?? 0) / 3600 }
        }
        guard count > 0, recorded > 0, errors.down.blocks > 0 else { return [] }
        let (mean, spread) = moments(simulated)
        let reach = errors.reach * (errors.down.variance(of: mean / energy) * energy * energy + spread).squareRoot()
        return [
            Row(
                name: "energy off the charger, \(count) h", unit: "Wh", group: "energy", recorded: recorded,
                simulated: mean, low: max(0, mean - reach), high: mean + reach)
        ]
    }

    private static func jobRows(
        _ window: TwinWindow, _ runs: [TwinRun], _ recording: WorkloadFile, _ errors: TwinErrors
    ) -> [Row] {
        guard !recording.response.jobs.isEmpty else { return [] }
        let recorded = recording.response.jobs.count { window.span.contains($0.time) }
        let (mean, spread) = moments(runs.map { Double($0.jobs.count) })
        let share = Double(window.hours.count) / Double(max(1, errors.hours))
        let reach = 1.96 * (errors.dispersion * mean * (1 + share) + spread).squareRoot()
        return [
            Row(
                name: "jobs run", unit: "", group: "jobs", recorded: Double(recorded), simulated: mean,
                low: max(0, mean - reach), high: mean + reach)
        ]
    }

    /// Cold starts by the user and deaths of processes, for the time that the phone's log of processes covers.
    private static func processRows(
        _ window: TwinWindow, _ runs: [TwinRun], _ phone: RecordedPhone, _ origin: Int64
    ) -> [Row] {
        guard let logged = phone.logged else { return [] }
        let from = max(window.span.lowerBound, SimTime(nanoseconds: logged.lowerBound - origin))
        let to = min(window.span.upperBound, SimTime(nanoseconds: logged.upperBound - origin))
        guard from < to else { return [] }
        func inside(_ time: Int64?) -> Bool {
            time.map { SimTime(nanoseconds: $0 - origin) }.map { $0 >= from && $0 < to } ?? false
        }
        func row(_ name: String, _ recorded: Int, _ count: (TwinRun) -> Int) -> Row {
            let (mean, spread) = moments(runs.map { Double(count($0)) })
            // The variance of a count is that of the runs, and at least that of a Poisson distribution.
            let reach = 1.96 * max(spread, mean, 1).squareRoot()
            return Row(
                name: name, unit: "", group: name.hasPrefix("deaths") ? "deaths" : "cold starts",
                recorded: Double(recorded), simulated: mean, low: max(0, mean - reach), high: mean + reach)
        }
        func simulated(_ time: SimTime) -> Bool { time >= from && time < to }
        var rows: [Row] = []
        if !phone.starts.isEmpty {
            rows.append(
                row("cold starts by the user", phone.starts.count { $0.isByUser && inside($0.time) }) { run in
                    run.coldOpens.count(where: simulated)
                })
        }
        let deaths = phone.deaths.filter { inside($0.time) }
        for band in TwinBand.allCases {
            let recorded = deaths.filter { TwinBand(adjustment: $0.band) == band && TwinBand.isForMemory($0.reason) }
            rows.append(
                row("deaths for lack of memory, \(band.rawValue)", recorded.count) { run in
                    run.deaths.count { simulated($0.time) && TwinBand(band: $0.band) == band }
                })
        }
        return rows
    }

    private static func partRows(
        _ window: TwinWindow, _ runs: [TwinRun], _ phone: RecordedPhone, _ errors: TwinErrors, midnight: Int
    ) -> [Row] {
        let pairs = TwinErrors.partPairs(window, runs, phone, midnight: midnight)
        return parts.compactMap { part, _ -> Row? in
            guard let hours = pairs[part], let known = errors.parts[part] else { return nil }
            let (recorded, simulated) = hours.reduce((0.0, 0.0)) { ($0.0 + $1.0, $0.1 + $1.1) }
            let mean = known.factor * simulated
            let count = Double(hours.count)
            let hourly = mean / count
            let variance = known.variance * hourly * hourly * count * (1 + count / Double(known.hours))
            let reach =
                StudentT.quantile(0.975, degreesOfFreedom: Double(max(1, known.hours - 1)))
                * variance.squareRoot()
            return Row(
                name: part, unit: "Wh", group: "energy by part", recorded: recorded, simulated: mean,
                low: max(0, mean - reach), high: mean + reach)
        }
    }

    private static func missing(_ recording: WorkloadFile, _ phone: RecordedPhone) -> [String] {
        var missing: [String] = []
        if recording.response.levels.isEmpty { missing.append("battery level") }
        if recording.response.jobs.isEmpty { missing.append("jobs") }
        if phone.logged == nil { missing.append("starts and deaths of processes") }
        if phone.hourly.isEmpty { missing.append("energy by part") }
        let others = phone.deaths.count { !TwinBand.isForMemory($0.reason) }
        if others > 0 { missing.append("reasons why \(others) processes ended without a shortage of memory") }
        if !phone.apps.contains(where: { $0.value.footprint != nil }) { missing.append("memory of apps") }
        if phone.memory == nil { missing.append("memory of the phone") }
        if phone.capacity == nil { missing.append("capacity of the battery") }
        return missing
    }
}

/// Groups of process priorities that exist on both systems.
public enum TwinBand: String, CaseIterable, Sendable {
    /// Processes that the user sees, processes that the user perceives, processes that the user left, and cached ones.
    case onScreen = "on screen", perceived = "perceived", background = "in the background", cached = "cached"

    /// Creates the group of an `oom_score_adj` (Android: `ProcessList.java`).
    public init(adjustment: Int) {
        switch adjustment {
        case ..<100: self = .onScreen
        case 100..<300: self = .perceived
        case 300..<900: self = .background
        default: self = .cached
        }
    }

    /// Creates the group of a jetsam priority (xnu: `bsd/sys/kern_memorystatus.h`), which runs use for both systems.
    init(band: Int) {
        switch band {
        case 100...: self = .onScreen
        case 75..<100: self = .perceived
        case 30..<75: self = .background
        default: self = .cached
        }
    }

    /// Whether the reason that the phone recorded for a death is a lack of memory.
    public static func isForMemory(_ reason: String) -> Bool {
        let word = reason.lowercased()
        return ["lmkd", "memory", "empty", "cached", "cch", "pressure", "highwater", "vm-", "per-process"].contains {
            word.contains($0)
        }
    }
}
