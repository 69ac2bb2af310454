// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Quantities
import Vocabulary

/// A workload file prepared for replay with a run's apps; prepared once and shared by every run that replays it.
///
/// Apps are matched by name. The remaining recorded apps, in descending order of their number of rows, are assigned to
/// the run's most popular remaining apps; `assignments` lists them.
public struct TraceRecording: Sendable {
    /// An app of the recording and the run's app to which it is assigned.
    public struct Assignment: Sendable, Equatable {
        /// Name in the recording.
        public var name: String
        /// The app of the run.
        public var app: AppID
    }

    /// The parts that the recording has.
    public let parts: [WorkloadPart]
    /// Recorded apps that are assigned to another app of the run.
    public let assignments: [Assignment]
    /// Days that the recording covers to their end; a partial first day counts.
    public let days: Int

    /// The parts that the recording has for only some of its days.
    let coverage: PartialCoverage
    /// The first day that the recording covers from its beginning.
    let firstWholeDay: Int
    /// Recorded arrivals from servers.
    let arrivals: RecordedArrivals
    /// Everything recorded, in order, except for `arrivals`.
    let intents: [RecordedIntent]
    /// Indices in `intents` at which each day begins, with one more for the end.
    let dayStarts: [Int]
    /// The state at the beginning of each day.
    let dayStates: [DayState]

    /// State at a midnight.
    struct DayState: Sendable, BitwiseCopyable, Equatable {
        /// Power of the charger; zero without a charger.
        var watts = 0.0
        /// The raw value of the network; nil before the first row about it.
        var network: Double?
        /// The number of the signal's level; nil before the first row about it.
        var signal: Double?
        /// The number of the location; nil before the first row about it.
        var location: Double?
        /// 1 in Low Power Mode; 0 otherwise, as before the first row about it.
        var lowPowerMode = 0.0
    }

    /// Prepares a recording.
    ///
    /// - Parameter chargerWatts: Power of a charger whose row has no power.
    /// - Throws: `Diagnostics` when the recording uses more apps than the run has, or covers no day to its end.
    public init(file: WorkloadFile, apps: [AppModel], chargerWatts: Double) throws(Diagnostics) {
        let days = Int(file.covered.upperBound.nanoseconds / SimDuration.day.nanoseconds)
        guard days > 0 else { throw Diagnostics("the recording covers no whole day") }
        let (table, assignments) = try Self.match(file, to: apps)
        var builder = TraceBuilder(apps: table, chargerWatts: chargerWatts)
        let intents = builder.intents(of: file)
        self.days = days
        self.assignments = assignments
        self.intents = intents
        arrivals = RecordedArrivals(
            of: file, table: table, apps: apps.count, until: .zero + .days(Double(days)))
        coverage = PartialCoverage(of: file)
        parts = WorkloadPart.allCases.filter { part in file.events.contains { part.includes($0.kind) } }
        let untouched = file.covered.lowerBound.nanoseconds
        firstWholeDay = Int((untouched + SimDuration.day.nanoseconds - 1) / SimDuration.day.nanoseconds)
        (dayStarts, dayStates) = Self.days(of: intents, count: days)
    }

    /// The parts that the recording has for only some of its days, each with its number of days.
    public var partial: [(part: WorkloadPart, days: Double)] {
        coverage.parts.map { ($0, ($0 == .charging ? coverage.charging : coverage.pushes)?.days ?? 0) }
    }

    /// Whether the recording contains a part.
    public func holds(_ part: WorkloadPart) -> Bool { parts.contains(part) }

    /// The run's app for each app of the file.
    private static func match(
        _ file: WorkloadFile, to apps: [AppModel]
    ) throws(Diagnostics) -> (table: [AppID], assignments: [Assignment]) {
        var uses = [Int](repeating: 0, count: file.apps.count)
        for event in file.events where event.app >= 0 && event.kind != .home { uses[Int(event.app)] += 1 }
        let places = Dictionary(apps.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        var table = file.apps.map { AppID(places[$0] ?? -1) }
        let taken = Set(table.map(\.index))
        var free = apps.indices.filter { !taken.contains(Int32($0)) }
        free.sort { (-apps[$0].popularity, apps[$0].name) < (-apps[$1].popularity, apps[$1].name) }
        var strangers = file.apps.indices.filter { table[$0] == .system && uses[$0] > 0 }
        strangers.sort { (-uses[$0], file.apps[$0]) < (-uses[$1], file.apps[$1]) }
        guard strangers.count <= free.count else {
            throw Diagnostics(
                "the recording has \(strangers.count + taken.count - (taken.contains(-1) ? 1 : 0)) apps, "
                    + "but the run only \(apps.count)",
                hint: "raise apps.count")
        }
        var assignments: [Assignment] = []
        for (stranger, index) in zip(strangers, free) {
            table[stranger] = AppID(index)
            assignments.append(Assignment(name: file.apps[stranger], app: AppID(index)))
        }
        return (table, assignments)
    }

    private static func days(of intents: [RecordedIntent], count: Int) -> (starts: [Int], states: [DayState]) {
        var starts: [Int] = []
        var states: [DayState] = []
        var state = DayState()
        var index = 0
        for day in 0...count {
            let start = SimTime.zero + .days(Double(day))
            while index < intents.count, intents[index].time < start {
                let intent = intents[index].intent
                switch intent.kind {
                case .plug: state.watts = intent.value
                case .unplug: state.watts = 0
                case .network: state.network = intent.value
                case .signal: state.signal = intent.value
                case .location: state.location = intent.value
                case .lowPowerMode: state.lowPowerMode = intent.value
                default: break
                }
                index += 1
            }
            starts.append(index)
            states.append(state)
        }
        return (starts, states)
    }
}
