// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Measures
import Phone
import PhoneCore
import Recording

/// Two records of the same run with different results: the machine or the program is not deterministic.
public struct NonDeterminism: Error, CustomStringConvertible {
    /// Description of the difference.
    public let description: String
}

/// Finished runs of a plan, found in the segments of its directory.
///
/// The store keeps the position of each run, some forty bytes, and reads the run's content again when needed.
public struct RunStore: Sendable {
    private let runs: PlannedRuns
    private let recorded: TableSet
    private let build: UInt64
    private let isMeant: @Sendable (String) -> Bool
    /// Places of the runs, by their numbers.
    private var entries: StoredRuns
    private var foreign: Set<Int> = []
    /// Numbers of the runs to look for; nil for all.
    private let some: [Int]?
    private var read: [String: ReadSegment] = [:]
    private let shelf = SegmentShelf()
    /// Identities of runs that are not in the plan, from any build.
    private(set) var strangers: Set<UInt64> = []

    /// State of a segment that was read.
    private struct ReadSegment {
        let index: Int
        let length: Int
        let tornBytes: Int
    }

    /// Reads every segment; records of unknown runs and of other builds are skipped.
    public init(plan: Plan, directory: ResultDirectory, build: UInt64 = Build.current) throws {
        try self.init(plan: plan, directory: directory, build: build) { _ in true }
    }

    /// Reads the segments whose names allow them to contain some runs, or all.
    init(
        plan: Plan, directory: ResultDirectory, build: UInt64, some: [Int]? = nil,
        where isMeant: @escaping @Sendable (String) -> Bool
    ) throws {
        self.isMeant = isMeant
        self.some = some
        runs = plan.runs
        recorded = plan.recorded
        self.build = build
        entries = StoredRuns(count: plan.runs.count, isSparse: some != nil)
        try update(from: directory)
    }

    /// Reads segments that are new in the directory or have grown since.
    mutating func update(from directory: ResultDirectory) throws {
        guard let folder = try directory.segmentFolder() else { return }
        let fresh = try directory.segmentNames().filter { name in
            isMeant(name) && read[name].map { $0.length != folder.length(name) } ?? true
        }
        guard !fresh.isEmpty else { return }
        let numbers = RunIndex(runs, some: some)
        entries.edition += 1
        for name in fresh {
            let index = read[name]?.index ?? read.count
            shelf.name(index, name, in: folder)
            let reader = try SegmentReader(name, in: folder)
            while let run = try reader.next() { try enter(run, numbers[run.run], segment: index, folder.path(name)) }
            read[name] = ReadSegment(index: index, length: reader.segment.length, tornBytes: reader.tornBytes)
            try shelf.keep(reader.segment, at: index)
        }
    }

    /// Enters the record of a run; compares several records of one run when they are found.
    private mutating func enter(_ run: FinishedRun, _ number: Int?, segment: Int, _ path: String) throws {
        guard let number else {
            strangers.insert(run.run)
            return
        }
        guard run.build == build else {
            foreign.insert(number)
            return
        }
        let entry = StoredRun(run, segment: segment)
        guard let other = try entries[number].read(from: shelf) else {
            entries[number] = entry
            return
        }
        guard other.agrees(with: run) else {
            throw NonDeterminism(description: "run \(number) was done twice with different results (\(path))")
        }
        // Of two records the one with the tables that the plan needs is used; otherwise the first.
        let isEnough = other.tables.isSuperset(of: recorded)
        if !isEnough, run.tables.isSuperset(of: recorded) { entries[number] = entry }
    }

    /// Number of damaged bytes that were skipped.
    public var tornBytes: Int { read.values.reduce(0) { $0 + $1.tornBytes } }

    /// Finished run, read again; nil when the run is not done, or when a read failed.
    public subscript(number: Int) -> FinishedRun? {
        shelf.reading { () throws(FileError) in try entries[number].read(from: shelf) } ?? nil
    }

    /// Whether a run is done.
    public func holds(_ number: Int) -> Bool { entries[number].isDone }

    /// The numbers of the finished runs, in order.
    var done: [Int] { entries.done }

    /// Wall-clock time of a finished run, in seconds; nil when it is not done.
    func seconds(_ number: Int) -> Double? { holds(number) ? Double(entries[number].seconds) : nil }

    /// Hash of the workload of a finished run; nil when it is not done.
    func workload(_ number: Int) -> UInt64? { holds(number) ? entries[number].workload : nil }

    /// Value of a metric of one run; not a number where there is none.
    func value(_ metric: Int, _ number: Int) -> Double { shelf.value(metric, number, of: entries) }

    /// Values of a metric of all runs, by their numbers; not a number where there is none.
    func column(_ metric: Int) -> [Double] { shelf.column(metric, of: entries) }

    /// Checks that all reads since the start succeeded; after a failure, results based on them are incomplete.
    ///
    /// - Throws: the first error, when a segment was changed or could not be read again.
    public func check() throws(FileError) {
        if let failure = shelf.failure { throw failure }
    }

    /// Number of runs of a plan that another build has done, including those that this build has also done.
    func runsOfOtherBuilds(in plan: Plan) -> Int { foreign.count { $0 < plan.runs.count } }

    /// Number of runs that another build has done and this one has not.
    public func outdated(in plan: Plan) -> Int {
        foreign.count { $0 < plan.runs.count && !isDone(plan.runs[$0], in: plan) }
    }

    /// Whether a run is done, with all the tables that the plan needs.
    public func isDone(_ run: PlannedRun, in plan: Plan) -> Bool {
        holds(run.number) && entries[run.number].tables.isSuperset(of: plan.recorded)
    }

    /// Number of finished runs that lack a table that the plan needs.
    func lackingTables(in plan: Plan) -> Int { plan.runs.count { holds($0.number) && !isDone($0, in: plan) } }

    /// The runs that are still to be done, in the order of the plan.
    public func missing(in plan: Plan) -> [PlannedRun] {
        plan.runs.filter { plan.wants($0) && !isDone($0, in: plan) }
    }

    /// Checks that every policy of a replication has the same workload.
    public func checkWorkloads(of plan: Plan) throws(NonDeterminism) {
        for run in plan.runs {
            let first = plan.run(replication: run.replication, point: run.point, policy: 0)
            guard let saw = workload(run.number), let expected = workload(first.number), saw != expected
            else { continue }
            throw NonDeterminism(
                description: "runs \(first.number) and \(run.number) are the same replication but saw different "
                    + "workloads (\(hexadecimal(expected)) and \(hexadecimal(saw)))")
        }
    }
}
