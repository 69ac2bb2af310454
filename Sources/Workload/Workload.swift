// SPDX-License-Identifier: GPL-3.0-or-later
// Workload produces everything that happens *to* the phone: the intents of the user, and what servers send.
// In: a `Persona` (or a recorded workload file), the run's apps, seed and replication number.
// Out: `Intent`s a day at a time, content and push arrivals drawn on demand, workload files and their statistics.
// It never reads the state of the phone, so the same seed and replication give the same intents under every policy.
// Read first: `Intent.swift`, then `PersonaWorkload.swift`; the rules are those of models/recordings.md, section 5.

import Vocabulary

/// Source of a run's intents: a persona, or a recording.
public enum WorkloadSource: Sendable {
    /// Drawn from a persona's parameters.
    case persona(PersonaWorkload)
    /// Replayed from a workload file.
    case trace(TraceWorkload)

    /// Replaces the contents of the array by the next day's sorted intents; after the last day, empties it and returns
    /// false.
    public mutating func nextDay(into intents: inout [Intent]) -> Bool {
        // Consuming keeps the workload's arrays unshared, so that no day copies them.
        switch consume self {
        case .persona(var workload):
            let more = workload.nextDay(into: &intents)
            self = .persona(workload)
            return more
        case .trace(var workload):
            let more = workload.nextDay(into: &intents)
            self = .trace(workload)
            return more
        }
    }

    /// A number that is equal for two workloads with the same intents so far, in whatever order they were added.
    public var fingerprint: UInt64 {
        switch self {
        case .persona(let workload): workload.fingerprint
        case .trace(let workload): workload.fingerprint
        }
    }

    /// Whether intents or `arrivals` contain the run's pushes; otherwise they are drawn from `PushStream`.
    public var holdsPushes: Bool {
        switch self {
        case .trace(let workload): workload.recording.holds(.pushes)
        case .persona(let workload): workload.persona.notifications != nil
        }
    }

    /// Recorded arrivals of one kind; nil if a run draws them or if they are intents.
    public func arrivals(_ kind: ArrivalKind) -> ArrivalReplay? {
        guard case .trace(let workload) = self else { return nil }
        let recording = workload.recording
        let isThere =
            switch kind {
            case .content: recording.holds(.content)
            case .alert: workload.sendsAlerts
            case .silentPush: recording.holds(.silentPushes)
            }
        return isThere ? recording.arrivals(kind) : nil
    }

    /// The parts of a recording that a persona filled in, for the manifest; empty when there are none.
    public var filled: [String] {
        if case .trace(let workload) = self { return workload.filled }
        return []
    }
}
