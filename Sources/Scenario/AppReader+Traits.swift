// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Quantities
import Vocabulary

extension AppReader {
    /// Reads the background activity of an app, except refreshing and processing.
    static func readTraits(_ map: MapReader, into app: inout AppModel) {
        map.section("pushes") { readPushes($0, into: &app.traits) }
        map.section("modes") { readModes($0, into: &app.traits) }
        map.section("connection") { part in
            part.set(&app.traits, BackgroundTraits.connectionKeys)
        }
        map.section("transfers") { readTransfers($0, into: &app.traits) }
        map.section("alarms") { part in
            part.set(&app.traits.alarms, AlarmTraits.keys)
        }
        map.section("broadcasts") { part in
            part.set(&app.traits.broadcasts, BroadcastTraits.keys)
        }
        map.section("continued") { readContinued($0, into: &app.traits) }
        map.section("processes") { readProcesses($0, into: &app.traits) }
        map.set(&app.traits, BackgroundTraits.keys)
    }

    /// Reads the processes except the main one.
    ///
    /// Values in the file change the processes that the app already has.
    private static func readProcesses(_ map: MapReader, into traits: inout BackgroundTraits) {
        var found: [AppProcess] = []
        for kind in AppProcess.Kind.allCases {
            var process = traits.process(kind)
            map.section(kind.rawValue) { part in
                var stated = process ?? AppProcess(kind)
                part.set(&stated.figures, kind.keys)
                process = stated
            }
            if let process { found.append(process) }
        }
        traits.processes = found
    }

    private static func readContinued(_ map: MapReader, into traits: inout BackgroundTraits) {
        map.set(&traits, BackgroundTraits.continuedKeys)
    }

    private static func readPushes(_ map: MapReader, into traits: inout BackgroundTraits) {
        map.set(&traits, BackgroundTraits.pushKeys)
    }

    private static func readModes(_ map: MapReader, into traits: inout BackgroundTraits) {
        map.set(&traits, BackgroundTraits.modeKeys)
    }

    private static func readTransfers(_ map: MapReader, into traits: inout BackgroundTraits) {
        map.set(&traits, BackgroundTraits.transferKeys)
    }
}
