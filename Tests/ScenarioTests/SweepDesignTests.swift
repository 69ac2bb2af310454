// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Testing

@testable import Scenario

@Suite struct SweepDesignTests {
    private func sweep(_ text: String, seed: UInt64 = 1) throws -> Sweep {
        var found: Sweep?
        let problems = try problems(text) { found = Sweep($0, seed: seed) }
        #expect(problems.isEmpty, "\(problems)")
        return try #require(found)
    }

    private func message(_ text: String) throws -> String {
        try problems(text) { #expect(Sweep($0) == nil) }.description
    }

    private func labels(_ sweep: Sweep) -> [[String]] { sweep.points.map { $0.map(\.value.label) } }

    private static let two = "ranges: {device.memory.ram: [3 GiB, 8 GiB], apps.count: [60, 99]}"

    @Test func `a Latin hypercube takes one value from each slice of each range, in the unit written`() throws {
        let sweep = try sweep("mode: lhs\ncount: 20\n" + Self.two)
        #expect(sweep.design == nil && sweep.points.count == 20)
        let ram = try labels(sweep).map { try #require(Double($0[0].dropLast(4))) }
        #expect(labels(sweep).allSatisfy { $0[0].hasSuffix(" GiB") })
        #expect(Set(ram.map { Int(($0 - 3) * 4) }) == Set(0..<20))
        // Forty whole numbers, two a slice.
        let apps = try labels(sweep).map { try #require(Int($0[1])) }
        #expect(Set(apps.map { ($0 - 60) / 2 }) == Set(0..<20))
        let other = try self.sweep("mode: lhs\ncount: 20\n" + Self.two, seed: 2)
        #expect(labels(other) != labels(sweep), "another seed takes other points")
    }

    @Test func `Sobol points begin in the middle of every range`() throws {
        let sweep = try sweep("mode: sobol\ncount: 3\nranges: {device.memory.ram: [2 GiB, 4 GiB], user.x: [0.0, 1.0]}")
        #expect(labels(sweep) == [["3 GiB", "0.5"], ["3.5 GiB", "0.25"], ["2.5 GiB", "0.75"]])
    }

    @Test func `trajectories stay on the levels and a point that comes twice is there once`() throws {
        let sweep = try sweep(
            "mode: morris\ncount: 40\nlevels: 4\nranges: {device.a: [10 s, 40 s], apps.count: [0, 3]}")
        let design = try #require(sweep.design)
        #expect(design.kind == .morris && design.rows.count == 120 && design.ranges == [10...40, 0...3])
        #expect(sweep.points.count <= 16 && Set(design.rows) == Set(sweep.points.indices))
        for row in stride(from: 0, to: 120, by: 3) {
            for step in row..<row + 2 {
                let (from, to) = (labels(sweep)[design.rows[step]], labels(sweep)[design.rows[step + 1]])
                #expect(zip(from, to).count { $0 != $1 } == 1)
            }
        }
        let seconds = Set(labels(sweep).map { $0[0] })
        #expect(seconds == ["10 s", "20 s", "30 s", "40 s"])
        #expect(Set(labels(sweep).map { $0[1] }) == ["0", "1", "2", "3"])
    }

    @Test func `groups for Sobol's indices have two points more than there are axes`() throws {
        let sweep = try sweep("mode: saltelli\ncount: 7\nranges: {device.a: [0 %, 50 %], device.b: [1 W, 2 W]}")
        let design = try #require(sweep.design)
        #expect(design.kind == .saltelli && design.rows.count == 28)
        // The first group is the middle four times.
        #expect(Array(design.rows[..<4]) == [0, 0, 0, 0] && labels(sweep)[0] == ["25 %", "1.5 W"])
    }

    @Test(arguments: [
        ("mode: lhs\nranges: {apps.count: [1, 9]}", "the key \"count\" is missing"),
        ("mode: lhs\ncount: 4", "expected ranges, a map from paths to [low, high]"),
        ("mode: lhs\ncount: 4\nranges: {apps.count: [9, 1]}", "from a smaller to a larger number, found [9, 1]"),
        ("mode: lhs\ncount: 4\nranges: {device.a: [1 s, 2 GiB]}", "between two numbers of one kind"),
        ("mode: lhs\ncount: 4\nranges: {device.a: [a, b]}", "between two numbers of one kind"),
        ("mode: lhs\ncount: 4\nranges: {device.a: [1, 2, 3]}", "expected a range such as [3 GiB, 8 GiB]"),
        ("mode: lhs\ncount: 4\nranges: {devise.a: [1, 2]}", "hint: did you mean \"device\"?"),
        ("mode: lhs\ncount: 4\naxes: {apps.count: [1, 2]}", "expected ranges"),
        ("mode: morris\ncount: 4\nlevels: 3\nranges: {device.a: [1 s, 2 s]}", "an even number of levels"),
        ("mode: morris\ncount: 4\nranges: {apps.count: [1, 3]}", "4 levels need a range of at least 4 whole numbers"),
        (
            "mode: saltelli\ncount: 9000\nranges: {device.a: [1 s, 2 s]}",
            "give 27000 points, but at most 10000 are allowed"
        ),
        (
            "mode: morris\ncount: 2\nranges: {device.a: [1 s, 2 s]}\nwhere: device.a < 1.5 s",
            "mode morris needs all of its points"
        ),
    ])
    func `a design that cannot be laid out says why`(text: String, part: String) throws {
        let found = try message(text)
        #expect(found.contains(part), "\(found)")
    }

    @Test func `more ranges than Sobol's sequence has coordinates are refused`() throws {
        let ranges = (0...20).map { "device.a\($0): [1 s, 2 s]" }.joined(separator: ", ")
        #expect(try message("mode: saltelli\ncount: 2\nranges: {\(ranges)}").contains("at most 20 ranges, found 21"))
    }
}

@Suite struct SweepConditionTests {
    private static let axes =
        "axes: {device.memory.ram: [512 MiB, 3 GiB, 4 GiB], apps.count: [60, 80], device: [a, b]}\n"

    private func points(_ condition: String) throws -> [[String]] {
        var found: [[String]] = []
        let problems = try problems(Self.axes + "where: " + condition) { cursor in
            found = (Sweep(cursor)?.points ?? []).map { $0.map(\.value.label) }
        }
        #expect(problems.isEmpty, "\(problems)")
        return found
    }

    @Test func `a condition leaves out the points that do not meet it, in whatever units they are`() throws {
        #expect(Set(try points("device.memory.ram < 1 GiB").map { $0[0] }) == ["512 MiB"])
        #expect(try points("device.memory.ram >= 3072 MiB").count == 8)
        #expect(try points("device.memory.ram != 3 GiB").count == 8)
        #expect(Set(try points("device = b").map { $0[2] }) == ["b"])
        #expect(
            Set(try points("[apps.count > 60, device != a]").map { $0.dropFirst().joined(separator: " ") }) == ["80 b"])
    }

    @Test func `alternatives and factors`() throws {
        let either = try points("\"apps.count <= 60 or device.memory.ram >= 4 GiB\"")
        #expect(either.count == 8 && either.allSatisfy { $0[1] == "60" || $0[0] == "4 GiB" })
        #expect(Set(try points("2 * apps.count < 150").map { $0[1] }) == ["60"])
        #expect(Set(try points("1 GiB >= 2 * device.memory.ram").map { $0[0] }) == ["512 MiB"])
    }

    @Test func `the words of --where are those of a sweep, too`() throws {
        #expect(
            try points("device.memory.ram == 3 GiB && apps.count < 70") == [
                ["3 GiB", "60", "a"], ["3 GiB", "60", "b"],
            ])
        #expect(
            try points("\"apps.count == 60 and device = 'a' || device.memory.ram > 3 GiB and apps.count > 60\"").count
                == 5)
        #expect(Set(try points("device == 'b'").map { $0[2] }) == ["b"])
    }

    @Test(arguments: [
        ("apps.counts < 3", "names no axis of the sweep"), ("apps.counts < 3", "did you mean \"apps.count\"?"),
        ("apps.count < 3 GiB", "cannot compare \"60\" with \"3 GiB\""),
        ("device < b", "cannot compare \"a\" with \"b\""),
        ("apps.count", "expected a condition such as"), ("apps.count < 3 < 4", "expected a condition such as"),
        ("apps.count < 3", "no point of the sweep meets the conditions"),
    ])
    func `a condition that means nothing, or leaves nothing, says so`(condition: String, part: String) throws {
        let text = try problems(Self.axes + "where: " + condition) { #expect(Sweep($0) == nil) }.description
        #expect(text.contains(part), "\(text)")
    }
}
