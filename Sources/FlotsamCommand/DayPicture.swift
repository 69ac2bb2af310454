// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Experiments
import PhoneCore
import Quantities
import Recording
import Scenario
import Vocabulary

/// Picture of one day of one user under one or two policies, for the page.
///
/// The picture shows the app on screen, memory with kills, background work with reasons, radios and battery. It marks
/// events that have another outcome under the other policy.
struct DayPicture {
    private let replication: Int
    private let day: Int
    private let sides: [DaySide]

    /// Repeats runs of a replication at a sweep point.
    ///
    /// - Parameters:
    ///   - first: Any run of the directory.
    ///   - policies: Policies, in the order of the picture.
    ///   - day: Number of the day from 0, including days of the warm-up.
    ///   - share: Share of the page's space for days that this day may take.
    /// - Throws: `Diagnostics` when the day does not exist; `NonDeterminism` when a run differs from the stored one.
    init(
        _ first: RunReplay, replication: Int, point: Int, policies: [Int], day: Int, share: Double
    ) throws {
        let (plan, duration) = (first.plan, first.experiment.duration)
        let days = Int((duration / .day).rounded(.up))
        guard (0..<days).contains(day), (0..<plan.replications).contains(replication) else {
            throw Diagnostics(
                "\(first.directory.path) has no day \(day) of user \(replication)",
                hint: "its days are 0 to \(days - 1), its users 0 to \(plan.replications - 1)")
        }
        let from = SimTime.zero + .days(Double(day))
        self.replication = replication
        self.day = day
        sides = try policies.map { policy in
            let replay = first.sibling(plan.run(replication: replication, point: point, policy: policy))
            let recorder = DayRecorder(day: from..<min(.zero + duration, from + .day))
            _ = try replay.carryOut(tables: DayRecorder.tables, sink: recorder)
            recorder.finish()
            return DaySide(replay, recorder, share: share)
        }
    }

    /// JSON for the program that draws the page; times are in seconds since the day began.
    func json(at point: String) -> JSONValue {
        .object([
            "point": .string(point), "day": .integer(day), "user": .integer(replication),
            "length_s": .number(sides[0].length),
            "apps": .array(sides[0].names.map { .string($0) }), "counted": .integer(sides[0].apps),
            "sides": .array(
                sides.indices.map { index in
                    let other = sides.indices.first { $0 != index }.map { sides[$0].decisions }
                    return sides[index].json { decision in other.map { !$0.holds(decision) } ?? false }
                }),
        ])
    }
}

/// Decisions about apps with their instants, for a comparison with another run of the same user.
struct DayDecisions {
    /// Identity of a decision, for finding its match.
    struct Key: Hashable {
        let app: AppID
        let what: String
    }

    /// Two equal decisions of two runs match if at most this time is between them.
    static let tolerance = SimDuration.minutes(1)

    private var times: [Key: [SimTime]] = [:]

    mutating func add(_ key: Key, at time: SimTime) { times[key, default: []].append(time) }

    /// Whether a decision has a match.
    func holds(_ decision: (key: Key, time: SimTime)) -> Bool {
        let near = decision.time - Self.tolerance...decision.time + Self.tolerance
        return times[decision.key]?.contains(where: near.contains) ?? false
    }
}
