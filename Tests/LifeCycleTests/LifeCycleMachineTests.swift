// SPDX-License-Identifier: GPL-3.0-or-later
import LifeCycle
import Testing
import Vocabulary

/// The machine alone: which moves are legal, and what state the process is in.
@Suite struct LifeCycleMachineTests {
    private static let moves: [LifeCycleMove] =
        [.prewarm, .launchInBackground, .suspend, .resumeInBackground, .end(isOrderly: true), .end(isOrderly: false)]
        + (0..<3).flatMap { window -> [LifeCycleMove] in
            [
                .launch(window: window), .enterForeground(window: window), .becomeActive(window: window),
                .resignActive(window: window), .enterBackground(window: window),
                .disconnect(window: window, isDiscarded: false), .disconnect(window: window, isDiscarded: true),
            ]
        }

    /// Every state that three windows and their process can be in.
    private static let reachable: [LifeCycleMachine] = {
        var all = [LifeCycleMachine()]
        var next = 0
        while next < all.count {
            for move in moves where all[next].allows(move) {
                var life = all[next]
                life.apply(move)
                if !all.contains(life) { all.append(life) }
            }
            next += 1
        }
        return all
    }()

    private func windows(_ life: LifeCycleMachine) -> [SceneState] { (0..<3).map { life.state(ofWindow: $0) } }

    @Test func `F01: the process is as far in the foreground as its foremost window`() {
        // Not running and prewarmed, without windows; 5 states of each window otherwise, each all in the background
        // either running or suspended.
        #expect(Self.reachable.count == 2 + 125 + 27)
        for life in Self.reachable {
            let windows = windows(life)
            if windows.contains(.foregroundActive) {
                #expect(life.state == .active)
            } else if windows.contains(.foregroundInactive) {
                #expect(life.state == .inactive)
            } else {
                #expect([.notRunning, .prewarmed, .background, .suspended].contains(life.state))
            }
            if life.state == .notRunning || life.state == .prewarmed {
                #expect(windows.allSatisfy { $0 == .unattached })
            }
        }
    }

    @Test func `F04, F05: processes move between neighbours only, and end from everywhere`() {
        // From suspended to inactive the way leads through the background, for no time.
        let legal: Set<[ProcessState]> = [
            [.notRunning, .prewarmed], [.notRunning, .inactive], [.notRunning, .background],
            [.prewarmed, .inactive], [.prewarmed, .background], [.inactive, .active], [.active, .inactive],
            [.inactive, .background], [.background, .inactive], [.background, .suspended], [.suspended, .background],
            [.suspended, .inactive],
        ]
        var seen: Set<[ProcessState]> = []
        for life in Self.reachable {
            for move in Self.moves where life.allows(move) {
                var after = life
                after.apply(move)
                let step = [life.state, after.state]
                if case .end = move {
                    #expect(after == LifeCycleMachine())
                } else if step[0] != step[1] {
                    #expect(legal.contains(step), "\(move) from \(step[0]) to \(step[1])")
                    seen.insert(step)
                }
            }
            #expect(life.allows(.end(isOrderly: false)) == (life.state != .notRunning))
        }
        #expect(seen == legal)
    }

    @Test func `F10: each window moves on its own, and one that goes never ends the process`() {
        for life in Self.reachable {
            for window in 0..<3 {
                for discarded in [true, false] {
                    let move = LifeCycleMove.disconnect(window: window, isDiscarded: discarded)
                    guard life.allows(move) else { continue }
                    var after = life
                    after.apply(move)
                    #expect(after.state == life.state)
                    #expect(after.state(ofWindow: window) == (discarded ? .unattached : .disconnected))
                    for other in 0..<3 where other != window {
                        #expect(after.state(ofWindow: other) == life.state(ofWindow: other))
                    }
                }
            }
        }
    }

    @Test func `a machine refuses an illegal move and a window that no app has`() async {
        await #expect(processExitsWith: .failure) {
            var life = LifeCycleMachine()
            life.apply(.becomeActive(window: 0))
        }
        await #expect(processExitsWith: .failure) {
            var life = LifeCycleMachine()
            life.apply(.launch(window: 0))
            life.apply(.suspend)
        }
        await #expect(processExitsWith: .failure) {
            var life = LifeCycleMachine()
            life.apply(.launch(window: 8))
        }
    }

    @Test func `a record of a process does not grow with its windows`() {
        #expect(MemoryLayout<LifeCycleMachine>.size == 5)
    }
}
