// SPDX-License-Identifier: GPL-3.0-or-later
import EvictionPolicies
import LifeCycle
import Processes
import Quantities
import Testing
import Vocabulary

/// What the system calls in an app, in which order.
@Suite struct CallbackTests {
    private static let app = AppID(0)

    private func phone(_ rules: LifeCycleRules = LifeCycleRules(), windowMemory: ByteCount = .zero) -> ProcessTable {
        var model = AppModel(name: "app", category: "test")
        model.windowMemory = windowMemory
        var profile = OSProfile.ios18(ram: .gibibytes(4))
        profile.lifeCycle = rules
        var memory = MemoryParameters(ram: .gibibytes(4))
        memory.compressBelowShare = 0
        var table = ProcessTable(apps: [model], memory: memory, profile: profile, policy: Jetsam())
        table.recordsCallbacks = true
        return table
    }

    /// Opened, left for the home screen, opened again.
    private func openLeaveAndOpen(_ table: inout ProcessTable) {
        table.launch(Self.app, foreground: true, footprint: .mebibytes(50), at: .zero)
        table.becomeActive(Self.app, at: .zero + .seconds(1))
        leave(&table, at: .zero + .seconds(2))
        table.suspend(Self.app, at: .zero + .seconds(7))
        table.resume(Self.app, foreground: true, at: .zero + .seconds(20))
        table.becomeActive(Self.app, at: .zero + .seconds(21))
    }

    private func leave(_ table: inout ProcessTable, at now: SimTime) {
        table.resignActive(Self.app, at: now)
        table.enterBackground(Self.app, at: now)
    }

    private func names(_ table: ProcessTable) -> [AppCallback] { table.callbacks.map(\.callback) }

    private func isInOrder(_ part: [AppCallback], in whole: [AppCallback]) -> Bool {
        var rest = part[...]
        for one in whole where one == rest.first { rest.removeFirst() }
        return rest.isEmpty
    }

    @Test func `before iOS 13 the application hears everything`() {
        var table = phone(.beforeScenes)
        openLeaveAndOpen(&table)
        table.terminate(Self.app, .normal, at: .zero + .seconds(30))
        // UIKit, UIApplicationDelegate: the order of calls in iOS 12.
        #expect(
            names(table) == [
                .willFinishLaunching, .didFinishLaunching, .didBecomeActive, .willResignActive, .didEnterBackground,
                .willEnterForeground, .didBecomeActive, .willTerminate,
            ])
        #expect(table.callbacks.allSatisfy { $0.window < 0 })
    }

    @Test func `since iOS 13 the window hears what concerns it`() {
        var table = phone()
        openLeaveAndOpen(&table)
        leave(&table, at: .zero + .seconds(25))
        table.close(Self.app, window: 0, at: .zero + .seconds(26))
        #expect(
            names(table) == [
                .willFinishLaunching, .didFinishLaunching, .configurationForConnecting, .willConnect,
                .willEnterForeground, .didBecomeActive, .willResignActive, .didEnterBackground, .willEnterForeground,
                .didBecomeActive, .willResignActive, .didEnterBackground, .didDisconnect, .didDiscardSessions,
            ])
        // Two published orders, one without the entry into the foreground of the launch, one without the connection.
        let first: [AppCallback] = [
            .didFinishLaunching, .configurationForConnecting, .willConnect, .didBecomeActive, .willResignActive,
            .didEnterBackground, .willEnterForeground, .didBecomeActive, .didDisconnect,
        ]
        let second: [AppCallback] = [
            .willFinishLaunching, .didFinishLaunching, .willEnterForeground, .didBecomeActive, .willResignActive,
            .didEnterBackground, .didDisconnect,
        ]
        #expect(isInOrder(first, in: names(table)))
        #expect(isInOrder(second, in: names(table)))
        let ofApplication: Set<AppCallback> = [
            .willFinishLaunching, .didFinishLaunching, .configurationForConnecting, .didDiscardSessions,
        ]
        #expect(table.callbacks.allSatisfy { ($0.window < 0) == ofApplication.contains($0.callback) })
    }

    @Test func `an event that starts the app connects no window, and the user's open then does`() {
        var table = phone()
        table.launch(Self.app, foreground: false, footprint: .mebibytes(50), at: .zero)
        #expect(names(table) == [.willFinishLaunching, .didFinishLaunching])
        #expect(table.state(of: Self.app) == .background && table.connectedWindows(of: Self.app) == 0)
        table.clearCallbacks()
        table.resume(Self.app, foreground: true, at: .zero + .second)
        #expect(names(table) == [.configurationForConnecting, .willConnect, .willEnterForeground])
    }

    @Test func `a prewarmed process calls nothing until it is opened, and then goes on`() {
        var table = phone()
        table.prewarm(Self.app, footprint: .mebibytes(10), at: .zero)
        #expect(table.callbacks.isEmpty)
        #expect(table.state(of: Self.app) == .prewarmed && table.residentApps == 1 && table.suspendedApps == 1)
        #expect(table.launchKind(of: Self.app) == .warm)
        table.launch(Self.app, foreground: true, footprint: .mebibytes(50), at: .zero + .hour)
        #expect(names(table).first == .willFinishLaunching)
        #expect(table.state(of: Self.app) == .inactive && table.residentApps == 1)
        #expect(table.footprint(of: Self.app) == .mebibytes(50))
        table.checkInvariants()
    }

    @Test func `an interruption never leads to the background`() {
        var table = phone()
        table.launch(Self.app, foreground: true, footprint: .mebibytes(50), at: .zero)
        table.becomeActive(Self.app, at: .zero)
        table.clearCallbacks()
        table.resignActive(Self.app, at: .zero + .second)
        #expect(table.state(of: Self.app) == .inactive)
        table.becomeActive(Self.app, at: .zero + .seconds(4))
        #expect(names(table) == [.willResignActive, .didBecomeActive])
    }

    @Test func `only an orderly end of a process that can execute is told`() {
        func last(_ category: ExitCategory, suspended: Bool) -> [AppCallback] {
            var table = phone()
            table.launch(Self.app, foreground: true, footprint: .mebibytes(50), at: .zero)
            table.becomeActive(Self.app, at: .zero)
            leave(&table, at: .zero)
            if suspended { table.suspend(Self.app, at: .zero) }
            table.clearCallbacks()
            table.terminate(Self.app, category, at: .zero)
            return names(table)
        }
        #expect(last(.normal, suspended: false) == [.didDisconnect, .willTerminate])
        #expect(last(.normal, suspended: true) == [])
        #expect(last(.watchdog, suspended: false) == [])
        var table = phone()
        table.launch(Self.app, foreground: true, footprint: .mebibytes(50), at: .zero)
        table.clearCallbacks()
        #expect(table.jettison(Self.app, at: .zero) == nil)
        #expect(table.callbacks.isEmpty)
    }

    @Test func `closing one of three windows leaves the application and the other two alone`() {
        var table = phone(windowMemory: .mebibytes(40))
        table.launch(Self.app, foreground: true, window: 0, footprint: .mebibytes(100), at: .zero)
        table.becomeActive(Self.app, window: 0, at: .zero)
        for window in 1...2 {
            table.show(Self.app, window: window, at: .zero)
            table.becomeActive(Self.app, window: window, at: .zero)
        }
        #expect(table.footprint(of: Self.app) == .mebibytes(180))
        table.clearCallbacks()
        table.close(Self.app, window: 1, at: .zero + .second)
        #expect(names(table) == [.willResignActive, .didEnterBackground, .didDisconnect, .didDiscardSessions])
        #expect(table.callbacks.dropLast().allSatisfy { $0.window == 1 })
        #expect(table.state(of: Self.app) == .active)
        #expect(table.state(ofWindow: 1, of: Self.app) == .unattached)
        #expect(table.state(ofWindow: 2, of: Self.app) == .foregroundActive)
        #expect(table.footprint(of: Self.app) == .mebibytes(140))
        #expect(table.band(of: Self.app) == 100)
        table.checkInvariants()
    }

    @Test func `before a process dies, its windows in the background give back their memory`() {
        var table = phone(windowMemory: .mebibytes(40))
        table.launch(Self.app, foreground: true, footprint: .mebibytes(100), at: .zero)
        table.becomeActive(Self.app, at: .zero)
        table.show(Self.app, window: 1, at: .zero)
        table.enterBackground(Self.app, window: 1, at: .zero)
        #expect(table.state(of: Self.app) == .active)
        leave(&table, at: .zero)
        table.suspend(Self.app, at: .zero)
        table.clearCallbacks()
        let critical = table.thresholds.critical / table.memory.visible
        // A little below the critical threshold: one window is enough, and its session is kept.
        table.setAvailable(share: critical - 0.002, at: .zero + .seconds(1))
        #expect(table.isAlive(Self.app))
        #expect(table.callbacks.map(\.window) == [1] && names(table) == [.didDisconnect])
        #expect(table.state(ofWindow: 1, of: Self.app) == .disconnected)
        #expect(table.state(ofWindow: 0, of: Self.app) == .background)
        table.setAvailable(share: 0.5, at: .zero + .seconds(1))
        table.resume(Self.app, foreground: true, window: 1, at: .zero + .seconds(1))
        #expect(table.state(ofWindow: 1, of: Self.app) == .foregroundInactive)
        table.enterBackground(Self.app, window: 1, at: .zero + .seconds(2))
        table.suspend(Self.app, at: .zero + .seconds(2))
        table.setAvailable(share: 0.005, at: .zero + .seconds(3))
        #expect(!table.isAlive(Self.app))
        #expect(table.kills.last?.footprint == .mebibytes(100))
        #expect(table.statistics(at: .zero + .seconds(3)).disconnectedWindows == 2)
        table.checkInvariants()
    }

    @Test func `nothing is kept unless somebody asks`() {
        var table = phone()
        table.recordsCallbacks = false
        openLeaveAndOpen(&table)
        #expect(table.callbacks.isEmpty)
    }
}
