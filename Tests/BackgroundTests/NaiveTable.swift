// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Quantities
import Vocabulary

/// The rules of the request table in the plainest form: lists that are searched from end to end.
struct NaiveTable {
    struct Request {
        var app: Int
        var kind: RequestKind
        var identifier: UInt8
        var needsPower: Bool
        var floor: SimTime
        var deadline: SimTime
    }

    struct Waiter: Equatable {
        var app: Int
        var kind: RequestKind
        var changes: ConditionChanges
        /// Those who wait for running work to end are woken by rank.
        var rank = 0.0
    }

    var requests: [Request] = []
    var running: [(app: Int, kind: RequestKind)] = []
    /// In the order in which they began to wait.
    var waiters: [Waiter] = []
    var forceQuit: Set<Int> = []
    var isLockedSinceBoot = false
    let parameters = BackgroundParameters()
    let policy: Scripted

    mutating func submit(_ request: Request, at now: SimTime) -> RequestAnswer.Action {
        if forceQuit.contains(request.app) { return .refused }
        let mine = pending(request.app, request.kind)
        let isNew = !mine.contains { $0.identifier == request.identifier }
        if isNew, mine.count >= (request.kind == .refresh ? 1 : 10) { return .refused }
        requests.removeAll {
            $0.app == request.app && $0.kind == request.kind && $0.identifier == request.identifier
        }
        requests.append(request)
        stopWaiting(request.app, request.kind)
        return .wait
    }

    func pending(_ app: Int, _ kind: RequestKind) -> [Request] {
        requests.filter { $0.app == app && $0.kind == kind }
    }

    mutating func stopWaiting(_ app: Int, _ kind: RequestKind) {
        waiters.removeAll { $0.app == app && $0.kind == kind }
    }

    /// What the phone has to do, and until when it waits.
    mutating func decide(
        _ app: Int, _ kind: RequestKind, _ device: DeviceConditions, at now: SimTime
    ) -> (RequestAnswer.Action, SimTime) {
        stopWaiting(app, kind)
        if !device.locked { isLockedSinceBoot = false }
        let before = pending(app, kind).count
        requests.removeAll { $0.app == app && $0.kind == kind && $0.deadline <= now }
        let mine = pending(app, kind).sorted { ($0.floor, $0.identifier) < ($1.floor, $1.identifier) }
        if mine.isEmpty { return (before > 0 ? .expired : .nothing, .distantFuture) }
        var until = mine.map(\.deadline).min() ?? .distantFuture
        var changes: ConditionChanges = []
        var (rank, earliest) = (0.0, SimTime.distantFuture)
        if isLockedSinceBoot {
            changes = .unlocked
        } else if running.contains(where: { $0.app == app }) {
            changes = .launchEnded
            rank = .infinity
        } else if device.lowPowerMode {
            changes = .lowPowerModeEnded
        } else if kind == .processing, device.screenOn {
            changes = .locked
        } else {
            for request in mine {
                if now < request.floor {
                    if request.floor < earliest { (rank, earliest) = (0, min(request.floor, request.deadline)) }
                    until = min(until, request.floor)
                } else if request.needsPower, !device.pluggedIn {
                    if request.deadline < earliest { (rank, earliest) = (0, request.deadline) }
                    changes.formUnion(.pluggedIn)
                } else {
                    let decision = policy.decide(Self.view(request), device)
                    if decision.proceed {
                        requests.removeAll {
                            $0.app == app && $0.kind == kind && $0.identifier == request.identifier
                        }
                        running.append((app, kind))
                        return (.start, now)
                    }
                    // Of several that wait, the score of the first to be asked again counts.
                    let again = min(decision.reconsider, request.deadline)
                    if again < earliest { (rank, earliest) = (decision.score, again) }
                    until = min(until, decision.reconsider)
                    changes.formUnion(decision.wakeOn)
                }
            }
        }
        if changes != [] { waiters.append(Waiter(app: app, kind: kind, changes: changes, rank: rank)) }
        return (.wait, until)
    }

    /// Who is woken, kind of change by kind of change, in the order in which they began to wait.
    mutating func wake(_ changes: ConditionChanges) -> [Int] {
        if changes.contains(.unlocked) { isLockedSinceBoot = false }
        var names: [Int] = []
        for kind in 0..<ConditionChanges.count {
            let change = ConditionChanges(rawValue: 1 << UInt16(kind))
            guard changes.contains(change) else { continue }
            let woken = waiters.filter { $0.changes.contains(change) }
            let sorted =
                change == .launchEnded
                ? woken.enumerated().sorted { ($1.element.rank, $0.offset) < ($0.element.rank, $1.offset) }
                    .map(\.element) : woken
            names += sorted.map { $0.app * 2 + Int($0.kind.rawValue) }
            waiters.removeAll { $0.changes.contains(change) }
        }
        return names
    }

    static func view(_ request: Request) -> RequestView {
        RequestView(
            app: AppID(request.app), kind: request.kind, submitted: .zero, earliestBegin: request.floor,
            deadline: request.deadline, requiresPower: request.needsPower, requiresNetwork: false, lastOpened: .zero,
            lastRun: .zero, openLikelihood: 0, expectedBytes: .zero, expectedDuration: .zero)
    }
}
