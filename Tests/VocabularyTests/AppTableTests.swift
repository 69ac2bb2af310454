// SPDX-License-Identifier: GPL-3.0-or-later
import Structures
import Testing
import Vocabulary

@Suite struct AppTableTests {
    @Test func `tables by app answer to the app's own row`() {
        var table = AppTable(repeating: 1, count: 3)
        table[AppID(2)] = 9
        #expect(table.elements == [1, 1, 9] && table[AppID(0)] == 1)
        var growing = GrowingAppTable("none")
        growing[AppID(1)] = "one"
        #expect([growing[AppID(0)], growing[AppID(1)], growing[AppID(7)]] == ["none", "one", "none"])
    }
}
