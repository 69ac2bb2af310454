// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing
import Vocabulary

@testable import SchedulingPolicies

/// The app prediction that goes ahead of the thresholds of Android's standby buckets.
@Suite struct BucketPredictorTests {
    private func request(_ likelihood: Double, opened hours: Double = 30, app: Int = 0) -> RequestView {
        var request = Samples.refresh()
        request.app = AppID(app)
        request.openLikelihood = likelihood
        request.lastOpened = Samples.now - .hours(hours)
        return request
    }

    @Test(arguments: [
        (0.4, StandbyBucket.active), (0.2, .active), (0.19, .workingSet), (0.1, .workingSet), (0.09, .frequent),
        (0.05, .frequent), (0.04, .rare), (0, .rare),
    ])
    func `likely apps are active, and each half is a bucket less`(likelihood: Double, bucket: StandbyBucket) {
        var predictor = BucketPredictor(active: 0.2)
        #expect(predictor.bucket(of: request(likelihood), usual: .frequent, at: Samples.now) == bucket)
    }

    @Test func `an answer holds for twelve hours, for its app alone`() {
        var predictor = BucketPredictor(active: 0.2)
        func ask(_ likelihood: Double, after hours: Double, app: Int = 3) -> StandbyBucket {
            predictor.bucket(of: request(likelihood, app: app), usual: .frequent, at: Samples.now + .hours(hours))
        }
        #expect(ask(0, after: 0) == .rare && ask(0.5, after: 11.9) == .rare && ask(0.5, after: 11.9, app: 7) == .active)
        #expect(ask(0.5, after: 12) == .active)
        #expect(ask(0, after: 13) == .active && ask(0, after: 23.8, app: 7) == .active && ask(0, after: 24) == .rare)
    }

    @Test func `a use counts for an hour by itself, and nobody predicts who is restricted or without a predictor`() {
        var predictor = BucketPredictor(active: 0.2)
        #expect(predictor.bucket(of: request(0, opened: 0.9), usual: .active, at: Samples.now) == .active)
        #expect(predictor.bucket(of: request(0, opened: 1.1), usual: .active, at: Samples.now) == .rare)
        #expect(predictor.bucket(of: request(1, opened: 300), usual: .restricted, at: Samples.now) == .restricted)
        var none = BucketPredictor(active: 0)
        #expect(none.bucket(of: request(1), usual: .rare, at: Samples.now) == .rare)
    }

    /// An app that was opened 49 h ago, two of them with the screen on, is in the bucket RARE: three sessions a day.
    @Test func `whoever is predicted to be used may run more often`() throws {
        func starts(_ predictor: Double, _ likelihood: Double) throws -> Int {
            var policy = try PolicyBench.policy("jobscheduler", [0, 2, 1, 1, 1860, 0, 16, 0, predictor])
            var device = Samples.locked()
            var count = 0
            for step in 0..<48 {
                device.now = Samples.now + .minutes(30 * Double(step))
                var request = request(likelihood, opened: 49)
                request.screenTimeSinceOpened = .hours(2)
                request.earliestBegin = device.now
                request.deadline = device.now + .days(9)
                guard policy.decide(request, device).proceed else { continue }
                count += 1
                request.lastRun = device.now
                policy.didFinish(request, foundNewContent: true, at: device.now + .seconds(2))
            }
            return count
        }
        #expect(try starts(0, 1) == 3 && starts(0.2, 0) == 3)
        // ACTIVE waits for no window; WORKING_SET has ten sessions in two hours.
        #expect(try starts(0.2, 1) == 48 && starts(0.2, 0.15) == 48)
        // FREQUENT: eight sessions in eight hours.
        #expect(try starts(0.2, 0.07) == 24)
    }
}
