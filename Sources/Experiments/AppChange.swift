// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Diagnostics
import Phone
import PhoneCore
import Processes
import Quantities
import Scenario
import Vocabulary

/// Change of an app that is tried alone, with the same users.
public struct AppChange: Sendable {
    /// Name in program output.
    public let name: String
    /// Description of the change, with the present value: "half the footprint: 200 MiB instead of 400 MiB".
    public let sentence: String
    /// Whether the app's team can make the change.
    ///
    /// The team cannot change the system, because the user chooses it.
    public let isTeams: Bool
    let apply: @Sendable (inout AppModel) -> Void
    /// Experiment with another system; nil if the change does not affect the system.
    let experiment: Experiment?

    private init(_ name: String, _ sentence: String, _ apply: @escaping @Sendable (inout AppModel) -> Void) {
        (self.name, self.sentence, self.apply) = (name, sentence, apply)
        (isTeams, experiment) = (true, nil)
    }

    private init(_ name: String, _ sentence: String, on experiment: Experiment) {
        (self.name, self.sentence, self.experiment) = (name, sentence, experiment)
        (isTeams, apply) = (false, { _ in })
    }

    /// Loads the experiment again, with additional settings.
    public typealias Variant = (_ overrides: [String]) throws(Diagnostics) -> Experiment

    /// All changes of an app to try on a device.
    static func all(of app: AppModel, on device: DeviceModel, _ variant: Variant) -> [AppChange] {
        [halfFootprint(app)] + refreshes(app, device) + pushes(app) + processing(app) + systems(device, variant)
    }

    private static func halfFootprint(_ app: AppModel) -> AppChange {
        let size = Double(app.foregroundFootprint.bytes)
        let sizes = "\(Figures.size(size / 2, like: size)) instead of \(Figures.size(size, like: size))"
        return AppChange("half_footprint", "half the footprint (\(sizes))") { app in
            app.foregroundFootprint = app.foregroundFootprint * 0.5
            app.backgroundFootprint = app.backgroundFootprint * 0.5
        }
    }

    private static func refreshes(_ app: AppModel, _ device: DeviceModel) -> [AppChange] {
        guard app.refreshPeriod > .zero else { return [] }
        func every(_ factor: Double, _ name: String) -> AppChange {
            let periods = [app.refreshPeriod * factor, app.refreshPeriod].map(length)
            return AppChange(name, "a refresh every \(periods[0]) instead of \(periods[1])") { app in
                app.refreshPeriod = app.refreshPeriod * factor
            }
        }
        var changes = [every(2, "rarer_refresh"), every(0.5, "more_frequent_refresh")]
        if !app.refreshKeepsPending, !app.refreshRepeats, !device.background.keepsPending {
            changes.append(
                AppChange("keep_pending", "no new request while a refresh is pending") { app in
                    app.refreshKeepsPending = true
                })
        }
        if app.resubmitProbability < 1 {
            let share = Figures.short(app.resubmitProbability * 100)
            changes.append(
                AppChange("always_resubmit", "every refresh requests the next one, instead of \(share) % of refreshes")
                { app in
                    app.resubmitProbability = 1
                })
        }
        return changes
    }

    private static func pushes(_ app: AppModel) -> [AppChange] {
        let rate = app.traits.silentPushesPerDay
        guard rate > 0 else { return [] }
        let rates = [rate / 2, rate].map { Figures.short($0) }
        return [
            AppChange("half_the_silent_pushes", "\(rates[0]) silent pushes a day instead of \(rates[1])") { app in
                app.traits.silentPushesPerDay /= 2
            }
        ]
    }

    private static func processing(_ app: AppModel) -> [AppChange] {
        guard app.processingPerDay > 0 || app.processingPeriod > .zero else { return [] }
        let sentence =
            app.processingNeedsPower ? "processing without external power" : "processing only on external power"
        return [
            AppChange("processing_needs", sentence) { app in app.processingNeedsPower.toggle() }
        ]
    }

    /// Changes to two other systems of the device's family: the newest one, and the nearest older one that differs in
    /// having a reaper.
    ///
    /// The reaper ends processes that were idle for too long. It matters because it causes most kills of apps.
    private static func systems(_ device: DeviceModel, _ variant: Variant) -> [AppChange] {
        let (generations, own) = (OSProfile.generations.map(\.name), device.os.generation)
        guard let index = generations.firstIndex(of: own) else { return [] }
        let family = generations.filter { $0.hasPrefix(own.prefix { $0 != "-" }) }
        func other(_ name: String) -> AppChange? {
            guard name != own, let experiment = try? variant(["device.os=\(name)"]) else { return nil }
            return AppChange("system_\(name)", "on \(name) instead of \(own)", on: experiment)
        }
        var older: AppChange?
        for name in generations[..<index].reversed() where older == nil && family.contains(name) {
            let found = other(name)
            let reaper = found?.experiment?.points[0].device.os.reaperShare
            if found != nil, (reaper == nil) != (device.os.reaperShare == nil) { older = found }
        }
        return [older, family.last.flatMap(other)].compactMap { $0 }
    }

    private static func length(_ time: SimDuration) -> String {
        let hours = time.seconds / 3600
        return hours < 1 ? "\(Figures.short(hours * 60)) min" : "\(Figures.short(hours)) h"
    }
}
