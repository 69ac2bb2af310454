// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import Scenario

/// What a policy needs of the phone.
@Suite struct PolicyNeedsTests {
    private let bare =
        "device: {base: iphone-13, radios: {cellular: {base: lte-2020, tail: []}, wifi: {base: wifi-2020s, tail: []}}}"

    @Test func `a policy that lives off the radio's tail is refused on a device without one`() {
        let found = complaint(
            "device", bare, overrides: ["policies.scheduling=[opportunistic, tailender]"])
        #expect(
            found.contains("the policy \"jetsam+tailender\" needs a radio with a tail, which this device lacks"),
            "\(found)")
        let plain = complaint("device", bare, overrides: ["policies.scheduling=[opportunistic]"])
        #expect(plain == "no problem", "\(plain)")
    }
}
