// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import PhoneCore
import Power
import Quantities
import Scenario
import Vocabulary

extension ListVerb {
    /// Power of every device in every class of activity, in mW, at half brightness and on Wi-Fi, from its model file.
    static func power(_ library: ModelLibrary) throws(Diagnostics) -> Listing {
        var listing = Listing(["device"] + ["standby"] + ActivityClass.allCases.map(\.rawValue))
        listing.head = "mW at half brightness on Wi-Fi, from the figures in each device's file\n"
        for name in library.names(.devices) {
            let phone = try library.device(named: name).power
            let all = [phone.standby().total] + ActivityClass.allCases.map { phone.steadyPower(of: $0).total }
            let numbers = all.map { $0.milliwatts.rounded() }
            listing.add([Listing.Cell(name)] + numbers.map { .number($0, short($0)) })
        }
        return listing
    }
}
