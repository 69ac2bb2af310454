// SPDX-License-Identifier: GPL-3.0-or-later
import Statistics
import Testing

@Suite struct HolmTests {
    /// Expected: R's `p.adjust(p, "holm")`, the same as `multipletests(p, method="holm")` of statsmodels 0.15.
    @Test(arguments: [
        ([0.01, 0.02, 0.03, 0.04, 0.05], [0.05, 0.08, 0.09, 0.09, 0.09]),
        ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),
        ([0.0001, 0.7, 0.5, 0.02], [0.0004, 1, 1, 0.06]),
    ])
    func `corrected p-values are R's`(p: [Double], expected: [Double]) {
        for (found, wanted) in zip(holm(p), expected) { #expect(abs(found - wanted) < 1e-15) }
    }

    @Test func `one comparison needs no correction and none gives none`() {
        #expect(holm([0.03]) == [0.03])
        #expect(holm([]) == [])
        #expect(holm([1, 1, 1]) == [1, 1, 1])
        #expect(holm([0, 1]) == [0, 1])
    }
}
