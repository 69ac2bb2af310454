// SPDX-License-Identifier: GPL-3.0-or-later
import Disk
import Power
import Quantities
import Vocabulary

/// Installs of apps and of new versions.
extension PhoneCore {
    /// Installs a new version of an app if there is space for it next to the old one; this ends the app's process.
    ///
    /// - Returns: Whether the version was installed.
    package mutating func installVersion(of app: AppID) -> Bool {
        let bundle = apps[Int(app.index)].files.bundle
        if let disk, disk.free - bundle * (disk.parameters.updateRoom - 1) < disk.reserve(of: app) {
            noteDisk(.updatePutOff, app, bundle)
            return false
        }
        exit(app, .normal)
        fetchBundle(bundle, of: app)
        noteDisk(.update, app, bundle)
        if disk != nil { purgeTemporary(of: app) }
        return true
    }

    /// Installs an app that the user wants if there is space for it; counts a failure.
    ///
    /// - Returns: Whether the app was installed.
    package mutating func bringApp(_ app: AppID) -> Bool {
        let bundle = apps[Int(app.index)].files.bundle
        if let disk, !disk.isBrought(app), disk.free - bundle < disk.reserve(of: app) {
            noteDisk(.installRefused, app, bundle)
            post(.diskLow)
            return false
        }
        fetchBundle(bundle, of: app)
        if disk?.isBrought(app) == false {
            disk?.bring(app, bundle: bundle)
            noteDisk(.bring, app, bundle)
        }
        return true
    }

    /// Downloads an app and writes its files.
    private mutating func fetchBundle(_ bundle: ByteCount, of app: AppID) {
        transfer(down: bundle, up: Self.requestBytes, app, .transfer)
        power.addEnergy(.storage, device.power.storage.writing(bundle), app: app, cause: .transfer, at: now)
    }
}
