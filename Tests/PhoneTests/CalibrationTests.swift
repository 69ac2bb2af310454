import Quantities
import Testing
import Vocabulary

@testable import Phone
@testable import PhoneCore

@Suite struct CalibrationTests {
    @Test func `the scores are those of the definitions`() {
        var calibration = Calibration()
        for _ in 0..<3 { calibration.add(0.25, opened: false) }
        calibration.add(0.25, opened: true)
        // (3 x 0.0625 + 0.5625) / 4; said and happened agree; the base rate says the same.
        #expect(abs(calibration.brier - 0.1875) < 1e-12)
        #expect(abs(calibration.reliability) < 1e-12)
        #expect(abs(calibration.skill) < 1e-12)
        var sure = Calibration()
        sure.add(1, opened: true)
        sure.add(0, opened: false)
        #expect(sure.brier == 0 && sure.skill == 1 && sure.reliability == 0)
        var wrong = Calibration()
        wrong.add(1, opened: false)
        wrong.add(0, opened: true)
        #expect(wrong.brier == 1 && wrong.reliability == 1 && wrong.skill == -3)
    }

    @Test func `on the phone as many opens follow as the predictor says`() {
        let outcome = simulate(TestWorld.specification(apps: TestWorld.apps(20), days: 6, warmup: .days(2)))
        #expect(outcome("prediction_brier") > 0 && outcome("prediction_brier") < 0.1)
        #expect(outcome("prediction_skill") > -0.5)
        #expect(outcome("prediction_reliability") < 0.02)
    }
}
