// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import ConfigText
import Diagnostics
import Disk
import LifeCycle
import Phone
import PhoneCore
import Power
import Processes
import Quantities
import Scripts
import Vocabulary

/// Reads a phone from its expanded tree.
///
/// The keys are the names of the Swift properties in `snake_case`.
struct DeviceReader {
    let trees: ModelTrees

    /// Reads the phone; nil if it has errors, which are reported.
    func read(_ cursor: Cursor) -> DeviceModel? {
        let before = cursor.report.problems.errorCount
        let map = MapReader(cursor)
        _ = map.optional("schema", .schema)
        _ = map.optional("summary", .text)
        let name = map.value("name", .text, default: "phone")
        var memory = SystemReader.readMemory(map)
        if let memory, let section = map.cursor("memory") {
            warn(memory, MapReader(Cursor(section.node, path: section.path, report: section.report)))
        }
        var os = SystemReader.readOS(map, ram: memory?.ram)
        let power = readPower(map)
        var background = BackgroundParameters(os?.family ?? .ios)
        background.assertionLimit = os?.assertionLength ?? background.assertionLimit
        var grace = os?.lifeCycle.backgroundGrace ?? .zero
        map.section("background") {
            readBackground($0, into: &background)
            $0.set(&grace, "background_grace", .duration())
        }
        os?.lifeCycle.backgroundGrace = grace
        var habits = DeviceHabits()
        map.section("habits") { readHabits($0, into: &habits) }
        var daemons = SystemPopulation()
        map.section("daemons") { readDaemons($0, into: &daemons) }
        var incidents = IncidentRates()
        map.section("incidents") { $0.set(&incidents, IncidentRates.keys) }
        var prewarm = PrewarmParameters()
        map.section("prewarm") { $0.set(&prewarm, PrewarmParameters.keys) }
        var restarts = RestartParameters()
        map.section("restarts") { $0.set(&restarts, RestartParameters.keys) }
        var helpers = HelperSet()
        map.section("helpers") { map in
            map.set(&helpers, HelperSet.keys)
            helpers.share = read(map, "share", HelperSet.usualShare, HelperParameters.keys)
            helpers.photo = read(map, "photo", HelperSet.usualPhoto, HelperParameters.keys)
            helpers.model = read(map, "model", HelperSet.usualModel, HelperParameters.keys)
        }
        var charging = ChargingSettings()
        map.section("charging") { readCharging($0, into: &charging) }
        var modes = ModeParameters()
        map.section("modes") { readModes($0, into: &modes) }
        let disk = read(map, "disk", DiskParameters(), DiskParameters.keys)
        let interruptions = read(map, "interruptions", InterruptionParameters(), InterruptionParameters.keys)
        let surroundings = readPart(map, "surroundings", SurroundingParameters(), SurroundingParameters.keys)
        let services = readPart(map, "services", ServiceParameters(), ServiceParameters.keys)
        readStartState(map, into: &memory, &daemons)
        checkAssumptions(map)
        map.finish()
        guard let memory, let os, let power, cursor.report.problems.errorCount == before else { return nil }
        var device = DeviceModel(
            name: name, memory: memory, os: os, power: power, background: background, habits: habits)
        device.daemons = daemons
        device.incidents = incidents
        device.prewarm = prewarm
        device.helpers = helpers
        device.restarts = restarts
        device.charging = charging
        device.modes = modes
        device.services = services
        device.surroundings = surroundings
        device.disk = disk
        device.interruptions = interruptions
        return device
    }

    /// Reads an optional part, which a phone has only if its file contains the part.
    private func read<Part>(_ map: MapReader, _ name: String, _ usual: Part, _ keys: [FileKey<Part>]) -> Part? {
        var found: Part?
        map.section(name) { section in
            var part = usual
            section.set(&part, keys)
            found = part
        }
        return found
    }

    private func readDaemons(_ map: MapReader, into daemons: inout SystemPopulation) {
        map.set(&daemons, SystemPopulation.keys)
    }

    private func readBackground(_ map: MapReader, into rules: inout BackgroundParameters) {
        map.set(&rules, BackgroundParameters.keys)
        readEvents(map, into: &rules)
    }

    private func readHabits(_ map: MapReader, into habits: inout DeviceHabits) {
        map.set(&habits, DeviceHabits.keys)
    }
}
