// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing
import Vocabulary
import Workload

@testable import Behaviours
@testable import Phone
@testable import PhoneCore

@Suite struct OracleTests {
    @Test func `the forecast names the next open of each app at every instant`() {
        let specification = TestWorld.specification(days: 3)
        var opens: [Intent] = []
        var day: [Intent] = []
        var workload = specification.workload
        while workload.nextDay(into: &day) { opens += day.filter { $0.kind == .open } }
        #expect(opens.count > 100)
        var forecast = OpenForecast(of: specification.workload, apps: specification.apps.count)
        for instant in [SimTime(nanoseconds: -1)] + opens.map(\.time) {
            for index in specification.apps.indices {
                let expected = opens.first { $0.app == AppID(index) && $0.time > instant }?.time ?? .distantFuture
                #expect(forecast.next(of: AppID(index), after: instant) == expected)
            }
        }
    }

    @Test func `reading ahead changes neither the workload nor a policy that does not look`() {
        let blind = simulate(TestWorld.specification())
        let sighted = simulate(TestWorld.specification(readsFuture: true))
        #expect(blind.workloadFingerprint == sighted.workloadFingerprint)
        #expect(blind.fingerprint == sighted.fingerprint)
        #expect(blind.metrics.map(\.bitPattern) == sighted.metrics.map(\.bitPattern))
    }

    @Test func `the clairvoyant order relaunches less than every blind one, and nobody less than without bounds`() {
        func relaunches(_ policy: String, readsFuture: Bool = false) -> Double {
            let device = TestWorld.device(ram: .gibibytes(3))
            return simulate(
                TestWorld.specification(device: device, days: 4, eviction: policy, readsFuture: readsFuture))(
                    "relaunches_per_day")
        }
        // Order is the claim: whoever knows the next opens kills whom nobody misses.
        let oracle = relaunches("belady", readsFuture: true)
        for rival in ["jetsam", "lru", "fifo", "lfu", "random", "predicted", "smartlmk", "android-ranker"] {
            #expect(oracle < relaunches(rival), "\(rival)")
        }
        #expect(relaunches("unbounded") <= oracle)
    }
}
