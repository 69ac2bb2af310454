// SPDX-License-Identifier: GPL-3.0-or-later
import EventKernel
import PhoneCore
import Quantities

/// The instants that divide a run: the end of its warm-up, and each change of policies.
struct RunStages {
    private struct Stage {
        var begin: SimTime
        var eventClass: UInt8
        /// The policies from this instant on; nil at the end of the warm-up.
        var change: PolicyChange?
    }

    /// Stages that are still to come, the next one last.
    private var coming: [Stage] = []

    init(_ specification: RunSpecification) {
        for change in specification.changes {
            coming.append(Stage(begin: change.time, eventClass: EventClass.policies, change: change))
        }
        if specification.warmup > .zero {
            coming.append(Stage(begin: .zero + specification.warmup, eventClass: EventClass.counting))
        }
        coming.sort { ($0.begin, $0.eventClass) > ($1.begin, $1.eventClass) }
    }

    /// Schedules the next stage.
    func schedule(_ core: inout PhoneCore) {
        guard let next = coming.last else { return }
        core.engine.schedule(Slots.device(.stage), at: next.begin, class: next.eventClass)
    }

    /// Enters the next stage; returns the new policies, or nil at the end of the warm-up.
    mutating func enter(_ core: inout PhoneCore) -> PolicyChange? {
        defer { schedule(&core) }
        return coming.removeLast().change
    }
}
