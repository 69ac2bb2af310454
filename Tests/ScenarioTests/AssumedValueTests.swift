// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Files
import TestSupport
import Testing
import Vocabulary

@testable import Scenario

/// Assumptions of an experiment, made smaller and larger.
@Suite struct AssumedValueTests {
    private static func text(_ device: String = "{base: iphone-13, memory: {ram: 3 GiB}}") -> String {
        """
        schema: 1
        name: mine
        seed: 3
        start: 2026-03-02 00:00
        duration: 3 d
        replications: 2
        device: \(device)
        apps: {catalog: everyday, count: 30}
        user: {persona: average}
        policies: {eviction: [jetsam, lru], scheduling: immediate}
        """
    }

    private func values(_ text: String = text()) throws -> (values: [AssumedValue], others: [Assumption]) {
        try assumedValues(
            of: SourceText(name: "mine.yaml", text: text), library: ModelLibrary.located(), varied: 0.25)
    }

    @Test func `a quantity goes down and up by the share, in its unit`() throws {
        let found = try #require(try values().values.first { $0.path == "device.camera.power" })
        #expect(found.written == "1400 mW")
        #expect(found.low == AssumedValue.Setting(text: "1050 mW", overrides: [["device.camera.power=1050 mW"]]))
        #expect(found.high == AssumedValue.Setting(text: "1750 mW", overrides: [["device.camera.power=1750 mW"]]))
        #expect(found.assumption.file == "models/devices/iphone-13.yaml" && found.assumption.key == "camera.power")
    }

    @Test func `a value of a part stands where the part is used`() throws {
        let paths = try values().values.map(\.path)
        for path in [
            "device.radios.wifi.join_energy", "device.battery.cell.cutoff", "device.processor.launch_load",
            "user.persona.charging.night_probability", "apps.defaults.memory.work",
        ] {
            #expect(paths.contains(path))
        }
        #expect(Set(paths).count == paths.count)
    }

    @Test func `shares stop at the whole, and whole numbers are rounded where they must be`() throws {
        let found = try values().values
        let picture = try #require(found.first { $0.path == "device.display.picture_share" })
        #expect(picture.written == "85 %" && picture.low?.text == "63.75 %" && picture.high?.text == "100 %")
        let widgets = try #require(found.first { $0.path == "user.persona.background.push_apps" })
        #expect(widgets.written == "18")
        let (exact, rounded) = ("user.persona.background.push_apps=13.5", "user.persona.background.push_apps=14")
        #expect(widgets.low?.overrides == [[exact], [rounded]])
    }

    @Test func `a star changes every entry, and a number of a list the whole list`() throws {
        let found = try values().values
        let footprints = try #require(found.first { $0.assumption.key == "categories.*.memory.foreground" })
        let settings = try #require(footprints.high?.overrides.first)
        #expect(settings.count > 10 && footprints.high?.text == "x 1.25" && footprints.written.isEmpty)
        #expect(settings.allSatisfy { $0.hasPrefix("apps.categories.") && $0.contains(".memory.foreground=") })
        let tail = try #require(found.first { $0.assumption.key == "tail.0.power" })
        let list = try #require(tail.low?.overrides.first?.first)
        #expect(list.hasPrefix("device.radios.cellular.tail=[{power: 250 mW, duration: 10.2 s"))
        #expect(tail.written == "423 mW" && tail.low?.text == "250 mW")
    }

    @Test func `words, temperatures, tables and zeros are not varied`() throws {
        let keys = Set(try values().others.map(\.key))
        for key in ["frequency_policy", "heat.fair_above", "performance.points", "charging.car_probability"] {
            #expect(keys.contains(key))
        }
    }

    @Test func `what the experiment states itself is no assumption`() throws {
        let found = try values(Self.text("{base: iphone-13, camera: {power: 900 mW}}"))
        #expect(!found.values.contains { $0.path == "device.camera.power" })
        #expect(!found.others.contains { $0.key == "camera.power" })
    }

    @Test func `a stated interval gives both values`() throws {
        let folder = try TemporaryFolder()
        try replaceFile(
            folder.path + "/own.yaml",
            with: """
                schema: 1
                name: own
                base: iphone-13
                camera: {power: 900 mW}
                assumptions:
                  - {key: camera.power, reason: nobody looked, interval: [500 mW, 900 mW]}
                """)
        let found = try values(Self.text(folder.path + "/own.yaml")).values
        let camera = try #require(found.first { $0.path == "device.camera.power" })
        #expect(camera.low?.overrides == [["device.camera.power=500 mW"]])
        #expect(camera.high == nil, "it stands at that end")
    }

    @Test func `every setting of the shipped models can be tried, or is refused with a reason`() throws {
        let source = SourceText(name: "mine.yaml", text: Self.text())
        var taken = 0
        let settings = try values().values.flatMap { [$0.low, $0.high].compactMap { $0 } }
        for setting in settings {
            let isTaken = setting.overrides.contains { overrides in
                (try? loadExperiment(source, overrides: overrides, library: ModelLibrary.located())) != nil
            }
            if isTaken { taken += 1 }
        }
        #expect(Double(taken) > 0.95 * Double(settings.count))
    }
}
