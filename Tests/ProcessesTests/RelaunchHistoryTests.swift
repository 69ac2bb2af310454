// SPDX-License-Identifier: GPL-3.0-or-later
import Processes
import Quantities
import Testing

@Suite struct RelaunchHistoryTests {
    @Test func `a job that was never killed is unknown, and the bounds are 5 and 10 s`() {
        #expect(RelaunchHistory().record == .unknown)
        for (time, record) in [
            (0.0, RelaunchRecord.high), (5, .high), (5.001, .medium), (10, .medium), (10.001, .low), (90_000, .low),
        ] {
            var history = RelaunchHistory()
            history.add(.seconds(time))
            #expect(history.record == record, "\(time) s")
        }
    }

    @Test func `the last ten times have the class that all of them give in one list`() {
        // Any sequence that visits all three classes: a multiplicative generator modulo a prime.
        var state = 5
        for length in 1...40 {
            var history = RelaunchHistory()
            var times: [Int] = []
            for _ in 0..<length {
                state = state * 16807 % 2_147_483_647
                let time = state % 15_000
                history.add(.milliseconds(Double(time)))
                times.append(time)
            }
            #expect(history.record == RelaunchRecord(milliseconds: Array(times.suffix(10))), "\(times)")
        }
    }

    @Test func `what lies more than ten relaunches back is forgotten`() {
        var history = RelaunchHistory()
        for _ in 0..<9 { history.add(.hours(1)) }
        for _ in 0..<5 { history.add(.seconds(1)) }
        #expect(history.record == .low)
        history.add(.seconds(1))
        #expect(history.record == .high)
    }
}
