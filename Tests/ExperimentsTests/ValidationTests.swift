// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Scenario
import Testing

@testable import Experiments

/// Findings of several experiments held against the misses that are known.
@Suite struct ValidationTests {
    private func finding(
        _ id: String, _ found: Double, half: Double = 0.5, strength: Target.Strength = .strong,
        basis: Target.Basis = .prediction, point: [SweepPoint.Axis] = []
    ) -> Validation.Found {
        var claim = TargetClaim(id: id, band: 14...18)
        claim.strength = strength
        claim.basis = basis
        let target = Target(claim, quantity: .metric("kills_per_day"))
        let finding = TargetFinding(target: target, policy: "p", point: point, found: found, halfWidth: half, count: 9)
        return ("one", nil, finding)
    }

    private func miss(
        _ id: String, _ found: ClosedRange<Double>, experiment: String = "one", point: [SweepPoint.Axis] = []
    ) -> KnownMiss {
        KnownMiss(experiment: experiment, id: id, point: point, found: found, reason: "why", origin: "known.yaml:3")
    }

    @Test func `a miss fails unless it is known at this size`() {
        let missed = [finding("V28", 39)]
        #expect(Validation(missed, misses: [], isWhole: true).isFailure)
        let known = Validation(missed, misses: [miss("V28", 38...40)], isWhole: true)
        #expect(!known.isFailure && known.rows[0].known?.reason == "why" && known.staleness.isEmpty)
        let moved = Validation(missed, misses: [miss("V28", 30...38.9)], isWhole: true)
        #expect(moved.isFailure && moved.rows[0].known == nil)
        #expect(
            moved.staleness == [
                "known.yaml:3: V28 of one is listed as a known miss with a value from 30.0 to 38.9, but the value is "
                    + "now 39.0"
            ])
        // Nor does an entry excuse a target without a value.
        let empty = Validation([finding("V28", .nan)], misses: [miss("V28", 38...40)], isWhole: true)
        #expect(empty.isFailure && empty.rows[0].isFailure)
    }

    @Test func `a known miss that is met, or is of nothing, is stale`() {
        let met = Validation([finding("V28", 16)], misses: [miss("V28", 15...17)], isWhole: true)
        #expect(met.isFailure && met.rows[0].known == nil)
        #expect(met.staleness == ["known.yaml:3: V28 of one is now met (16.0): remove it from the list"])
        let unknown = Validation([finding("V28", 16)], misses: [miss("V82", 1...2)], isWhole: false)
        #expect(unknown.staleness == ["known.yaml:3: one has no target V82 at that point"])
        // Of experiments that were not looked at nothing is known, unless the whole folder was asked for.
        let other = [miss("V28", 1...2, experiment: "two")]
        #expect(!Validation([finding("V28", 16)], misses: other, isWhole: false).isFailure)
        #expect(Validation([finding("V28", 16)], misses: other, isWhole: true).isFailure)
    }

    @Test func `a known miss is of the sweep points that it names`() {
        let old = [SweepPoint.Axis(path: "device.os", value: "ios-12")]
        let new = [SweepPoint.Axis(path: "device.os", value: "ios-18")]
        let findings = [finding("V28", 30, point: old), finding("V28", 39, point: new)]
        let one = Validation(findings, misses: [miss("V28", 29...31, point: old)], isWhole: true)
        #expect(one.rows.map(\.isFailure) == [false, true] && one.staleness.isEmpty)
        let both = Validation(
            findings, misses: [miss("V28", 29...31, point: old), miss("V28", 38...40, point: new)], isWhole: true)
        #expect(!both.isFailure)
    }

    @Test func `undecided is not met, weak or found targets never fail, and a control does`() {
        let undecided = [
            finding("V13", 14.2), finding("V24", 39, strength: .weak), finding("V30", 39, strength: .found),
        ]
        let validation = Validation(undecided, misses: [], isWhole: true)
        #expect(validation.rows.map(\.isFailure) == [true, false, false])
        let controls = [finding("V10-control", 0, strength: .control), finding("V11-after", 16, strength: .control)]
        #expect(Validation(controls, misses: [], isWhole: true).rows.map(\.isFailure) == [true, false])
        #expect(!Validation(undecided, misses: [miss("V13", 14...14.4)], isWhole: true).isFailure)
    }

    @Test func `a phone that is the same in all replications has to say why`() {
        typealias Verdict = TargetFinding.Verdict
        func verdict(_ half: Double, _ basis: Target.Basis, same: String = "", count: Int = 9) -> Verdict {
            var claim = TargetClaim(id: "V27", band: 14...18)
            (claim.basis, claim.sameInAll) = (basis, same)
            return TargetFinding(
                target: Target(claim, quantity: .metric("kills_per_day")), policy: "p", found: 16, halfWidth: half,
                count: count
            ).verdict
        }
        for basis in [Target.Basis.prediction, .inSample, .calibrated] {
            #expect(verdict(0, basis) == .stuck)
            #expect(verdict(0.1, basis) == .met)
            #expect(verdict(0, basis, same: "nothing of it is drawn") == .met)
            #expect(verdict(.infinity, basis, count: 1) == .met)
        }
        #expect(verdict(0, .identity) == .met && verdict(0, .numerics) == .met)
        #expect(Validation([finding("V27", 16, half: 0)], misses: [], isWhole: true).isFailure)
    }

    @Test func `predictions, fits and identities are counted apart`() {
        let findings = [
            finding("a", 16), finding("b", 39), finding("c", 14.2), finding("d", 16, basis: .calibrated),
            finding("e", 16, basis: .identity), finding("f", 39, strength: .weak), finding("g", 39),
            finding("h", 16, strength: .control), finding("i", 39, strength: .control, basis: .identity),
        ]
        let validation = Validation(findings, misses: [miss("g", 38...40)], isWhole: true)
        #expect(
            validation.tally(.prediction, .strong) == .init(met: 1, known: 1, undecided: 1, count: 4))
        #expect(validation.tally(.calibrated, .strong) == .init(met: 1, known: 0, undecided: 0, count: 1))
        #expect(validation.tally(.identity, .strong) == .init(met: 1, known: 0, undecided: 0, count: 1))
        #expect(validation.tally(.prediction, .weak) == .init(met: 0, known: 0, undecided: 0, count: 1))
        #expect(validation.tally(.prediction, .medium) == .init())
        #expect(validation.tally(nil, .control) == .init(met: 1, known: 0, undecided: 0, count: 2))
    }
}
