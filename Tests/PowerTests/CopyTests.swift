// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing
import Vocabulary

@testable import Power

@Suite struct `A copy of the energy side` {
    /// Every cell of the ledger, the battery and the radios, as bits.
    private static func bits(_ system: borrowing PowerSystem) -> [UInt64] {
        var values: [Double] = [system.storedEnergy.joules, system.totalPower.watts, system.battery.charge]
        for component in Component.allCases {
            for cause in Cause.allCases { values.append(system.energy(of: component, cause: cause).joules) }
        }
        for app in -1..<20 {
            for scope in [Scope.foreground, .background, .idle] {
                values.append(system.energy(of: AppID(app), scope).joules)
            }
        }
        for index in 0..<system.radios.count {
            values += [system.radios[index].power, system.radios[index].deadline.seconds]
        }
        return values.map(\.bitPattern)
    }

    /// Random changes for some hours, with the machine's own timers between them.
    private static func advance(
        _ system: inout PowerSystem, _ handles: inout [LoadHandle], _ draw: inout Draw, from start: SimTime, steps: Int
    ) -> SimTime {
        var now = start
        for _ in 0..<steps {
            let next = now + .milliseconds(Double(draw(60_000)))
            run(&system, from: now, to: next)
            now = next
            disturb(&system, &handles, &draw, at: now)
        }
        return now
    }

    @Test(arguments: [TailAttribution.lastUser, .equalSplit], [UInt64(1), 2, 3])
    func `goes on as its original, and neither moves the other`(tails: TailAttribution, seed: UInt64) {
        var parameters = PowerParameters.iPhone13
        parameters.tailAttribution = tails
        var original = PowerSystem(parameters, apps: 20, initialLevel: 0.8)
        var (handles, draw) = ([LoadHandle](), Draw(state: seed))
        let now = Self.advance(&original, &handles, &draw, from: .zero, steps: 300)
        // More transfers wait than the radio first has room for.
        original.setNetwork(.cellular, at: now)
        for index in 0..<20 {
            _ = original.beginTransfer(
                .cellular, down: .kibibytes(Double(100 * (index + 1))), up: .zero, app: AppID(index),
                cause: .backgroundTask, at: now)
        }
        let before = Self.bits(original)

        var copy = PowerSystem(copying: original)
        var (otherHandles, otherDraw) = (handles, draw)
        #expect(Self.bits(copy) == before)
        let end = Self.advance(&copy, &otherHandles, &otherDraw, from: now, steps: 300)
        #expect(Self.bits(copy) != before)
        #expect(Self.bits(original) == before)
        #expect(Self.advance(&original, &handles, &draw, from: now, steps: 300) == end)
        #expect(Self.bits(original) == Self.bits(copy))
    }
}
