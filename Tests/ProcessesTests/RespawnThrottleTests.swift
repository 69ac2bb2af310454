// SPDX-License-Identifier: GPL-3.0-or-later
import Processes
import Quantities
import Testing

@Suite struct RespawnThrottleTests {
    private static func after(_ lives: [Double]) -> SimDuration {
        var throttle = RespawnThrottle()
        for life in lives { throttle.ended(after: .seconds(life)) }
        return throttle.wait
    }

    @Test func `ten early ends are forgiven, each further one doubles the wait, up to twenty minutes`() {
        #expect(RespawnThrottle().wait == .seconds(10))
        for (ends, seconds) in [
            (1, 10.0), (10, 10), (11, 20), (12, 40), (13, 80), (14, 160), (15, 320), (16, 640), (17, 1200), (18, 1200),
            (400, 1200),
        ] {
            #expect(Self.after(Array(repeating: 0.5, count: ends)) == .seconds(seconds), "\(ends) ends")
        }
    }

    @Test func `early is less than ten seconds, and a minute begins anew`() {
        let eleven = Array(repeating: 9.999, count: 11)
        #expect(Self.after(eleven) == .seconds(20))
        #expect(Self.after(Array(repeating: 10, count: 30)) == .seconds(10))
        // Between the two nothing changes.
        #expect(Self.after(eleven + [59.9]) == .seconds(20))
        #expect(Self.after(eleven + [59.9, 1]) == .seconds(40))
        #expect(Self.after(eleven + [60, 1]) == .seconds(10))
    }
}
