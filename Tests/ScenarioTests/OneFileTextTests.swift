// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import PhoneCore
import Quantities
import Testing
import Vocabulary

@testable import Scenario

/// An experiment written as one file describes the same runs, and what describes other runs is told apart.
@Suite struct OneFileTextTests {
    /// Experiments of every kind of section.
    private static let texts = [
        sample,
        sample.replacing("apps: {catalog: everyday, count: 20}", with: "apps: everyday"),
        sample.replacing(
            "apps: {catalog: everyday, count: 20}",
            with: "apps: {catalog: everyday, count: 20, apps: {mine: {category: news, footprint: 300 MiB}}}"),
        sample.replacing("apps: {catalog: everyday, count: 20}", with: "apps: [{name: one}, {name: two}]"),
        sample.replacing("replications: 6\n", with: "").replacing(
            "user: {persona: average}", with: "user: {population: smartphone-users, size: 7}"),
        sample + "\nsweep: {axes: {device.memory.ram: [2 GiB, 4 GiB], device.radios.cellular: [null, lte-2020]}}",
        // Maps are laid over what the model has there, and a word makes way for one.
        sample + "\nsweep: {axes: {device.memory: [{ram: 3 GiB}, {wired: 10 %}], device.surroundings: [off, {}]}}",
        sample + "\nsweep: {axes: {device: [{base: iphone-13}, pixel-7], device.radios.cellular: [{base: lte-2020}]}}",
        sample + "\nsweep: {axes: {user.persona: [{base: heavy, charging: {charger: usb-c-20w}}, average]}}",
        sample + "\nsweep: {mode: list, points: [{apps: {catalog: everyday, count: 30}, device.os: {base: ios-17}}]}",
        sample + "\nsweep: {mode: list, points: [{device.base: iphone-12}, {device.base: iphone-15}]}",
        sample
            + "\nsweep: {axes: {device.base: [iphone-12, pixel-7], device.radios.cellular: [{base: lte-2020}, null]}}",
        sample.replacing("catalog: everyday", with: "base: everyday")
            + "\nsweep: {axes: {apps.base: [everyday], user.persona.base: [heavy, light]}}",
    ]

    private func again(_ experiment: Experiment) throws -> [Experiment] {
        let text = SourceText(name: experiment.path, text: experiment.oneFileText)
        return [
            try loadExperiment(text, library: library),
            try loadExperiment(resolved: experiment.resolvedText, path: experiment.path),
        ]
    }

    @Test(arguments: texts.indices)
    func `the text of one file, and that of the manifest, describe the same runs`(index: Int) throws {
        let experiment = try load(Self.texts[index])
        for other in try again(experiment) {
            #expect(other.points.map(\.resolvedText) == experiment.points.map(\.resolvedText))
            #expect(other.replications == experiment.replications && other.definition == experiment.definition)
            for point in experiment.points.indices {
                let runs = [experiment, other].map { $0.specification(point: point, policy: 0, replication: 1) }
                #expect("\(runs[0].apps)" == "\(runs[1].apps)")
                #expect("\(runs[0].device)" == "\(runs[1].device)")
                #expect("\(runs[0].persona)" == "\(runs[1].persona)")
            }
        }
    }

    @Test func `apps of a catalogue and the same apps as one's own are other runs`() throws {
        // With as many as these both have the same names, and the popularity of a catalogue's follows its order.
        let text = sample.replacing("count: 20", with: "count: 150")
        let named = try load(text)
        let tree = try #require(named.whole["apps"]?["catalog"]?.canonical)
        let own = try load(
            text.replacing(
                "apps: {catalog: everyday, count: 150}", with: "apps: {\"count\":\"150\"," + tree.dropFirst()))
        let apps = [named, own].map { $0.points[0].apps.sorted { $0.name < $1.name } }
        #expect(apps[0].map(\.name) == apps[1].map(\.name))
        #expect(apps[0].map(\.popularity) != apps[1].map(\.popularity))
        #expect(own.points[0].resolvedText != named.points[0].resolvedText)
    }

    @Test func `a catalogue may be written out, or changed, where it is named`() throws {
        let changed = try load(
            sample.replacing(
                "catalog: everyday", with: "catalog: {base: everyday, apps: {pigeon: {footprint: 999 MiB}}}"))
        let named = try load(sample)
        #expect(changed.points[0].apps.map(\.name) == named.points[0].apps.map(\.name))
        let pigeon = try #require(changed.points[0].apps.first { $0.name == "pigeon" })
        #expect(pigeon.foregroundFootprint.bytes == 999 << 20)
    }
}
