// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Quantities
import Testing
import Vocabulary

@testable import Behaviours
@testable import Phone
@testable import PhoneCore

@Suite struct CalibrationTests {
    private func scores(_ predictions: [(likelihood: Double, opened: Bool)]) -> Calibration {
        var builder = MeasureBuilder()
        let handles = CalibrationMeasures(&builder)
        var measures = RunMeasures(MetricCatalogue(builder))
        for one in predictions { handles.add(one.likelihood, opened: one.opened, to: &measures) }
        return handles.read { measures[$0] }
    }

    @Test func `the scores are those of the definitions`() {
        let even = scores([(0.25, false), (0.25, false), (0.25, false), (0.25, true)])
        // (3 x 0.0625 + 0.5625) / 4; said and happened agree; the base rate says the same.
        #expect(abs(even.brier - 0.1875) < 1e-12)
        #expect(abs(even.reliability) < 1e-12)
        #expect(abs(even.skill) < 1e-12)
        let sure = scores([(1, true), (0, false)])
        #expect(sure.brier == 0 && sure.skill == 1 && sure.reliability == 0)
        let wrong = scores([(1, false), (0, true)])
        #expect(wrong.brier == 1 && wrong.reliability == 1 && wrong.skill == -3)
    }

    @Test func `where all half hours end alike there is no skill, and without predictions no score`() {
        for opened in [true, false] {
            let alike = scores([(0.25, opened), (0.5, opened)])
            #expect(alike.skill.isNaN && alike.brier > 0)
        }
        let none = scores([])
        #expect(none.skill.isNaN && none.brier.isNaN && none.reliability.isNaN)
    }

    @Test func `on the phone as many opens follow as the predictor says`() {
        let outcome = simulate(TestWorld.specification(apps: TestWorld.apps(20), days: 6, warmup: .days(2)))
        // Order is the claim: a predictor may be good or bad, but what it says in the mean must come about. Values of
        // the scores stand above, and that of reliability in TraceTests.
        #expect(outcome("prediction_brier") > 0 && outcome("prediction_brier") < 0.1)
        #expect(outcome("prediction_skill") > -0.5)
        #expect(outcome("prediction_reliability") < 0.02)
    }
}
