// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import Importers

@Suite struct AppUsageTextTests {
    @Test(arguments: [
        ("Plugged AC", true), ("Charging", true), ("USB charging", true), ("Unplugged", false), ("Discharging", false),
        ("Not charging", false), ("level changed, screen off, charge on", true), ("screen on, charge off", false),
        ("", nil),
    ])
    func `the note of a row says whether the phone is on a charger`(note: String, isOn: Bool?) {
        #expect(AppUsageText.isOnCharger(note) == isOn)
    }

    @Test(arguments: [
        ("12:30 AM", 1800), ("12:30:15 PM", 45_015), ("1:00 AM", 3600), ("11:59:59 PM", 86_399), ("00:10", 600),
    ])
    func `noon and midnight are twelve`(text: String, second: Int) {
        #expect(AppUsageText.clock(text) == second)
    }
}
