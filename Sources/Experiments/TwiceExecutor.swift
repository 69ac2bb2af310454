// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Phone
import PhoneCore

/// Error when foreign code of a policy gives different results for the same run.
struct UnrepeatablePolicy: Error, CustomStringConvertible {
    let policy: String
    let first: UInt64
    let second: UInt64

    var description: String {
        "the policy \(policy) is not deterministic: the same run gave the events \(hexadecimal(first)) and then "
            + "\(hexadecimal(second)); a policy must not read a clock, files or random numbers other than those "
            + "of its seed"
    }
}

/// Carries out the runs of an experiment, and repeats the first run of each policy that has foreign code.
///
/// The repetition detects a policy that depends on external state before its results are used.
public struct TwiceExecutor: RunExecutor {
    private let executor: ExperimentExecutor

    /// Creates an executor.
    public init(_ executor: ExperimentExecutor) { self.executor = executor }

    /// Plan of the runs.
    public var plan: Plan { executor.plan }

    /// Names of the apps in a run, in the order of their identifiers.
    public func appNames(in run: PlannedRun) -> [String] { executor.appNames(in: run) }

    /// Simulates one run; a first run of a policy with foreign code is simulated twice.
    ///
    /// - Throws: an error when the events of the second simulation differ.
    public func execute(_ run: PlannedRun, sink: any RowSink, watch: RunWatch?) throws -> RunOutcome {
        let outcome = executor.execute(run, sink: sink, watch: watch)
        let policy = plan.policies[run.policy]
        guard !policy.code.isEmpty, run.replication == 0, run.point == 0 else { return outcome }
        let again = executor.execute(run, sink: Nowhere(), watch: nil)
        guard again.fingerprint == outcome.fingerprint else {
            throw UnrepeatablePolicy(policy: policy.name, first: outcome.fingerprint, second: again.fingerprint)
        }
        return outcome
    }
}

/// Sink that discards all rows.
private final class Nowhere: RowSink {
    func write<Row>(_ row: Row, to table: Table<Row>) {}
}
