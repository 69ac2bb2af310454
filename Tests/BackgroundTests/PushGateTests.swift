// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import RandomStreams
import Testing
import Vocabulary

@testable import Background

@Suite struct PushGateTests {
    private let app = AppID(0)

    private func gate(_ change: (inout PushParameters) -> Void = { _ in }) -> PushGate {
        var parameters = PushParameters()
        change(&parameters)
        return PushGate(apps: 2, parameters: parameters)
    }

    /// When a flood of pushes is let through, one sent per interval.
    private func flood(_ gate: inout PushGate, every interval: SimDuration, for length: SimDuration) -> [SimTime] {
        var delivered: [SimTime] = []
        var sent = SimTime.zero
        while sent < .zero + length {
            _ = gate.hold(app, sent: sent)
            // The newest goes out when the gate opens, if that is before the next is sent.
            let opens = gate.opens(for: app, from: sent)
            if opens < sent + interval, gate.release(app, inForeground: false, at: opens) != nil {
                delivered.append(opens)
            }
            sent += interval
        }
        return delivered
    }

    @Test func `a flood gets two to three an hour, in bursts of ten minutes and an hour of silence`() {
        var gate = gate()
        let delivered = flood(&gate, every: .minute, for: .days(2))
        let perHour = Double(delivered.count) / 48
        #expect(perHour >= 2 && perHour <= 3)
        let gaps = zip(delivered.dropFirst(), delivered).map { $0 - $1 }
        #expect(gaps.allSatisfy { $0 == .minutes(5) || $0 == .minutes(60) })
        #expect(gaps.contains(.minutes(60)))
    }

    @Test func `two an hour all go through at once`() {
        var gate = gate()
        let delivered = flood(&gate, every: .minutes(30), for: .days(1))
        #expect(delivered.count == 48)
        #expect(delivered.enumerated().allSatisfy { $1 == .zero + .minutes(30) * Double($0) })
    }

    @Test func `the newest waits`() {
        var gate = gate()
        let first = gate.hold(app, sent: .zero)
        let second = gate.hold(app, sent: .zero + .minute)
        #expect(!first && second)
        let released = gate.release(app, inForeground: false, at: .zero + .hour)
        #expect(released == .zero + .minute)
        #expect(gate.held(for: app) == nil)
        let again = gate.release(app, inForeground: false, at: .zero + .hour)
        #expect(again == nil)
    }

    @Test func `a push to an app on screen costs no allowance`() {
        var gate = gate()
        for minute in 0..<30 {
            _ = gate.hold(app, sent: .zero + .minutes(Double(minute)))
            _ = gate.release(app, inForeground: true, at: .zero + .minutes(Double(minute)))
        }
        #expect(gate.allowance(of: app, at: .zero + .minutes(30)) == 3)
    }

    @Test func `no allowance, no push`() {
        let gate = gate { $0.perWindow = 0 }
        #expect(gate.opens(for: app, from: .zero) == .distantFuture)
    }

    @Test func `whatever is sent, the allowance never falls below zero and no window lets more through`() {
        var stream = RandomStream(StreamKey(seed: 3, replication: 0, entity: "gate", purpose: "test"))
        for _ in 0..<200 {
            let perWindow = stream.integer(below: 5)
            var gate = gate { $0.perWindow = perWindow }
            var now = SimTime.zero
            var delivered: [SimTime] = []
            for _ in 0..<300 {
                now += .seconds(stream.exponential(mean: 400))
                switch stream.integer(below: 4) {
                case 0: gate.drop(app)
                case 1:
                    if let sent = gate.release(app, inForeground: true, at: now) { #expect(sent <= now) }
                default:
                    _ = gate.hold(app, sent: now)
                    if gate.opens(for: app, from: now) <= now {
                        if let sent = gate.release(app, inForeground: false, at: now) {
                            #expect(sent <= now)
                            delivered.append(now)
                        }
                    }
                }
                #expect((0...perWindow).contains(gate.allowance(of: app, at: now)))
                #expect(gate.opens(for: app, from: now) >= now)
            }
            // A window begins with a push, and holds at most its number.
            var start = SimTime.zero - .days(1)
            var used = 0
            for time in delivered {
                if time - start >= .minutes(70) { (start, used) = (time, 0) }
                used += 1
                #expect(used <= perWindow)
            }
        }
    }
}
