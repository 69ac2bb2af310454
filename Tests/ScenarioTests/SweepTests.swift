// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Testing

@testable import Scenario

@Suite struct SweepTests {
    func points(_ text: String) throws -> [[String]] {
        var found: [[String]] = []
        let problems = try problems(text) { cursor in
            found = (Sweep(cursor)?.points ?? []).map { $0.map { "\($0.path)=\($0.value.label)" } }
        }
        #expect(problems.isEmpty, "\(problems)")
        return found
    }

    func message(_ text: String) throws -> String { try problems(text) { #expect(Sweep($0) == nil) }.description }

    @Test func `nothing swept is one point`() {
        #expect(Sweep(nil)?.points.count == 1)
    }

    @Test func `a product takes every combination, the last axis fastest`() throws {
        let text = "axes: {device.memory.ram: [3 GiB, 4 GiB], apps.count: [80, 120]}"
        #expect(
            try points(text) == [
                ["device.memory.ram=3 GiB", "apps.count=80"], ["device.memory.ram=3 GiB", "apps.count=120"],
                ["device.memory.ram=4 GiB", "apps.count=80"], ["device.memory.ram=4 GiB", "apps.count=120"],
            ])
    }

    @Test func `a zip pairs the values and a list takes points as written`() throws {
        let zip = "mode: zip\naxes: {device: [iphone-13, iphone-15], apps.count: [80, 120]}"
        #expect(try points(zip) == [["device=iphone-13", "apps.count=80"], ["device=iphone-15", "apps.count=120"]])
        let list = "mode: list\npoints: [{apps.count: 1}, {apps.count: 7}]"
        #expect(try points(list) == [["apps.count=1"], ["apps.count=7"]])
    }

    @Test func `the baseline names values of some axes, and what the sweep lacks is a problem`() throws {
        let axes = "axes: {device.memory.ram: [3 GiB, 4 GiB], apps.count: [80, 120]}\n"
        var found: [SweepPoint.Axis] = []
        let problems = try problems(axes + "baseline: {device.memory.ram: 4 GiB}") { found = Sweep($0)?.baseline ?? [] }
        #expect(problems.isEmpty && found == [SweepPoint.Axis(path: "device.memory.ram", value: "4 GiB")])
        let bad = [
            "{device.memory.ram: 5 GiB}": "the axis has no value \"5 GiB\"",
            "{device.memory.rom: 4 GiB}": "did you mean \"device.memory.ram\"?", "4 GiB": "a map from swept paths",
        ]
        for (text, part) in bad { #expect(try message(axes + "baseline: \(text)").contains(part), "\(text)") }
        let zip = "mode: zip\naxes: {device: [a, b], apps.count: [1, 2]}\nbaseline: {device: a, apps.count: 2}"
        #expect(try message(zip).contains("no point of the sweep has these values"))
    }

    @Test func `a list without points says so`() throws {
        #expect(try message("mode: list\npoints: []").hasPrefix("a.yaml:2:9: error: the list of points is empty"))
    }

    @Test func `a value that is twice on an axis is a problem, in other units too`() throws {
        #expect(
            try message("axes: {device.memory.ram: [3 GiB, 4 GiB, 3 GiB]}") == """
                a.yaml:1:42: error: the value "3 GiB" occurs twice on the axis device.memory.ram
                  1 | axes: {device.memory.ram: [3 GiB, 4 GiB, 3 GiB]}
                    |                                          ^~~~~
                  hint: leave one out: every point is run and compared once

                """)
        #expect(try message("axes: {device.memory.ram: [3 GiB, 3072 MiB]}").contains("it equals 3 GiB"))
        #expect(try message("axes: {apps.count: [80, 80.0]}").contains("twice on the axis apps.count"))
    }

    @Test func `a point that is twice in a list or a zip is a problem, a value alone is none`() throws {
        let zip = "mode: zip\naxes: {device: [a, a, a], device.memory.ram: [1 GiB, 2 GiB, 1024 MiB]}"
        #expect(try message(zip).contains("a.yaml:2:61: error: the value \"1024 MiB\" occurs twice in the sweep"))
        #expect(try points(zip.replacing("1024 MiB", with: "3 GiB")).count == 3)
        let list = "mode: list\npoints: [{apps.count: 1}, {apps.count: 7}, {apps.count: 1}]"
        #expect(try message(list).contains("twice in the sweep"))
    }

    @Test(arguments: [10_000, 10_001])
    func `a list takes ten thousand points and no more`(count: Int) throws {
        let text = "mode: list\npoints: [" + (1...count).map { "{apps.count: \($0)}" }.joined(separator: ", ") + "]"
        if count == 10_000 { return #expect(try points(text).count == count) }
        #expect(try message(text).contains("the sweep has 10001 points, but at most 10000 are allowed"))
    }

    @Test func `uneven zips, foreign paths and empty axes are problems`() throws {
        #expect(
            try message("mode: zip\naxes: {device: [a, b], apps.count: [1]}") == """
                a.yaml:2:24: error: zipped axes need the same number of values, but device has 2 and apps.count has 1
                  2 | axes: {device: [a, b], apps.count: [1]}
                    |                        ^~~~~~~~~~
                  hint: write "mode: product" to run every combination

                """)
        #expect(
            try message("mode: zip\naxes: {device: [a], apps.count: [1, 2]}").contains(
                "device has 1 and apps.count has 2"))
        #expect(
            try message("mode: list\npoints: [{apps.count: 1}, {device: a}]").contains(
                "every point of the list must set the same paths in the same order"))
        #expect(try message("axes: {devise.ram: [1]}").contains("hint: did you mean \"device\"?"))
        #expect(try message("axes: {policies.eviction: [lru]}").contains("policies are compared under \"policies:\""))
        #expect(try message("axes: {apps.count: 1}").contains("expected a list of at least one value, found \"1\""))
        #expect(try message("axes: {}").contains("expected axes, a map from paths to lists of values"))
        let mode = try problems("mode: zap\naxes: {apps.count: [1]}") { _ = Sweep($0) }
        #expect(mode.description.contains("unknown sweep mode \"zap\""))
        #expect(mode.description.contains("hint: did you mean \"zip\"?"))
    }
}
