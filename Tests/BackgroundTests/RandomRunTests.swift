// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Quantities
import Testing
import Vocabulary

/// The table against the naive one over random histories of submissions, questions, changes and ends of work.
@Suite struct RandomRunTests {
    /// Answers that look random and depend on nothing but what the policy is shown.
    static let policy = Scripted { request, device in
        let mixed = device.now.nanoseconds &* 31 &+ Int64(request.app.index) &+ request.deadline.nanoseconds
        var random = PolicyRandom(seed: UInt64(bitPattern: mixed))
        if random.nextUniform() < 0.4 { return .proceed(.immediate) }
        let changes = ConditionChanges(rawValue: UInt16(random.nextUniform() * 8192))
        let until = device.now + .minutes(1 + random.nextUniform() * 600)
        return .wait(.custom, until: until, or: changes, score: (random.nextUniform() * 4).rounded() / 4)
    }

    @Test(arguments: 1...20) func `random histories give the answers of the naive table`(seed: Int) {
        var history = History(seed: UInt64(seed))
        for _ in 0..<4000 { history.step() }
        #expect(history.starts > 50)
        #expect(history.differences.prefix(3) == [])
    }
}

private struct History {
    static let apps = 5
    var table = makeTable(apps: History.apps, policy: RandomRunTests.policy)
    var naive = NaiveTable(policy: RandomRunTests.policy)
    var random: PolicyRandom
    var now = SimTime.zero
    var device = DeviceConditions()
    var starts = 0
    var differences: [String] = []

    init(seed: UInt64) { random = PolicyRandom(seed: seed) }

    mutating func draw(_ below: Int) -> Int { Int(random.nextUniform() * Double(below)) }

    mutating func step() {
        now += .minutes(random.nextUniform() * 20)
        device.now = now
        let app = draw(Self.apps)
        let kind: RequestKind = draw(2) == 0 ? .refresh : .processing
        switch draw(20) {
        case 0..<5: submit(app, kind)
        case 5..<12: ask(app, kind)
        case 12..<15: finish(naive.running.first?.app ?? app)
        case 15..<18: change()
        case 18 where draw(40) == 0: boot()
        default: if draw(4) == 0 { quit(app) } else { open(app) }
        }
        for app in 0..<Self.apps {
            for kind in RequestKind.allCases {
                let count = naive.pending(app, kind).count
                compare("pending \(app)", table.pendingCount(AppID(app), kind), count)
            }
        }
    }

    mutating func compare<Value: Equatable>(_ what: String, _ left: Value, _ right: Value) {
        if left != right { differences.append("\(what) at \(now.seconds): \(left), naive \(right)") }
    }

    mutating func submit(_ app: Int, _ kind: RequestKind) {
        let floor = now + .minutes(Double(draw(30)))
        let life: SimDuration = draw(2) == 0 ? .day : .hours(2)
        let request = NaiveTable.Request(
            app: app, kind: kind, identifier: UInt8(draw(kind == .refresh ? 2 : 12)), needsPower: draw(3) == 0,
            floor: floor, deadline: floor + life)
        let answer = table.submit(
            AppID(app), kind, identifier: request.identifier, earliestBegin: floor, requiresPower: request.needsPower,
            requiresNetwork: false, deadline: request.deadline, at: now)
        compare("submit", answer.action, naive.submit(request, at: now))
    }

    mutating func ask(_ app: Int, _ kind: RequestKind) {
        let answer = table.decide(AppID(app), kind, device: device, openLikelihood: 0, at: now)
        let other = naive.decide(app, kind, device, at: now)
        compare("action", answer.action, other.0)
        compare("wake", answer.wakeAt, other.1)
        if answer.action == .start { starts += 1 }
        let changes = naive.waiters.first { $0.app == app && $0.kind == kind }?.changes ?? []
        compare("changes", table.waitsFor(AppID(app), kind), changes)
    }

    mutating func finish(_ app: Int) {
        for kind in RequestKind.allCases where naive.running.contains(where: { $0.app == app && $0.kind == kind }) {
            table.finish(AppID(app), kind, .success, at: now)
            naive.running.removeAll { $0.app == app && $0.kind == kind }
        }
        compare("running", table.isRunning(AppID(app), .refresh), false)
        wake(.launchEnded)
    }

    mutating func change() {
        switch draw(4) {
        case 0:
            device.pluggedIn.toggle()
            if device.pluggedIn { wake([.pluggedIn, .batteryRecovered]) }
        case 1:
            device.lowPowerMode = draw(4) == 0
            if !device.lowPowerMode { wake(.lowPowerModeEnded) }
        case 2:
            device.locked.toggle()
            device.screenOn = !device.locked
            wake(device.locked ? .locked : .unlocked)
        default: wake(ConditionChanges(rawValue: UInt16(draw(8192))))
        }
    }

    mutating func wake(_ changes: ConditionChanges) {
        compare("woken", table.popAll(changes), naive.wake(changes))
    }

    mutating func quit(_ app: Int) {
        table.forceQuit(AppID(app), at: now)
        naive.forceQuit.insert(app)
        naive.requests.removeAll { $0.app == app }
        naive.waiters.removeAll { $0.app == app }
    }

    mutating func open(_ app: Int) {
        table.noteOpened(AppID(app), at: now)
        naive.forceQuit.remove(app)
    }

    mutating func boot() {
        device.locked = true
        device.screenOn = false
        naive.isLockedSinceBoot = true
        for app in 0..<Self.apps {
            for kind in RequestKind.allCases {
                _ = table.answerAfterBoot(AppID(app), kind, at: now)
                guard !naive.pending(app, kind).isEmpty else { continue }
                naive.stopWaiting(app, kind)
                naive.waiters.append(NaiveTable.Waiter(app: app, kind: kind, changes: .unlocked))
            }
        }
    }
}
