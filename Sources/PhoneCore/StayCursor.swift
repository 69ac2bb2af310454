// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Workload

/// The stays of the user's workload, or of the persona next to a recording, in order; each is drawn on demand.
struct StayCursor {
    private var locations: LocationTimeline
    private var stays: [Stay] = []
    private var next = 0
    private var day = 0

    init(_ specification: RunSpecification) { locations = specification.locations }

    /// The stay at an instant; instants must not go backwards.
    mutating func stay(at now: SimTime) -> Stay {
        while next == stays.count || stays[next].end <= now {
            if next < stays.count {
                next += 1
                continue
            }
            stays = locations.stays(day: day)
            next = 0
            day += 1
        }
        return stays[next]
    }
}

extension PhoneCore {
    /// Location of the user now, and until when.
    package mutating func stay() -> Stay { stays.stay(at: now) }
}
