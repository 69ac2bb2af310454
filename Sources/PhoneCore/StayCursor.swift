// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Workload

/// The user's stays, in order, each drawn on demand.
///
/// The stays come from the workload, or from the persona if the workload is a recording.
struct StayCursor {
    private var locations: LocationTimeline
    private var stays: [Stay] = []
    private var next = 0
    private var day = 0

    init(_ specification: RunSpecification) { locations = specification.locations }

    /// The stay at an instant; successive instants must not decrease.
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
    /// Present location of the user, and the end of the stay.
    package mutating func stay() -> Stay { stays.stay(at: now) }
}
