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
    private let entries: [StoredRun]
    private let foreign: [Bool]
    private let shelf: SegmentShelf
    /// Bytes of torn tails that were passed over.
    public let tornBytes: Int

    /// Reads every segment; records of runs that the plan does not know, and those of other builds, are passed over.
    public init(plan: Plan, directory: ResultDirectory, build: UInt64 = Build.current) throws {
        let numbers = RunIndex(plan.runs)
        var found = [StoredRun](repeating: .none, count: plan.runs.count)
        var foreign = [Bool](repeating: false, count: plan.runs.count)
        var torn = 0
        let folder = try directory.segmentFolder()
        let names = try directory.segmentNames()
        // Records of one run that stand in several segments are compared as they are met.
        let shelf = SegmentShelf(names, in: folder)
        var open: [SegmentFile] = []
        for (segment, name) in names.enumerated() {
            guard let folder else { break }
            let reader = try SegmentReader(name, in: folder)
            while let run = try reader.next() {
                guard let number = numbers[run.run] else { continue }
                guard run.build == build else {
                    foreign[number] = true
                    continue
                }
                let entry = StoredRun(run, segment: segment)
                guard let other = try found[number].read(from: shelf) else {
                    found[number] = entry
                    continue
                }
                guard other.agrees(with: run) else {
                    throw NonDeterminism(
                        description: "run \(number) was done twice with different results (\(folder.path(name)))")
                }
                // Of two records the one that has what the plan asks for; else the first.
                let isEnough = other.tables.isSuperset(of: plan.recorded)
                if !isEnough, run.tables.isSuperset(of: plan.recorded) { found[number] = entry }
            }
            torn += reader.tornBytes
            if segment < SegmentShelf.mostOpen { open.append(reader.segment) }
        }
        entries = found
        self.foreign = foreign
        self.shelf = SegmentShelf(names, in: folder, open: open)
        tornBytes = torn
    }

    /// A finished run, read again; nil when it is not done, or when `check` throws.
    public subscript(number: Int) -> FinishedRun? {
        shelf.reading { () throws(FileError) in try entries[number].read(from: shelf) } ?? nil
    }

    /// Whether a run is done.
    public func holds(_ number: Int) -> Bool { entries[number].isDone }

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

    /// Number of runs that another build has done, whether or not this one has done them since.
    public var runsOfOtherBuilds: Int { foreign.count { $0 } }

    /// Whether any build has done a run.
    func hasRecord(_ run: PlannedRun) -> Bool { holds(run.number) || foreign[run.number] }

    /// Number of runs that another build has done and this one has not.
    public func outdated(in plan: Plan) -> Int { plan.runs.count { !isDone($0, in: plan) && foreign[$0.number] } }

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
