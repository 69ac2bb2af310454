// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Foundation
import PhoneCore
import Processes
import Quantities
import Testing

@testable import Scenario

@Suite struct StartStateTests {
    private static let state = """
        schema: 1
        name: state
        device: {os: ios-14, memory: {ram: 4 GiB, reserved: 0 B, wired: 800 MiB, system_footprint: 500 MiB}}
        processes:
          - {name: a, kind: app, band: 0, state: suspended, footprint: 40 MiB, compressed: 30 MiB, age: 2 h}
          - {name: d, kind: daemon, tracked: true, idle_exit: true, band: 0, state: running, requested_band: 30}
          - {name: spawned, kind: daemon}
        steps: []

        """

    /// What comes of a device that begins in a state, as an experiment or as problems.
    private func load(_ device: String, state: String = state) throws -> Experiment {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("flotsam-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try state.write(to: folder.appendingPathComponent("state.yaml"), atomically: true, encoding: .utf8)
        let file = folder.appendingPathComponent("a.yaml")
        let text = sample.replacing("device: iphone-13", with: "device: \(device)")
        try text.write(to: file, atomically: true, encoding: .utf8)
        return try loadExperiment(path: file.path, library: library)
    }

    private func complaint(_ device: String, state: String = state) -> String {
        do {
            _ = try load(device, state: state)
            return "no problem"
        } catch {
            return "\(error)"
        }
    }

    @Test func `a device takes processes and machine from a state, and how it goes on from itself`() throws {
        let experiment = try load("{base: iphone-13, start_state: state.yaml}")
        let device = experiment.points[0].device
        #expect(device.daemons.listed.map(\.name) == ["a", "d"])
        #expect(device.daemons.listed.map(\.kind) == [.residentApp, .idleExit])
        #expect(device.daemons.listed[0].start?.compressed == .mebibytes(30))
        #expect(device.daemons.listed[0].start?.age == .hours(2))
        #expect(device.daemons.listed[1].band == 30)
        #expect(device.memory.wired == .mebibytes(800))
        #expect(device.memory.systemFootprint == .mebibytes(500))
        let plain = try load("iphone-13").points[0].device
        #expect(device.memory.compressBelowShare == plain.memory.compressBelowShare)
        #expect(device.memory.fileCacheMinimum == plain.memory.fileCacheMinimum)
        #expect(experiment.points[0].processNames(replication: 0).suffix(2) == ["a", "d"])
        #expect(experiment.points[0].resolvedText != (try load("iphone-13")).points[0].resolvedText)
    }

    @Test func `what cannot be a state is refused with its location`() {
        #expect(complaint("{base: iphone-13, start_state: stat.yaml}").contains("did you mean \"state.yaml\"?"))
        #expect(
            complaint("{base: iphone-13, memory: {ram: 6 GiB}, start_state: state.yaml}").contains(
                "the state is from a phone with 4 GiB of memory, but the device has 6 GiB"))
        let spawned = Self.state.replacing(", state: suspended", with: "").replacing(", state: running", with: "")
        #expect(complaint("{base: iphone-13, start_state: state.yaml}", state: spawned).contains("need a \"state\""))
        let greedy = Self.state.replacing("compressed: 30 MiB", with: "compressed: 50 MiB")
        #expect(
            complaint("{base: iphone-13, start_state: state.yaml}", state: greedy).contains(
                "state.yaml:5:84: error: the compressed memory exceeds the footprint"))
    }
}
