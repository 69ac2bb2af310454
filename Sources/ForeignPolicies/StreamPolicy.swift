// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Quantities
import Vocabulary

/// A policy over the standard streams of this process, so that the parent process decides.
///
/// The protocol is that of a policy in a child process, but the parent process answers the questions. Every question
/// contains figures of the run. A learning environment decides through such a policy.
public final class StreamPolicy {
    private let session: PolicySession

    /// Greets the parent process.
    ///
    /// - Parameter figures: Returns the figures that every question contains in `meter`, by name.
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

    /// The eviction policy for the run.
    public func eviction() -> any EvictionPolicy { ProcessEviction(session) }
    /// The scheduling policy for the run.
    public func scheduling() -> any SchedulingPolicy { ProcessScheduling(session) }

    /// Whether the policy reads the future.
    public var isOracle: Bool { session.about.descriptor.isOracle }

    /// Writes the last line, which contains figures by name.
    public func finish(_ members: [(name: String, value: Double)]) { session.finish(members) }
}
