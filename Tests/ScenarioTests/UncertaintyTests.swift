// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Glibc
import PhoneCore
import Power
import Quantities
import Testing
import Vocabulary

@testable import Scenario

/// Constants of the phone that are drawn from the intervals of its model files.
@Suite struct UncertaintyTests {
    private static func point(_ samples: Int = 6, device: String = "iphone-13", seed: Int = 7) throws -> SweepPoint {
        try load(
            sample.replacing("device: iphone-13", with: "device: \(device)").replacing("seed: 7", with: "seed: \(seed)")
                + "\nuncertainty: {samples: \(samples)}"
        ).points[0]
    }

    private static func doubt(_ low: Double, _ likeliest: Double, _ high: Double, _ unit: String = "mW") -> ModelDoubt {
        ModelDoubt(path: "device.a", unit: unit, interval: low...high, likeliest: likeliest)
    }

    /// The area under a triangle up to its top is the top's share of the base.
    @Test func `values follow a triangle over the logarithm, over the number itself for shares`() {
        let power = Self.doubt(10, 100, 1000)
        #expect(abs(power.value(at: 0) - 10) < 1e-9 && abs(power.value(at: 1) - 1000) < 1e-9)
        #expect(abs(power.value(at: 0.5) - 100) < 1e-9)
        // An eighth of the area lies below a quarter of the base: 10 exp(ln(100) / 4).
        #expect(abs(power.value(at: 0.125) - 10 * exp(log(100) / 4)) < 1e-9)
        let share = Self.doubt(10, 40, 50, "%")
        // Three quarters lie below the top; above, (50 - x)² / (40 · 10) is what is left.
        #expect(abs(share.value(at: 0.75) - 40) < 1e-12)
        #expect(abs(share.value(at: 0.99) - (50 - (0.01 * 400).squareRoot())) < 1e-12)
        #expect(abs(Self.doubt(0, 0, 8).value(at: 0.75) - 4) < 1e-12)
        #expect(Self.doubt(5, 5, 5).value(at: 0.3) == 5)
    }

    @Test func `each sample is a phone with the values drawn for it`() throws {
        let point = try Self.point()
        let awake = try #require(point.doubts.first { $0.path == "device.platform.awake_power" })
        #expect(awake.interval == 60...190 && awake.likeliest == 180 && awake.unit == "mW")
        #expect(awake.draws.count == 6 && Set(awake.draws).count == 6)
        let tail = try #require(point.doubts.first { $0.path == "device.radios.cellular.tail.0.power" })
        for replication in 0..<12 {
            let phone = point.device(replication: replication)
            let drawn = awake.draws[replication % 6]
            #expect(awake.interval.contains(drawn))
            #expect(abs(phone.power.platform.awakePower.watts - drawn / 1000) < 1e-12)
            let tailPower = phone.power.radios[.cellular].tail[0].power.watts
            #expect(abs(tailPower - tail.draws[replication % 6] / 1000) < 1e-12)
        }
        // The phone of the file stays what it is.
        #expect(point.device.power.platform.awakePower == .milliwatts(180))
    }

    @Test func `a sample is the same among more, and another under another seed`() throws {
        let few = try Self.point(3).doubts
        let many = try Self.point(9).doubts
        #expect(few.map(\.path) == many.map(\.path) && few.count > 8)
        #expect(zip(few, many).allSatisfy { $0.draws == Array($1.draws.prefix(3)) })
        let others = try Self.point(3, seed: 8).doubts
        #expect(zip(few, others).allSatisfy { $0.draws != $1.draws })
    }

    @Test func `a value that the experiment states is not drawn`() throws {
        let stated = try Self.point(device: "{base: iphone-13, platform: {awake_power: 150 mW}}")
        #expect(!stated.doubts.contains { $0.path == "device.platform.awake_power" })
        #expect(stated.doubts.contains { $0.path == "device.platform.suspend_power" })
        #expect((0..<6).allSatisfy { stated.device(replication: $0).power.platform.awakePower == .milliwatts(150) })
    }

    @Test func `runs are told apart by what was drawn, and without samples they are what they were`() throws {
        let plain = try load(sample).points[0]
        #expect(plain.doubts.isEmpty && !plain.resolvedText.contains("uncertainty"))
        #expect(plain.device(replication: 5).power.platform.awakePower == .milliwatts(180))
        #expect(try Self.point(2).resolvedText != Self.point(3).resolvedText)
    }

    @Test(arguments: [
        ("{samples: 1}", "samples"), ("{}", "samples"), ("30", "a map such as {samples: 30}"),
        ("{samples: 3, count: 2}", "count"),
    ])
    func `what is wrong with the key is said`(value: String, part: String) throws {
        let problems = #expect(throws: Diagnostics.self) { try load(sample + "\nuncertainty: \(value)") }
        #expect(problems?.list.contains { $0.message.contains(part) } == true, "\(problems?.list.map(\.message) ?? [])")
    }

    /// `(interval, whether it holds)` about a value of 5 mW.
    @Test(arguments: [
        ("[1 mW, 9 mW]", true), ("[5 mW, 5 mW]", true), ("[6 mW, 9 mW]", false), ("[1 mW, 4 mW]", false),
        ("[9 mW, 1 mW]", false), ("[1 W, 9 W]", false), ("[1, 9]", false), ("[1 mW]", false),
    ])
    func `an interval holds its value, in its unit`(interval: String, holds: Bool) throws {
        let text = "power: 5 mW\nassumptions: [{key: power, reason: none, interval: \(interval)}]"
        let report = ConfigReport()
        let node = try tree(text)
        let found = DoubtReader(report: report).doubts(of: node, named: "a.yaml", in: node, prefixes: [[]])
        #expect(found.count == (holds ? 1 : 0))
        #expect(report.problems.hasErrors != holds)
    }

    @Test func `every interval of the shipped phones and radios holds its value`() throws {
        var count = 0
        for kind in ModelLibrary.Kind.allCases {
            for name in library.names(kind) {
                let path = try #require(library.path(kind, name))
                let node = try YAML.load(path: path).get()
                let stated = (node["assumptions"]?.items ?? []).count { $0["interval"] != nil }
                let report = ConfigReport()
                let found = DoubtReader(report: report).doubts(of: node, named: path, in: node, prefixes: [[]])
                #expect(found.count == stated && !report.problems.hasErrors, "\(name)")
                count += stated
            }
        }
        #expect(count >= 13)
    }
}
