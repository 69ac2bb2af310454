import Background
import Measures
import PhoneCore
import Power
import Processes
import Quantities
import Vocabulary

extension PhoneCore {
    /// The run's metrics in the order of `MetricCatalog.all`.
    mutating func metrics(at now: SimTime) -> [Double] {
        power.flush(at: now)
        let days = (now - warmupEnd) / .day
        var values = MetricValues(days: days)
        fillLaunches(&values)
        fillExits(&values)
        fillMemory(&values, at: now)
        fillEnergy(&values, at: now)
        fillMarks(&values, at: now)
        fillFreshness(&values)
        fillEvents(&values)
        values.perDay("cellular_bytes_per_day", Double(book.counts.cellularBytes))
        values.perDay("wifi_bytes_per_day", Double(book.counts.wifiBytes))
        return values.all
    }

    private func fillLaunches(_ values: inout MetricValues) {
        let relaunches = book.counts.warm + book.counts.cold
        values.perDay("relaunches_per_day", Double(relaunches))
        values.perDay("cold_launches_per_day", Double(book.counts.cold))
        values.perDay("warm_launches_per_day", Double(book.counts.warm))
        values.perDay("resumes_per_day", Double(book.counts.resumes))
        values.share("relaunch_share", relaunches, of: relaunches + book.counts.resumes)
        values.perDay("launch_wait_s_per_day", book.counts.launchSeconds.sum)
        values.set("launch_ms_p95", 1000 * book.counts.launchSeconds.quantile(0.95))
        values.perDay("missed_visits_per_day", Double(book.counts.missed))
    }

    private func fillExits(_ values: inout MetricValues) {
        values.perDay("kills_per_day", Double(book.counts.kills))
        values.perDay("system_kills_per_day", Double(book.counts.systemKills))
        for category in ExitCategory.allCases {
            let place = Int(category.rawValue)
            values.perDay("exits_bg_\(category.name)_per_day", Double(book.counts.exitsBackground[place]))
            if category.existsInForeground {
                values.perDay("exits_fg_\(category.name)_per_day", Double(book.counts.exitsForeground[place]))
            }
        }
        values.perDay("regretted_kills_per_day", Double(book.counts.regrettedKills))
        values.perDay("lost_work_s_per_day", book.counts.lostWork)
        values.share(
            "restored_share", book.counts.restoredLaunches, of: book.counts.restoredLaunches + book.counts.unrestoredLaunches)
    }

    private func fillMemory(_ values: inout MetricValues, at now: SimTime) {
        let span = (now - warmupEnd).seconds
        values.perDay("reclaimed_windows_per_day", Double((processes.statistics(at: now).disconnectedWindows - book.windowsAtWarmup)))
        values.perDay("memory_warnings_per_day", Double(book.counts.warnings))
        values.set("pressure_warning_share", book.counts.pressureWarning.integral(until: now) / span)
        values.set("resident_apps_mean", book.counts.residentApps.integral(until: now) / span)
        values.set("ram_growth_mib", max(0, -processes.lowestAvailable.mebibytes))
    }

    private func fillEnergy(_ values: inout MetricValues, at now: SimTime) {
        let end = EnergySnapshot(power)
        let start = book.energyAtWarmup
        func wattHours(_ joules: Double) -> Double { Energy.joules(joules).wattHours }
        values.perDay("energy_wh_per_day", wattHours(end.used - start.used))
        values.perDay("wall_wh_per_day", wattHours(end.wall - start.wall))
        values.perDay("background_energy_wh_per_day", wattHours(end.background - start.background))
        values.perDay("radio_tail_energy_wh_per_day", wattHours(end.tail - start.tail))
        values.perDay("relaunch_energy_wh_per_day", wattHours(end.relaunch - start.relaunch))
        values.perDay("wakeups_per_day", Double(end.wakeups - start.wakeups))
        values.set("battery_pct_at_22h", book.counts.batteryAt22.sum / Double(book.counts.batteryAt22.days))
        values.perDay("hours_below_20_pct_per_day", book.counts.below20.integral(until: now) / 3600)
        values.perDay("dead_hours_per_day", book.counts.dead.integral(until: now) / 3600)
        values.set("battery_life_h", book.counts.firstDeath.map { ($0 - warmupEnd) / .hour } ?? .nan)
        values.perDay("hours_above_80_pct_per_day", book.counts.above80.integral(until: now) / 3600)
        values.set("unplug_pct_mean", book.counts.unplugLevel.mean)
        values.set("charge_min_to_50", book.counts.chargeToHalf.mean)
        values.set("charge_min_to_100", book.counts.chargeToFull.mean)
        let inside = end.charged - start.charged + end.adapter - start.adapter
        values.set("charging_efficiency", inside / (end.wall - start.wall))
        values.set("max_temperature_c", power.highestTemperature.celsius)
        values.perDay("hot_hours_per_day", book.counts.hot.integral(until: now) / 3600)
        values.perDay("low_power_hours_per_day", book.counts.lowPower.integral(until: now) / 3600)
    }

    private func endedRequests(_ outcome: RequestOutcome) -> Int {
        let place = Int(outcome.rawValue)
        return background.outcomes[place] - book.outcomesAtWarmup[place]
    }

    private func fillEvents(_ values: inout MetricValues) {
        values.perDay("silent_pushes_per_day", Double(book.counts.silentDelivered))
        values.share("silent_push_delivered_share", book.counts.silentDelivered, of: book.counts.silentSent)
        values.set("silent_push_delay_s_p95", book.counts.silentDelay.quantile(0.95))
        values.perDay("event_launches_per_day", Double(book.counts.eventLaunches))
        values.perDay("answered_alerts_per_day", Double(book.counts.answeredAlerts))
        values.perDay("missed_calls_per_day", Double(book.counts.callsMissed))
        values.perDay("held_s_per_day", book.counts.heldSeconds)
        values.perDay("calls_cut_per_day", Double(book.counts.modesCut))
        values.perDay("transfers_per_day", Double(book.counts.transfersDone))
        values.set("transfer_delay_s_p95", book.counts.transferDelay.quantile(0.95))
        values.perDay("heartbeats_per_day", Double(book.counts.heartbeats))
        let widgets = apps.filter(\.traits.hasWidget).count
        values.perDay("widget_reloads_per_day", Double(book.counts.widgetReloads) / Double(widgets))
    }

    private func fillFreshness(_ values: inout MetricValues) {
        values.set("freshness_s_mean", book.counts.freshness.mean)
        values.set("freshness_s_p95", book.counts.freshness.quantile(0.95))
        values.set("since_refresh_s_mean", book.counts.sinceRefreshSum / Double(book.counts.sinceRefreshCount))
        values.perDay("refreshes_per_day", Double(book.counts.refreshes))
        values.share("wasted_refresh_share", book.counts.wastedRefreshes, of: book.counts.refreshes)
        values.set("refresh_gap_median_s", book.counts.refreshGaps.quantile(0.5))
        values.share("overnight_gap_share", book.counts.nights.long, of: book.counts.nights.all)
        values.set("prediction_brier", book.counts.calibration.brier)
        values.set("prediction_skill", book.counts.calibration.skill)
        values.set("prediction_reliability", book.counts.calibration.reliability)
        values.share("processing_completed_share", book.counts.processingCompleted, of: book.counts.processingEnded)
        values.share("expired_share", book.counts.launchesExpired, of: book.counts.launchesEnded)
        let ended = endedRequests(.success) + endedRequests(.expired) + endedRequests(.failed)
        let missed = endedRequests(.never)
        values.share("deadline_miss_share", missed, of: ended + missed)
        values.share("push_delivered_share", book.counts.pushesDelivered, of: book.counts.pushesSent)
        values.set("push_delay_s_p95", book.counts.pushDelay.quantile(0.95))
    }
}

/// Metric values by name; a name that the catalogue lacks traps, and so does one that nobody filled.
struct MetricValues {
    let days: Double
    private var values = [Double?](repeating: nil, count: MetricCatalog.all.count)

    /// The values in the order of the catalogue.
    var all: [Double] {
        zip(MetricCatalog.all, values).map { metric, value in
            guard let value else { preconditionFailure("nothing fills the metric \(metric.name)") }
            return value
        }
    }

    mutating func set(_ name: String, _ value: Double) {
        guard let place = MetricCatalog.index(of: name) else { preconditionFailure("no metric \(name)") }
        values[place] = value
    }

    mutating func perDay(_ name: String, _ value: Double) { set(name, value / days) }

    mutating func share(_ name: String, _ part: Int, of whole: Int) {
        set(name, whole == 0 ? .nan : Double(part) / Double(whole))
    }

    init(days: Double) { self.days = days }
}
