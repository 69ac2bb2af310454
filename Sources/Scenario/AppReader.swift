// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Power
import Quantities
import Vocabulary

/// Reads the keys of an app.
///
/// Each key in the file replaces the value of the app's category.
struct AppReader {
    /// Reads all keys of a map into an app.
    static func read(_ map: MapReader, into app: inout AppModel) {
        readFootprint(map, into: &app)
        map.section("memory") { readMemory($0, into: &app) }
        map.section("launch") { readLaunch($0, into: &app) }
        map.section("use") { readUse($0, into: &app) }
        map.section("refresh") { readRefresh($0, into: &app) }
        map.section("processing") { readProcessing($0, into: &app) }
        map.section("content") { readContent($0, into: &app) }
        map.section("habits") { readHabits($0, into: &app) }
        readTraits(map, into: &app)
        map.section("faults") { readFaults($0, into: &app.faults) }
        map.section("declares") { $0.set(&app.declares, AppDeclarations.keys) }
        map.section("files") { $0.set(&app.files, AppFiles.keys) }
    }

    /// Sets the footprint on screen.
    ///
    /// The ratio of the background footprint to the footprint on screen does not change.
    private static func readFootprint(_ map: MapReader, into app: inout AppModel) {
        guard let size = map.optional("footprint", ValueReader<ByteCount>.bytes()) else { return }
        if app.foregroundFootprint > .zero {
            app.backgroundFootprint = size * (app.backgroundFootprint / app.foregroundFootprint)
        }
        app.foregroundFootprint = size
    }

    private static func readMemory(_ map: MapReader, into app: inout AppModel) {
        map.set(&app, AppModel.memoryKeys)
    }

    private static func readLaunch(_ map: MapReader, into app: inout AppModel) {
        map.set(&app, AppModel.launchKeys)
    }

    private static func readUse(_ map: MapReader, into app: inout AppModel) {
        if let activity = map.optional("activity", ValueReader<ActivityClass>.choice("activity")) {
            app.activity = activity
            let usual = ActivityParameters.standard(activity)
            (app.foregroundLoad, app.foregroundRate) = (usual.load, usual.rate)
            (app.followsActivityLoad, app.followsActivityRate) = (true, true)
        }
        map.set(&app, AppModel.useKeys)
    }

    private static func readRefresh(_ map: MapReader, into app: inout AppModel) {
        map.set(&app, AppModel.refreshKeys)
        map.set(&app, AppModel.fetchKeys)
    }

    private static func readProcessing(_ map: MapReader, into app: inout AppModel) {
        map.set(&app, AppModel.processingKeys)
        map.retired("health_research", "the system treats the processing of health studies like other processing")
    }

    private static func readContent(_ map: MapReader, into app: inout AppModel) {
        map.set(&app, AppModel.contentKeys)
    }

    private static func readHabits(_ map: MapReader, into app: inout AppModel) {
        map.set(&app, AppModel.habitKeys)
    }
}

extension MapReader {
    /// Reads the map under a key, if there is one.
    ///
    /// Keys that the body did not read are reported.
    func section(_ key: String, _ body: (MapReader) -> Void) {
        guard let map = map(key) else { return }
        body(map)
        map.finish()
    }
}
