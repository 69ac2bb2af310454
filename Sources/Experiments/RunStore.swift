// SPDX-License-Identifier: GPL-3.0-or-later
import Phone
import PhoneCore
import Recording

/// Two records of the same run that say different things: the machine or the program is not deterministic.
public struct NonDeterminism: Error, CustomStringConvertible {
    /// What differs.
    public let description: String
}

/// The finished runs of a plan, found in the segments of its directory.
public struct RunStore: Sendable {
    private let finished: [FinishedRun?]
    private let foreign: [Bool]
    /// Bytes of torn tails that were passed over.
    public let tornBytes: Int

    /// Reads every segment; records of runs that the plan does not know, and those of other builds, are passed over.
    public init(plan: Plan, directory: ResultDirectory, build: UInt64 = Build.current) throws {
        let numbers = Dictionary(plan.runs.map { ($0.identity, $0.number) }, uniquingKeysWith: { first, _ in first })
        var found = [FinishedRun?](repeating: nil, count: plan.runs.count)
        var foreign = [Bool](repeating: false, count: plan.runs.count)
        var torn = 0
        for path in directory.segmentFiles {
            let content = try SegmentContent(path: path)
            torn += content.tornBytes
            for run in content.runs {
                guard let number = numbers[run.run] else { continue }
                guard run.build == build else {
                    foreign[number] = true
                    continue
                }
                guard let other = found[number] else {
                    found[number] = run
                    continue
                }
                guard other.agrees(with: run) else {
                    throw NonDeterminism(description: "run \(number) was done twice with different results (\(path))")
                }
                // Of two records the one that has what the plan asks for; else the first.
                let isEnough = other.tables.isSuperset(of: plan.tables)
                if !isEnough, run.tables.isSuperset(of: plan.tables) { found[number] = run }
            }
        }
        finished = found
        self.foreign = foreign
        tornBytes = torn
    }

    /// A finished run; nil when it is not done.
    public subscript(number: Int) -> FinishedRun? { finished[number] }

    /// Number of runs that another build has done, whether or not this one has done them since.
    public var runsOfOtherBuilds: Int { foreign.filter { $0 }.count }

    /// Whether any build has done a run.
    func hasRecord(_ run: PlannedRun) -> Bool { finished[run.number] != nil || foreign[run.number] }

    /// Number of runs that another build has done and this one has not.
    public func outdated(in plan: Plan) -> Int { missing(in: plan).filter { foreign[$0.number] }.count }

    /// Whether a run is done, with all the tables that the plan asks for.
    public func isDone(_ run: PlannedRun, in plan: Plan) -> Bool {
        finished[run.number].map { $0.tables.isSuperset(of: plan.tables) } ?? false
    }

    /// Number of runs that are done but for a table that the plan asks for.
    func lackingTables(in plan: Plan) -> Int {
        plan.runs.filter { finished[$0.number] != nil && !isDone($0, in: plan) }.count
    }

    /// The runs that are still to be done, in the order of the plan.
    public func missing(in plan: Plan) -> [PlannedRun] { plan.runs.filter { !isDone($0, in: plan) } }

    /// Checks that every policy of a replication saw the same workload.
    public func checkWorkloads(of plan: Plan) throws(NonDeterminism) {
        for run in plan.runs {
            let first = plan.run(replication: run.replication, point: run.point, policy: 0)
            guard let outcome = finished[run.number]?.outcome, let expected = finished[first.number]?.outcome,
                outcome.workloadFingerprint != expected.workloadFingerprint
            else { continue }
            throw NonDeterminism(
                description: "runs \(first.number) and \(run.number) are the same replication but saw different "
                    + "workloads (\(hexadecimal(expected.workloadFingerprint)) and "
                    + "\(hexadecimal(outcome.workloadFingerprint)))")
        }
    }
}
