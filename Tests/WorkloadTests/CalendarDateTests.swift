// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing
import Vocabulary

@testable import Workload

@Suite struct CalendarDateTests {
    @Test(arguments: [
        ("1900-03-01", -25508, 3), ("1970-01-01", 0, 3), ("2000-02-29", 11016, 1), ("2000-03-01", 11017, 2),
        ("2024-02-29", 19782, 3), ("2100-02-28", 47540, 6), ("2100-03-01", 47541, 0),
    ])
    func `dates are numbered as the Gregorian calendar says`(text: String, days: Int, weekday: Int) throws {
        let date = try #require(CalendarDate(text))
        #expect(date.daysSince1970 == days)
        #expect(date.weekday == weekday)
        #expect(CalendarDate(daysSince1970: days).text == text)
    }

    @Test(arguments: ["1900-02-29", "2100-02-29", "2023-02-29", "2024-04-31", "2024-13-01", "24-01-01", "2024-01"])
    func `what is no date is none`(text: String) {
        #expect(CalendarDate(text) == nil)
    }
}

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
