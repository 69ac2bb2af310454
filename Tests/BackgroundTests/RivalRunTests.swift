// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Quantities
import SchedulingPolicies
import Testing
import Vocabulary

/// Every policy in the table over random histories: what holds whatever a policy says.
@Suite struct RivalRunTests {
    @Test(arguments: SchedulingPolicies.all.map(\.descriptor.name))
    func `a request runs at most once, not before its floor, and never where the rules forbid it`(name: String) throws {
        let entry = try #require(SchedulingPolicies.named(name))
        for seed in 1...3 {
            var run = TableRun(entry.make(entry.descriptor.defaultArguments(seed: 1)), seed: UInt64(seed))
            for _ in 0..<3000 { run.step() }
            #expect(run.problems.prefix(3) == [])
            #expect(run.submitted > 200)
            #expect(run.submitted == run.ended + run.pending)
        }
    }
}

/// A table that is asked when it wants to be asked, and a note of what was submitted and started.
private struct TableRun {
    static let apps = 6
    var table: RequestTable
    var random: PolicyRandom
    var device = DeviceConditions()
    var now = SimTime.zero
    var foreground = -1
    var floors: [SimTime?]
    var asks: [SimTime]
    var running: [(lane: Int, until: SimTime)] = []
    var submitted = 0
    var problems: [String] = []

    init(_ policy: any SchedulingPolicy, seed: UInt64) {
        table = makeTable(apps: Self.apps, policy: policy) { $0.processingTime = .minutes(4) }
        random = PolicyRandom(seed: seed)
        floors = Array(repeating: nil, count: Self.apps * 2)
        asks = Array(repeating: .distantFuture, count: Self.apps * 2)
        device.network = .cellular
    }

    var ended: Int { table.outcomes.reduce(0, +) }

    var pending: Int {
        (0..<Self.apps * 2).reduce(0) { count, lane in
            let (app, kind) = name(lane)
            return count + table.pendingCount(app, kind) + (table.isRunning(app, kind) ? 1 : 0)
        }
    }

    private func name(_ lane: Int) -> (AppID, RequestKind) { (AppID(lane / 2), lane % 2 == 0 ? .refresh : .processing) }

    private mutating func draw(_ below: Int) -> Int { Int(random.nextUniform() * Double(below)) }

    mutating func step() {
        now += .minutes(random.nextUniform() * 4)
        device.now = now
        finishDue()
        for lane in asks.indices where asks[lane] <= now { ask(lane) }
        let left = table.budgetsLeft(at: now)
        if left.energy < 0 || left.cellular < 0 || left.energy > 1 || left.cellular > 1 {
            problems.append("budget \(left)")
        }
        switch draw(12) {
        case 0..<5: submit(draw(Self.apps * 2))
        case 5: open(draw(Self.apps))
        case 6 where draw(6) == 0: quit(draw(Self.apps))
        default: change()
        }
    }

    private mutating func submit(_ lane: Int) {
        let (app, kind) = name(lane)
        let floor = now + .minutes(Double(draw(60)))
        let answer = table.submit(
            app, kind, earliestBegin: floor, requiresPower: false, requiresNetwork: draw(2) == 0,
            deadline: floor + .hours(6), at: now)
        guard answer.action == .wait else { return }
        submitted += 1
        floors[lane] = floor
        asks[lane] = answer.wakeAt
    }

    private mutating func ask(_ lane: Int) {
        let (app, kind) = name(lane)
        let answer = table.decide(
            app, kind, device: device, openLikelihood: random.nextUniform() * 0.3,
            isForeground: Int(app.index) == foreground, at: now)
        asks[lane] = answer.action == .wait ? answer.wakeAt : .distantFuture
        guard answer.action == .start else { return }
        guard let floor = floors[lane] else {
            problems.append("lane \(lane) started twice")
            return
        }
        floors[lane] = nil
        if now < floor { problems.append("started before its floor") }
        if Int(app.index) == foreground { problems.append("started in the foreground") }
        if table.isForceQuit(app) { problems.append("started after a force quit") }
        if device.lowPowerMode { problems.append("started in Low Power Mode") }
        if kind == .processing, device.screenOn { problems.append("processing on a phone in use") }
        running.append((lane, now + (kind == .refresh ? .seconds(20) : .minutes(Double(draw(10))))))
        device.runningLaunches += 1
        wake(.workStarted)
    }

    private mutating func finishDue() {
        while let index = running.firstIndex(where: { $0.until <= now }) {
            let (app, kind) = name(running.remove(at: index).lane)
            device.runningLaunches -= 1
            table.finish(app, kind, .success, cellularBytes: .mebibytes(1), pluggedIn: device.pluggedIn, at: now)
            wake(.launchEnded)
        }
    }

    private mutating func wake(_ change: ConditionChanges) {
        var woken: [Int] = []
        while let (app, kind) = table.popWaiter(change) {
            woken.append(Int(app.index) * 2 + Int(kind.rawValue))
            ask(woken[woken.count - 1])
        }
        if Set(woken).count != woken.count { problems.append("woken twice in one round") }
    }

    private mutating func open(_ app: Int) {
        foreground = draw(3) == 0 ? -1 : app
        turnScreen(on: foreground >= 0)
        if foreground >= 0 { table.noteOpened(AppID(app), at: now) }
    }

    private mutating func turnScreen(on: Bool) {
        guard on != device.screenOn else { return }
        device.screenOn = on
        device.locked = !on
        device.lockedSince = now
        table.noteScreen(on: on, at: now)
        wake(on ? .unlocked : .locked)
    }

    private mutating func quit(_ app: Int) {
        table.forceQuit(AppID(app), at: now)
        for lane in [app * 2, app * 2 + 1] { (floors[lane], asks[lane]) = (nil, .distantFuture) }
    }

    private mutating func change() {
        switch draw(8) {
        case 0:
            device.pluggedIn.toggle()
            if device.pluggedIn { wake(.pluggedIn) } else { device.unpluggedSince = now }
        case 1:
            device.network = device.network == .wifi ? .cellular : .wifi
            if device.network == .wifi { wake(.wifiJoined) }
        case 2:
            device.lowPowerMode = draw(5) == 0
            if !device.lowPowerMode { wake(.lowPowerModeEnded) }
        case 3:
            device.radioIsUp.toggle()
            if device.radioIsUp { wake(.radioUp) }
        case 4 where draw(3) == 0:
            foreground = -1
            turnScreen(on: false)
        default: break
        }
    }
}
