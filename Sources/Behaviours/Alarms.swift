// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import EventKernel
import Measures
import PhoneCore
import Power
import Processes
import Quantities
import RandomStreams
import Vocabulary

extension DeviceTimer {
    /// The window of an app's alarm closes, or a reason to hold the alarm back ends.
    @inlinable public static var alarms: DeviceTimer { DeviceTimer(23) }
}

/// Android's alarms.
///
/// When an alarm's window closes, the phone wakes and runs every app whose alarm window is open.
///
/// The rules are in `AlarmTable`. Alarms that do not wake the phone go off while the display is on, with another alarm,
/// or when an app runs for another reason. A swipe does not cancel alarms. After a restart, apps set their alarms again
/// (*assumption*).
package struct Alarms {
    /// Measures of alarms.
    package struct Measures: Sendable {
        let rung: AppCount
        let wakes: Count
        let delay: AppDistribution

        package init(_ builder: inout MeasureBuilder) {
            rung = builder.perDayOfApp("alarms_per_day", .neutral, "alarms of apps that went off, on Android")
            wakes = builder.perDay(
                "alarm_wakeups_per_day", .lower, "instants at which one or more wake-up alarms went off"
            )
            delay = builder.appDistribution()
            builder.quantile(
                "alarm_delay_s_p95", "s", .lower,
                "95th percentile of the delay of alarms (to within 1 %)", 0.95,
                of: delay)
        }
    }

    private let measures: Measures
    private var table: AlarmTable
    private let apps: [AppID]
    /// Time at which the display went off; nil while it is on.
    private var darkSince: SimTime? = .zero

    package init(_ core: borrowing PhoneCore, _ measures: Measures) {
        self.measures = measures
        table = AlarmTable(
            apps: core.apps, parameters: core.device.background.alarms, mayBeExact: core.device.os.exactAlarms)
        apps = table.apps
    }

    /// Sets the first alarm of each app, spread over the interval.
    package mutating func start(_ core: inout PhoneCore) {
        for app in apps {
            var stream = core.stream(core.apps[Int(app.index)].name, "alarm")
            table.set(app, due: core.now + table.interval(of: app) * stream.uniform())
        }
        schedule(&core)
    }

    private func schedule(_ core: inout PhoneCore) {
        guard !apps.isEmpty else { return }
        let wake = darkSince == nil ? min(table.nextWake, table.nextOfOthers) : table.nextWake
        guard wake < .distantFuture else { return core.engine.cancel(Slots.device(.alarms)) }
        core.engine.schedule(Slots.device(.alarms), at: max(wake, core.now), class: EventClass.work)
    }

    /// Wakes the phone for a due alarm, and lets all other permitted alarms go off.
    package mutating func timer(_ core: inout PhoneCore) {
        guard !core.power.isDead else { return }
        let wakes = table.nextWake <= core.now
        core.refreshConditions()
        let conditions = core.conditions
        let present = AlarmConditions(
            now: core.now, pluggedIn: conditions.pluggedIn,
            idleUntil: core.background.idleUntil(conditions, at: core.now), saver: conditions.lowPowerMode,
            darkSince: darkSince)
        let rung = table.ring(present) { core.standbyBucket(of: $0) }
        var hasWoken = false
        for (app, due) in rung {
            let runs = run(app, due: due, &core)
            if wakes, runs, table.wakesPhone(app) { hasWoken = true }
        }
        if hasWoken { core.measures.add(measures.wakes) }
        schedule(&core)
    }

    /// Checks held alarms again after the phone was charged, used, moved or switched on, or an app was opened.
    package mutating func reconsider(_ core: inout PhoneCore) {
        guard !apps.isEmpty, !core.power.isDead else { return }
        table.reconsider()
        schedule(&core)
    }

    /// Notes that the display went on or off, and schedules the next alarm again.
    package mutating func displayChanged(isOn: Bool, _ core: inout PhoneCore) {
        darkSince = isOn ? nil : core.now
        schedule(&core)
    }

    /// Turns the display off with the phone, for the rules of alarms.
    package mutating func losePower(_ core: borrowing PhoneCore) {
        if darkSince == nil { darkSince = core.now }
    }

    /// Sets off the alarms that waited until the phone was awake; called when an app executes.
    package mutating func awake(_ core: inout PhoneCore) {
        if !apps.isEmpty, table.nextOfOthers <= core.now { timer(&core) }
    }

    /// Runs an app for its alarm; returns false if the app may not run.
    private func run(_ app: AppID, due: SimTime, _ core: inout PhoneCore) -> Bool {
        guard core.hasApp(app), !core.background.isForceQuit(app) else { return false }
        core.measures.add(measures.rung, of: app)
        core.measures.record(measures.delay, of: app, (core.now - due).seconds)
        var plan = EventPlan(.alarm, for: core)
        (plan.sent, plan.limit) = (due, core.device.background.alarms.runtime)
        // Without a network the app sends nothing.
        if core.power.interface == nil { plan.up = .zero }
        core.run(app, for: plan)
        return true
    }
}
