// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Quantities
import Vocabulary

/// A policy at the other end of this process's standard streams: the parent process decides.
///
/// The lines are those of a policy's process, in reversed direction. Figures of the run are in every question. A
/// learning
/// environment is such a policy.
public final class StreamPolicy {
    private let session: PolicySession

    /// Greets the parent process.
    ///
    /// - Parameter figures: Members of every question under `meter`, by name.
    public init(
        isEviction: Bool, figures: @escaping () -> [(name: String, value: Double)]
    ) throws(ForeignPolicyError) {
        let pipe = PolicyPipe.standardStreams()
        let about = try ProcessAbout(pipe, isEviction ? .eviction : .scheduling)
        session = PolicySession(pipe, about)
        session.meter = { line in
            line.key("meter")
            line.begin("{")
            for (name, value) in figures() { line.raw(JSONText.quoted(name) + ":" + JSONLine.number(value)) }
            line.end("}")
        }
    }

    /// The policy of the one run.
    public func eviction() -> any EvictionPolicy { ProcessEviction(session) }
    /// The policy of the one run.
    public func scheduling() -> any SchedulingPolicy { ProcessScheduling(session) }

    /// Whether the policy reads the future.
    public var isOracle: Bool { session.about.descriptor.isOracle }

    /// Writes a last line, with the figures.
    public func finish(_ members: [(name: String, value: Double)]) { session.finish(members) }
}
