// SPDX-License-Identifier: GPL-3.0-or-later
import Phone
import PhoneCore
import Vocabulary

extension SweepPoint {
    /// The names behind the numbers in rows: the apps, then the daemons and extensions.
    public var processNames: [String] { apps.map(\.name) + device.systemProcesses.map(\.name) }
}
