// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Quantities
import Testing

@Suite struct TimeIntegralTests {
    @Test func `a value counts for as long as it held, and begins anew at a restart`() {
        var integral = TimeIntegral(2)
        integral.set(3, at: .seconds(10))
        #expect(integral.integral(until: .seconds(14)) == 32)
        integral.set(0.5, at: .seconds(14))
        integral.restart(at: .seconds(20))
        #expect(integral.value == 0.5)
        #expect(integral.integral(until: .seconds(20)) == 0)
        #expect(integral.integral(until: .seconds(30)) == 5)
    }
}
