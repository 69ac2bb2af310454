// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing
import Vocabulary

@testable import Workload

@Suite struct IntentGateTests {
    @Test func `only the first of two plugs counts, and only an unplug that follows one`() {
        var gate = IntentGate()
        func admits(_ kind: IntentKind, _ value: Double = 0) -> Bool {
            gate.admit(Intent(kind, at: .zero, value: value))
        }
        #expect(!admits(.unplug))
        #expect(admits(.plug, 10))
        #expect(!admits(.plug, 20))
        #expect(admits(.unplug))
        #expect(!admits(.unplug))
        #expect(!admits(.open) && !admits(.lock))
        #expect(admits(.unlock) && !admits(.unlock))
        #expect(admits(.open) && admits(.lock) && !admits(.lock))
    }
}
