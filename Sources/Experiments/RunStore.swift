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
/// The store keeps some forty bytes per run, including its position, and reads the content again when it is needed.
public struct RunStore: Sendable {
    private let runs: PlannedRuns
    private let recorded: TableSet
    private let build: UInt64
    private let isMeant: @Sendable (String) -> Bool
    /// Entries of the runs, by the runs' numbers.
    private var entries: StoredRuns
    private var foreign: Set<Int> = []
    /// Numbers of the runs that are searched for; nil for all runs.
    private let some: [Int]?
    private var read: [String: ReadSegment] = [:]
    private let shelf = SegmentShelf()
    /// Identities of stored runs that are not in the plan, from all builds.
    private(set) var strangers: Set<UInt64> = []

    /// State of a segment that was read.
    private struct ReadSegment {
        let index: Int
        let length: Int
        let tornBytes: Int
    }

    /// Reads every segment; results of other builds and of unknown runs are not used.
    public init(plan: Plan, directory: ResultDirectory, build: UInt64 = Build.current) throws {
        try self.init(plan: plan, directory: directory, build: build) { _ in true }
    }

    /// Reads only those segments whose names pass `isMeant`, for all runs or for some.
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

    /// Reads segments that are new or have another length since the last call.
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

    /// Enters the record of a run, and compares it with an earlier record of the same run.
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
        // Of two records, the one with all tables of the plan is used; if both or neither have them, the first is used.
        let isEnough = other.tables.isSuperset(of: recorded)
        if !isEnough, run.tables.isSuperset(of: recorded) { entries[number] = entry }
    }

    /// Number of damaged bytes that were skipped.
    public var tornBytes: Int { read.values.reduce(0) { $0 + $1.tornBytes } }

    /// Content of a finished run, read again; nil when the run is not finished or the read failed.
    public subscript(number: Int) -> FinishedRun? {
        shelf.reading { () throws(FileError) in try entries[number].read(from: shelf) } ?? nil
    }

    /// Whether a run is finished.
    public func holds(_ number: Int) -> Bool { entries[number].isDone }

    /// Numbers of the finished runs, in ascending order.
    var done: [Int] { entries.done }

    /// Wall-clock time of a finished run, in seconds; nil when the run is not finished.
    func seconds(_ number: Int) -> Double? { holds(number) ? Double(entries[number].seconds) : nil }

    /// Hash of the workload of a finished run; nil when the run is not finished.
    func workload(_ number: Int) -> UInt64? { holds(number) ? entries[number].workload : nil }

    /// Value of a metric in one run; NaN if there is none.
    func value(_ metric: Int, _ number: Int) -> Double { shelf.value(metric, number, of: entries) }

    /// Values of a metric in all runs, by the runs' numbers; NaN for a missing value.
    func column(_ metric: Int) -> [Double] { shelf.column(metric, of: entries) }

    /// Checks that all reads have succeeded so far.
    ///
    /// After a failed read, results are incomplete.
    ///
    /// - Throws: the first error, when a segment was changed or could not be read again.
    public func check() throws(FileError) {
        if let failure = shelf.failure { throw failure }
    }

    /// Number of the plan's runs that other builds finished, whether or not this build finished them, too.
    func runsOfOtherBuilds(in plan: Plan) -> Int { foreign.count { $0 < plan.runs.count } }

    /// Number of the plan's runs that other builds finished and this build did not.
    public func outdated(in plan: Plan) -> Int {
        foreign.count { $0 < plan.runs.count && !isDone(plan.runs[$0], in: plan) }
    }

    /// Whether a run is finished and has all tables that the plan needs.
    public func isDone(_ run: PlannedRun, in plan: Plan) -> Bool {
        holds(run.number) && entries[run.number].tables.isSuperset(of: plan.recorded)
    }

    /// Number of finished runs without some of the tables that the plan needs.
    func lackingTables(in plan: Plan) -> Int { plan.runs.count { holds($0.number) && !isDone($0, in: plan) } }

    /// Runs that remain to be carried out, in the order of the plan.
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
