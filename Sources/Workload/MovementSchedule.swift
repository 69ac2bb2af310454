// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import RandomStreams

/// Times at which the user has moved far enough to notify apps that follow the location, drawn a day at a time.
///
/// The locations are those of the same user's workload; reading them draws nothing from the workload's streams.
public struct MovementSchedule: Sendable {
    /// Time between significant changes of location while travelling.
    ///
    /// Such changes are reported at most every five minutes, after 500 metres (Apple, CLLocationManager).
    static let spacing = SimDuration.minutes(5)

    private let days: Int
    private var locations: LocationTimeline
    private var lastLocation = Location.home
    private var day = 0

    /// Creates the schedule of one replication.
    public init(persona: Persona, seed: UInt64, replication: Int, startWeekday: Int, days: Int) {
        let keys = StreamKeys(seed: seed, replication: replication)
        self.days = days
        locations = LocationTimeline(persona: persona, startWeekday: startWeekday, keys: keys)
    }

    /// Replaces the contents of the array by the next day's movements, in order; after the last day, empties it and
    /// returns false.
    ///
    /// There is a movement every few minutes in transit, and one at each change of location (the border of a region).
    public mutating func nextDay(into movements: inout [SimTime]) -> Bool {
        movements.removeAll(keepingCapacity: true)
        guard day < days else { return false }
        for stay in locations.stays(day: day) {
            if stay.location != lastLocation { movements.append(stay.start) }
            lastLocation = stay.location
            guard stay.location == .transit else { continue }
            var time = stay.start + Self.spacing
            while time < stay.end {
                movements.append(time)
                time += Self.spacing
            }
        }
        day += 1
        return true
    }
}
