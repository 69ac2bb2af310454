// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Measures
import Phone
import PhoneCore
import Recording

/// Two records of the same run that say different things: the machine or the program is not deterministic.
public struct NonDeterminism: Error, CustomStringConvertible {
    /// What differs.
    public let description: String
}

/// The finished runs of a plan, found in the segments of its directory.
///
/// It remembers where each run stands, some forty bytes, and reads what it says again when it is asked.
public struct RunStore: Sendable {
    private let runs: PlannedRuns
    private let recorded: TableSet
    private let build: UInt64
    private let isMeant: @Sendable (String) -> Bool
    /// Where the runs stand, by their numbers.
    private var entries: StoredRuns
    private var foreign: Set<Int> = []
    /// The numbers of the runs that are looked for; nil of a store for all.
    private let some: [Int]?
    private var read: [String: ReadSegment] = [:]
    private let shelf = SegmentShelf()
    /// Identities of the runs that the plan does not know, whichever build made them.
    private(set) var strangers: Set<UInt64> = []

    /// What is known of a segment that was gone through.
    private struct ReadSegment {
        let index: Int
        let length: Int
        let tornBytes: Int
    }

    /// Reads every segment; records of runs that the plan does not know, and those of other builds, are passed over.
    public init(plan: Plan, directory: ResultDirectory, build: UInt64 = Build.current) throws {
        try self.init(plan: plan, directory: directory, build: build) { _ in true }
    }

    /// Reads the segments whose names may be meant, for some runs or all.
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

    /// Reads the segments that the directory has besides those that were read, and those that have grown since.
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

    /// Enters the record of a run; records of one run that stand in several segments are compared as they are met.
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
        // Of two records the one that has what the plan asks for; else the first.
        let isEnough = other.tables.isSuperset(of: recorded)
        if !isEnough, run.tables.isSuperset(of: recorded) { entries[number] = entry }
    }

    /// Bytes of torn tails that were passed over.
    public var tornBytes: Int { read.values.reduce(0) { $0 + $1.tornBytes } }

    /// A finished run, read again; nil when it is not done, or when `check` throws.
    public subscript(number: Int) -> FinishedRun? {
        shelf.reading { () throws(FileError) in try entries[number].read(from: shelf) } ?? nil
    }

    /// Whether a run is done.
    public func holds(_ number: Int) -> Bool { entries[number].isDone }

    /// The numbers of the finished runs, in order.
    var done: [Int] { entries.done }

    /// Wall-clock time that a finished run took, in seconds; nil when it is not done.
    func seconds(_ number: Int) -> Double? { holds(number) ? Double(entries[number].seconds) : nil }

    /// Hash of the workload that a finished run saw; nil when it is not done.
    func workload(_ number: Int) -> UInt64? { holds(number) ? entries[number].workload : nil }

    /// The value of a metric of one run; not a number where there is none.
    func value(_ metric: Int, _ number: Int) -> Double { shelf.value(metric, number, of: entries) }

    /// The values of a metric of all runs, by their numbers; not a number where there is none.
    func column(_ metric: Int) -> [Double] { shelf.column(metric, of: entries) }

    /// Makes sure that all that was asked for could be read: what could not is missing from what was made of it.
    ///
    /// - Throws: The first error, when a segment was changed or could not be read again.
    public func check() throws(FileError) {
        if let failure = shelf.failure { throw failure }
    }

    /// Number of runs of a plan that another build has done, whether or not this one has done them since.
    func runsOfOtherBuilds(in plan: Plan) -> Int { foreign.count { $0 < plan.runs.count } }

    /// Number of runs that another build has done and this one has not.
    public func outdated(in plan: Plan) -> Int {
        foreign.count { $0 < plan.runs.count && !isDone(plan.runs[$0], in: plan) }
    }

    /// Whether a run is done, with all the tables that the plan asks for.
    public func isDone(_ run: PlannedRun, in plan: Plan) -> Bool {
        holds(run.number) && entries[run.number].tables.isSuperset(of: plan.recorded)
    }

    /// Number of runs that are done but for a table that the plan asks for.
    func lackingTables(in plan: Plan) -> Int { plan.runs.count { holds($0.number) && !isDone($0, in: plan) } }

    /// The runs that are still to be done, in the order of the plan.
    public func missing(in plan: Plan) -> [PlannedRun] {
        plan.runs.filter { plan.wants($0) && !isDone($0, in: plan) }
    }

    /// Checks that every policy of a replication saw the same workload.
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
