// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures
import Vocabulary

/// Queues of apps, the next to die first, that follow which processes a phone really has.
///
/// Policies of caches learn of every arrival and decide every departure. On a phone processes also come up for
/// background work and die for reasons of their own, so each survey compares the queues with the processes that stand.
struct StandingQueues: Sendable {
    private var queues: [[AppID]]
    /// The queue of each app; negative for none.
    private var numbers = GrowingAppTable(Int8(-1))
    private var launched = GrowingAppTable(SimTime.distantFuture)
    private var rounds = GrowingAppTable(0)
    private var round = 0
    /// How many may die at the last survey; that many there is room for when one does.
    private(set) var standing = 0
    /// How many processes there was room for when the last one died; zero before.
    private(set) var room = 0
    /// The instant of the last survey, at which an app that is being launched is not in question.
    private var surveyed = SimTime.zero

    init(count: Int) { queues = Array(repeating: [], count: count) }

    /// The apps of a queue, the next to die first.
    subscript(number: Int) -> [AppID] { queues[number] }

    /// In which queue the app stands; nil for none.
    func queue(of app: AppID) -> Int? { numbers[app] < 0 ? nil : Int(numbers[app]) }

    /// Puts the app at the end of a queue, out of whichever it stands in.
    mutating func append(_ app: AppID, to number: Int) {
        if let old = queue(of: app) { queues[old].removeAll { $0 == app } }
        queues[number].append(app)
        numbers[app] = Int8(number)
    }

    /// Takes an app out that a policy let die.
    mutating func evict(_ app: AppID) {
        room = standing
        remove(app)
    }

    /// Takes the app out of its queue.
    private mutating func remove(_ app: AppID) {
        if let old = queue(of: app) { queues[old].removeAll { $0 == app } }
        numbers[app] = -1
        launched[app] = .distantFuture
    }

    /// Removes apps that are gone, and returns those that came up without an open, in the order of launches.
    ///
    /// Who was opened in this instant stands already, and is not in question until the next survey.
    mutating func newcomers(among candidates: [EvictionCandidate], at now: SimTime) -> [AppID] {
        round += 1
        surveyed = candidates.count == 1 ? .distantFuture : now
        standing = candidates.count { $0.launched < surveyed }
        var unknown: [EvictionCandidate] = []
        for candidate in candidates {
            let app = candidate.app
            rounds[app] = round
            // An open puts the app into its queue before its process is seen here.
            let isAgain = launched[app] != candidate.launched && launched[app] != .distantFuture
            if (numbers[app] < 0 || isAgain) && candidate.launched < surveyed { unknown.append(candidate) }
            launched[app] = candidate.launched
        }
        for number in queues.indices {
            for app in queues[number] where rounds[app] != round { remove(app) }
        }
        return unknown.sorted { ($0.launched, $0.app) < ($1.launched, $1.app) }.map(\.app)
    }

    /// The apps of a queue that may die: all but who is just being launched.
    func inQuestion(_ number: Int) -> [AppID] { queues[number].filter { launched[$0] < surveyed } }
}

/// The order in which a policy with queues would let everybody die.
struct DeathOrder: Sendable {
    private var orders = GrowingAppTable(Double.greatestFiniteMagnitude)
    private var last: [AppID] = []
    /// Who dies next.
    var next: AppID? { last.first }

    subscript(app: AppID) -> Double { orders[app] }

    /// Sets the order; an app that is not in it dies after all others.
    mutating func set(_ order: [AppID]) {
        for app in last { orders[app] = .greatestFiniteMagnitude }
        for (position, app) in order.enumerated() { orders[app] = Double(position) }
        last = order
    }
}
