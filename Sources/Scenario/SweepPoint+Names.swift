// SPDX-License-Identifier: GPL-3.0-or-later
import Phone
import PhoneCore
import Vocabulary

extension SweepPoint {
    /// The names behind the numbers in rows: the apps, then the processes of a start state.
    public var processNames: [String] { apps.map(\.name) + device.daemons.listed.map(\.name) }
}
