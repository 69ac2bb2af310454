// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures
import Vocabulary

/// Queues of apps that follow the processes of a phone; the next app to die is first.
///
/// Cache policies see every arrival and decide every departure. On a phone, processes also start for background work
/// and die for other reasons. Each survey therefore compares the queues with the live processes.
struct StandingQueues: Sendable {
    private var queues: [[AppID]]
    /// The queue of each app; negative if the app is in no queue.
    private var numbers = GrowingAppTable(Int8(-1))
    private var launched = GrowingAppTable(SimTime.distantFuture)
    private var rounds = GrowingAppTable(0)
    private var round = 0
    /// Number of candidates at the last survey, which becomes `room` if a kill follows.
    private(set) var standing = 0
    /// Number of candidates at the survey before the last kill, for which there was room; zero before the first kill.
    private(set) var room = 0
    /// Instant of the last survey, or the distant future if there was only one candidate; an app launched then or later
    /// is no candidate.
    private var surveyed = SimTime.zero

    init(count: Int) { queues = Array(repeating: [], count: count) }

    /// The apps of a queue, with the next to die first.
    subscript(number: Int) -> [AppID] { queues[number] }

    /// The queue of an app; nil for an app in no queue.
    func queue(of app: AppID) -> Int? { numbers[app] < 0 ? nil : Int(numbers[app]) }

    /// Moves the app to the end of a queue, from any other queue.
    mutating func append(_ app: AppID, to number: Int) {
        if let old = queue(of: app) { queues[old].removeAll { $0 == app } }
        queues[number].append(app)
        numbers[app] = Int8(number)
    }

    /// Removes an app that a policy evicted.
    mutating func evict(_ app: AppID) {
        room = standing
        remove(app)
    }

    /// Removes the app from its queue.
    private mutating func remove(_ app: AppID) {
        if let old = queue(of: app) { queues[old].removeAll { $0 == app } }
        numbers[app] = -1
        launched[app] = .distantFuture
    }

    /// Removes apps without a process, and returns apps whose process started without an open, in the order of
    /// launches.
    ///
    /// An app opened at this instant is already in its queue, and is not a candidate until the next survey.
    mutating func newcomers(among candidates: [EvictionCandidate], at now: SimTime) -> [AppID] {
        round += 1
        surveyed = candidates.count == 1 ? .distantFuture : now
        standing = candidates.count { $0.launched < surveyed }
        var unknown: [EvictionCandidate] = []
        for candidate in candidates {
            let app = candidate.app
            rounds[app] = round
            // An open adds the app to its queue before the next survey sees its process.
            let isAgain = launched[app] != candidate.launched && launched[app] != .distantFuture
            if (numbers[app] < 0 || isAgain) && candidate.launched < surveyed { unknown.append(candidate) }
            launched[app] = candidate.launched
        }
        for number in queues.indices {
            for app in queues[number] where rounds[app] != round { remove(app) }
        }
        return unknown.sorted { ($0.launched, $0.app) < ($1.launched, $1.app) }.map(\.app)
    }

    /// The candidates of a queue: all apps except one that is just being launched.
    func inQuestion(_ number: Int) -> [AppID] { queues[number].filter { launched[$0] < surveyed } }
}

/// The order in which a policy with queues would evict all apps.
struct DeathOrder: Sendable {
    private var orders = GrowingAppTable(Double.greatestFiniteMagnitude)
    private var last: [AppID] = []
    /// The next victim.
    var next: AppID? { last.first }

    subscript(app: AppID) -> Double { orders[app] }

    /// Sets the order; an app that is not in the order dies after all others.
    mutating func set(_ order: [AppID]) {
        for app in last { orders[app] = .greatestFiniteMagnitude }
        for (position, app) in order.enumerated() { orders[app] = Double(position) }
        last = order
    }
}
