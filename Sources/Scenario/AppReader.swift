// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import LifeCycle
import Power
import Processes
import Quantities
import Vocabulary

/// The keys of an app: each that is written replaces what the app has from its category.
struct AppReader {
    /// Reads all keys of an app's map into it.
    static func read(_ map: MapReader, into app: inout AppModel) {
        map.section("memory") { readMemory($0, into: &app) }
        map.section("launch") { readLaunch($0, into: &app) }
        map.section("use") { readUse($0, into: &app) }
        map.section("refresh") { readRefresh($0, into: &app) }
        map.section("processing") { readProcessing($0, into: &app) }
        map.section("content") { readContent($0, into: &app) }
        map.section("habits") { readHabits($0, into: &app) }
        readTraits(map, into: &app)
        map.section("faults") { readFaults($0, into: &app.faults) }
    }

    private static var size: ValueReader<ByteCount> { .bytes() }
    private static var time: ValueReader<SimDuration> { .duration() }
    private static var sigma: ValueReader<Double> { .number(0...5, example: "0.35") }

    private static func readMemory(_ map: MapReader, into app: inout AppModel) {
        map.set(&app.foregroundFootprint, "foreground", size)
        map.set(&app.footprintSigma, "sigma", sigma)
        map.set(&app.backgroundFootprint, "background", size)
        map.set(&app.launchFiles, "launch_files", size)
        map.set(&app.warningDrop, "warning_drop", .share)
        map.set(&app.traits.workFootprint, "work", size)
        map.set(&app.windows, "windows", .integer(1...LifeCycleMachine.mostWindows, example: "3"))
        map.set(&app.windowMemory, "window", size)
    }

    private static func readLaunch(_ map: MapReader, into app: inout AppModel) {
        map.set(&app.resumeTime, "resume", time)
        map.set(&app.warmLaunchTime, "warm", time)
        map.set(&app.coldLaunchTime, "cold", time)
        map.set(&app.launchSigma, "sigma", sigma)
        map.set(&app.sdkLaunchTime, "sdk", time)
    }

    private static func readUse(_ map: MapReader, into app: inout AppModel) {
        if let activity = map.optional("activity", ValueReader<ActivityClass>.choice("activity")) {
            app.activity = activity
            let usual = ActivityParameters.standard(activity)
            (app.foregroundLoad, app.foregroundRate) = (usual.load, usual.rate)
            (app.followsActivityLoad, app.followsActivityRate) = (true, true)
        }
        if let load = map.optional("load", .number(0...16, example: "0.3")) {
            (app.foregroundLoad, app.followsActivityLoad) = (load, false)
        }
        if let rate = map.optional("rate", ValueReader<DataRate>.amount(.dataRate)) {
            (app.foregroundRate, app.followsActivityRate) = (rate, false)
        }
        map.set(&app.popularity, "popularity", .number(0...1e6, example: "10"))
    }

    private static func readRefresh(_ map: MapReader, into app: inout AppModel) {
        map.set(&app.refreshPeriod, "every", time)
        map.set(&app.refreshProcessorTime, "processor", time)
        map.set(&app.refreshWait, "wait", time)
        map.set(&app.refreshBytes, "bytes", size)
        map.set(&app.resubmitProbability, "resubmits", .share)
        if let isEnabled = map.optional("enabled", .flag) {
            (app.refreshEnabled, app.refreshIsStated) = (isEnabled, true)
        }
        map.set(&app.traits.usesFetch, "uses_fetch", .flag)
        map.set(&app.traits.refreshFails, "fails", .share)
    }

    private static func readProcessing(_ map: MapReader, into app: inout AppModel) {
        map.set(&app.processingPerDay, "per_day", .number(0...1000, example: "1"))
        map.set(&app.processingTime, "time", time)
        map.set(&app.processingLoad, "load", .number(0.01...16, example: "0.75"))
        map.set(&app.processingPeriod, "every", time)
        map.retired("health_research", "the system runs a health study's processing as any other")
        map.set(&app.processingNeedsPower, "needs_power", .flag)
        map.set(&app.processingNeedsNetwork, "needs_network", .flag)
    }

    private static func readContent(_ map: MapReader, into app: inout AppModel) {
        map.set(&app.contentPerDay, "per_day", .number(0...1e5, example: "40"))
        map.set(&app.pushesPerDay, "pushes_per_day", .number(0...1e5, example: "20"))
    }

    private static func readHabits(_ map: MapReader, into app: inout AppModel) {
        map.set(&app.savesOnBackground, "saves_on_background", .flag)
        map.set(&app.savePeriod, "save_every", .duration(0.001...9e9))
        map.set(&app.completionProbability, "completes", .share)
        map.set(&app.handlesExpiration, "handles_expiration", .flag)
        map.set(&app.finishesTask, "finishes_task", .flag)
        map.set(&app.finishTime, "finish_time", time)
    }
}

extension MapReader {
    /// Reads the map under a key when it is there, and reports the keys in it that the body did not ask for.
    func section(_ key: String, _ body: (MapReader) -> Void) {
        guard let map = map(key) else { return }
        body(map)
        map.finish()
    }
}
