// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Power
import Quantities
import Vocabulary

/// Energy charged to apps, including radio tails and location.
struct AppEnergyMeasures: Sendable {
    /// Energy charged to an app, or to all apps.
    let booked: AppGauge
    /// Energy charged to an app while it is not in the foreground.
    let background: AppGauge
    /// Energy that the whole phone used, equal for every app.
    let whole: AppGauge

    init(_ builder: inout MeasureBuilder) {
        let (booked, background, whole) = (builder.appGauge(), builder.appGauge(), builder.appGauge())
        (self.booked, self.background, self.whole) = (booked, background, whole)
        builder.appMetric(
            "app_energy_share", "1", .lower, "energy booked to apps, as a share of all energy that the phone used"
        ) { $0[booked] / $0[whole] }
        builder.appMetric(
            "app_background_energy_wh_per_day", "Wh/d", .lower,
            "energy booked to apps while they are not on screen, without the radio tails that follow use on screen"
        ) { Energy.joules($0[background]).wattHours / $0.days }
    }

    /// Reads the meters; call this after a flush of the power system.
    func read(_ power: borrowing PowerSystem, whole joules: Double, into measures: inout RunMeasures) {
        var (all, inBackground) = (0.0, 0.0)
        for index in 0..<power.apps {
            let app = AppID(index)
            all += power.energy(of: app).joules
            inBackground += power.backgroundEnergy(of: app).joules
        }
        measures.set(booked, all)
        measures.set(background, inBackground)
        measures.set(whole, joules)
        for app in measures.watched {
            measures.set(booked, of: app, power.energy(of: app).joules)
            measures.set(background, of: app, power.backgroundEnergy(of: app).joules)
            measures.set(whole, of: app, joules)
        }
    }
}
