// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Files
import Phone
import PhoneCore
import Power
import Processes
import Quantities
import Testing
import Vocabulary
import Workload

@testable import Scenario

/// A small experiment to change in one line.
let sample = """
    schema: 1
    name: sample
    seed: 7
    start: 2026-03-02 00:00
    duration: 3 d
    warmup: 1 d
    replications: 6
    device: iphone-13
    apps: {catalog: everyday, count: 20}
    user: {persona: average}
    policies:
      eviction: [jetsam, lru]
      scheduling: [opportunistic, "periodic[every=30min]"]
    baseline: {eviction: jetsam, scheduling: opportunistic}
    """

func load(_ text: String, overrides: [String] = []) throws -> Experiment {
    try loadExperiment(SourceText(name: "a.yaml", text: text), overrides: overrides, library: library)
}

/// The problems of the sample with one line changed, as the user sees them.
func complaint(_ old: String, _ new: String, overrides: [String] = []) -> String {
    let text = sample.split(separator: "\n").map { $0.hasPrefix(old) ? Substring(new) : $0 }.joined(separator: "\n")
    do {
        _ = try load(text, overrides: overrides)
        return "no problem"
    } catch let problems as Diagnostics {
        return problems.description
    } catch {
        return "\(error)"
    }
}

@Suite struct ExperimentTests {
    @Test func `a reaper in front of eviction policies that are compared is said, with the points it is at`() throws {
        #expect(try load(sample, overrides: ["device.os=ios-17"]).cautions.isEmpty)
        let reaped = try load(sample).cautions
        #expect(reaped.count == 1 && reaped[0].hasPrefix("the reaper of this system kills long-idle processes"))
        // One policy is no comparison of orders.
        #expect(try load(sample, overrides: ["policies.eviction=[jetsam]"]).cautions.isEmpty)
        let swept = try load(sample + "\nsweep: {axes: {device.os: [ios-17, ios-18.4, ios-18.5]}}").cautions
        #expect(swept.count == 1 && swept[0].contains("at 2 of 3 points of the sweep"))
    }

    @Test func `the sample is read with all its models`() throws {
        let experiment = try load(sample)
        #expect(experiment.name == "sample" && experiment.seed == 7 && experiment.start.weekday == 0)
        #expect(experiment.duration == .days(3) && experiment.warmup == .days(1) && experiment.replications == 6)
        #expect(
            experiment.policies.map(\.name) == [
                "jetsam+opportunistic", "jetsam+periodic[every=30min]", "lru+opportunistic",
                "lru+periodic[every=30min]",
            ])
        #expect(experiment.baseline.name == "jetsam+opportunistic")
        #expect(experiment.runCount == 24 && experiment.points.count == 1)
        let point = experiment.points[0]
        #expect(point.device.name == "iphone-13" && point.device.memory.ram == .gibibytes(4))
        #expect(point.device.memory.wired == .gibibytes(4) * 0.188)
        #expect(point.device.power.battery.capacity.milliampereHours == 3227)
        #expect(point.device.power.battery.voltages.count == 31)
        #expect(point.device.power.radios[.cellular].tail.map(\.duration) == [.seconds(10.2)])
        #expect(point.apps.count == 20 && point.user.persona.pickups.perDay == 95)
        #expect(experiment.analysis.primary == "relaunches_per_day" && experiment.analysis.level == 0.95)
        #expect(experiment.warnings.isEmpty)
    }

    @Test func `the assumptions a run rests on are named with their files`() throws {
        let assumptions = try load(sample).assumptions
        func has(_ file: String, _ key: String) -> Bool { assumptions.contains { $0.file == file && $0.key == key } }
        #expect(has("models/devices/iphone-13.yaml", "platform.awake_power"))
        #expect(has("models/radios/lte-2020.yaml", "promotion_power"))
        #expect(has("models/cells/phone-pack-4v35.yaml", "resistance_factors"))
        #expect(has("models/personas/average.yaml", "apps.active"))
        #expect(has("models/apps/everyday.yaml", "tail.spread"))
        let less = try load(sample, overrides: ["device.platform.awake_power=200 mW"]).assumptions
        #expect(less.count == assumptions.count - 1)
        #expect(!less.contains { $0.key == "platform.awake_power" })
    }

    @Test func `a run can be made of every point, policy and replication`() throws {
        let experiment = try load(sample)
        var specification = experiment.specification(point: 0, policy: 3, replication: 2)
        #expect(specification.replication == 2 && specification.seed == 7)
        specification.duration = .hours(6)
        specification.warmup = .zero
        let outcome = simulate(specification, sink: nil)
        #expect(outcome.events > 100)
    }

    @Test func `a device can be written out, varied, or named by its file`() throws {
        let varied = try load(
            sample.replacing("device: iphone-13", with: "device: {base: iphone-13, memory: {ram: 3 GiB}, name: small}"))
        #expect(varied.points[0].device.name == "small" && varied.points[0].device.memory.ram == .gibibytes(3))
        #expect(varied.points[0].device.os.idleShare == 0.10)
        let inline = try load(
            sample.replacing(
                "device: iphone-13", with: "device: {memory: {ram: 2 GiB}, battery: {capacity: 2000 mAh}, os: ios-18}"))
        #expect(inline.points[0].device.power.battery.capacity.milliampereHours == 2000)
        #expect(inline.points[0].device.memory.perProcessLimit == .mebibytes(1395))
        let radio = try load(sample, overrides: ["device.radios.cellular=umts", "device.os.critical_share=6 %"])
        #expect(radio.points[0].device.power.radios[.cellular].tail.count == 2)
        #expect(radio.points[0].device.os.criticalShare == 0.06)
    }

    @Test func `every device, radio, cell and persona of the library can be read`() throws {
        for device in library.names(.devices) { _ = try load(sample, overrides: ["device=\(device)"]) }
        for persona in library.names(.personas) { _ = try load(sample, overrides: ["user.persona=\(persona)"]) }
        for radio in library.names(.radios) {
            let interface = radio.hasPrefix("wifi") ? "wifi" : "cellular"
            _ = try load(sample, overrides: ["device.radios.\(interface)=\(radio)"])
        }
        for cell in library.names(.cells) { _ = try load(sample, overrides: ["device.battery.cell=\(cell)"]) }
        #expect(library.names(.devices).count >= 2)
        #expect(library.names(.personas).count >= 3)
    }

    @Test func `a sweep changes device, apps and user, and nothing else`() throws {
        let text =
            sample + """

                sweep:
                  axes:
                    device.memory.ram: [3 GiB, 6 GiB]
                    user.persona.pickups.per_day: [50, 150]
                    apps.count: [10]
                """
        let experiment = try load(text)
        #expect(experiment.axes == ["device.memory.ram", "user.persona.pickups.per_day", "apps.count"])
        #expect(
            experiment.points.map { $0.axes.map(\.value) }.map { $0.joined(separator: " ") } == [
                "3 GiB 50 10", "3 GiB 150 10", "6 GiB 50 10", "6 GiB 150 10",
            ])
        #expect(experiment.points.map(\.device.memory.ram) == [3, 3, 6, 6].map { ByteCount.gibibytes($0) })
        #expect(experiment.points.map(\.user.persona.pickups.perDay) == [50, 150, 50, 150])
        #expect(experiment.points.allSatisfy { $0.apps.count == 10 })
        #expect(Set(experiment.points.map(\.resolvedText)).count == 4)
    }

    @Test func `options of the command line come last and change the resolved text`() throws {
        let plain = try load(sample)
        let changed = try load(sample, overrides: ["seed=9", "apps.count=30", "device.memory.ram=6 GiB"])
        #expect(changed.seed == 9 && changed.points[0].apps.count == 30)
        #expect(changed.points[0].device.memory.ram == .gibibytes(6))
        #expect(changed.resolvedText != plain.resolvedText && changed.writtenText == plain.writtenText)
        #expect(try load(sample).points[0].resolvedText == plain.points[0].resolvedText)
    }

    @Test func `the persona's own number of apps counts when the file gives none`() throws {
        let text = sample.replacing(", count: 20", with: "")
        #expect(try load(text).points[0].apps.count == 80)
        #expect(try load(text.replacing("average", with: "heavy")).points[0].apps.count == 120)
    }

    @Test func `the user's habits reach the apps`() throws {
        let apps = try load(sample, overrides: ["apps.count=200", "user.persona.background.push_apps=5"]).points[0].apps
        #expect(apps.filter { $0.pushesPerDay > 0 }.count == 5)
        #expect(abs(apps.reduce(0) { $0 + $1.pushesPerDay } - 130) < 1e-9)
        let onPower = apps.filter(\.processingNeedsPower).reduce(0) { $0 + $1.processingPerDay }
        #expect(abs(onPower - 3) < 1e-9)
    }

    @Test func `pairs may be listed under names of their own`() throws {
        let text =
            sample.split(separator: "\n").prefix(10).joined(separator: "\n") + """

                policies:
                  - {name: today, eviction: jetsam, scheduling: opportunistic}
                  - {name: again, eviction: jetsam, scheduling: opportunistic}
                baseline: again
                """
        let experiment = try load(text)
        #expect(experiment.policies.map(\.name) == ["today", "again"] && experiment.baselineIndex == 1)
    }

    @Test func `Holm's rule, and a lower level, let five replications decide`() throws {
        for analysis in ["{level: 95 %, correction: holm}", "{level: 90 %}"] {
            let warnings = try load(sample, overrides: ["replications=5", "analysis=\(analysis)"]).warnings.list
            #expect(warnings.isEmpty)
        }
    }

    @Test(arguments: [
        ("1", "1 replication cannot give a verdict"), ("5", "5 replications cannot give a verdict"), ("6", nil),
    ])
    func `too few replications for a verdict are a warning`(count: String, expected: String?) throws {
        let warnings = try load(sample, overrides: ["replications=\(count)"]).warnings.list
        #expect(warnings.map { $0.message.replacing(" (at replications)", with: "") } == [expected].compactMap(\.self))
    }

    @Test func `replications may have a goal`() throws {
        let rule = try load(sample, overrides: ["replications={min: 10, max: 50, until: half-width < 2 %}"])
            .replicationRule
        #expect(rule == ReplicationRule(minimum: 10, maximum: 50, halfWidth: 0.02))
    }

    @Test func `the resolved text is JSON with defaults and units`() throws {
        let text = try loadExperiment(
            SourceText(name: "sample.yaml", text: sample), overrides: ["user.persona=gamer"], library: library,
            recordsValues: true
        ).resolvedText
        let root = try YAML.parse(SourceText(name: "resolved", text: text)).get()
        #expect(root["experiment"]?.at(["device", "memory", "ram"])?.scalar == "4 GiB")
        let values = root["values"]
        #expect(values?["device.memory.per_process_limit"]?.scalar == "2068 MiB")
        #expect(values?["device.radios.cellular.tail[0].resume_time"]?.scalar == "0 s")
        #expect(values?["apps.count"]?.scalar == "20")
        #expect(values?["user.persona.name"]?.scalar == "gamer")
    }

    @Test func `every shipped experiment can be read`() throws {
        let folder = try #require(library.folders.first.map { FilePath.folder(of: $0) + "/experiments" })
        let files = directoryEntries(folder).filter { $0.hasSuffix(".yaml") }
        #expect(files.count >= 3)
        for file in files { _ = try loadExperiment(path: "\(folder)/\(file)") }
    }

    @Test func `every shipped experiment comes back from the text that a manifest keeps`() throws {
        let root = try #require(library.folders.first.map { FilePath.folder(of: $0) + "/experiments" })
        var targets = 0
        for folder in [root, root + "/validation"] {
            for file in directoryEntries(folder) where file.hasSuffix(".yaml") && file != "known-misses.yaml" {
                guard !isBench(path: "\(folder)/\(file)") else { continue }
                let experiment = try loadExperiment(path: "\(folder)/\(file)")
                let again = try ExperimentDefinition(
                    resolved: experiment.resolvedText, path: experiment.path, policies: experiment.policies.map(\.name))
                #expect(again == experiment.definition, "\(file)")
                let other = try loadExperiment(resolved: experiment.resolvedText, path: experiment.path)
                #expect(other.points.map(\.axes) == experiment.points.map(\.axes), "\(file)")
                #expect(other.points.map(\.resolvedText) == experiment.points.map(\.resolvedText), "\(file)")
                targets += again.targets.count
            }
        }
        #expect(targets > 100)
    }

    @Test func `the examples of the documentation can be read`() throws {
        let folder = try #require(library.folders.first.map { FilePath.folder(of: $0) + "/docs" })
        let bytes = try #require(try? readFile("\(folder)/experiments.md"))
        let text = String(decoding: bytes, as: UTF8.self)
        let blocks = text.split(separator: "```yaml\n").dropFirst().compactMap { $0.split(separator: "```").first }
        #expect(blocks.count >= 2)
        #expect(try load(String(blocks[0])).runCount == 120)
        #expect(try load(sample + "\n" + blocks[1]).points.map(\.apps.count) == [80, 160])
    }
}
