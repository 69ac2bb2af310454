// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing
import Vocabulary

/// Parameters declared by key path: the default is the settings' own, and the value arrives where it was declared.
@Suite struct ParameterTests {
    enum Mood: Sendable {
        case calm, hasty
    }

    struct Nested: Sendable {
        var size = ByteCount.kibibytes(3)
        var energy = Energy.joules(2.5)
        var power = Power.milliwatts(250)
    }

    struct Picky: EvictionPolicy {
        var grace = SimDuration.seconds(30)
        var share = 0.25
        var count = 7
        var level = UInt8(2)
        var isBold = true
        var mood = Mood.hasty
        var quota: Bool? = .some(false)
        var nested = Nested()
        var seed: UInt64 = 0

        mutating func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double { 0 }
    }

    static let descriptor = PolicyDescriptor(name: "picky", summary: "A test.", source: "this test")

    static let entry = EvictionPolicyEntry(
        descriptor, Picky(),
        [
            Parameter(\.grace, "grace", .duration, 0...60, "how long"),
            Parameter(\.share, "share", .fraction, 0...1, "how much"),
            Parameter(\.count, "count", .number, 0...9, "how many"),
            Parameter(\.level, "level", .number, 0...4, "how high"),
            Parameter(\.isBold, "bold", .number, 0...1, "whether"),
            Parameter(\.mood, "mood", .choice(["calm": .calm, "hasty": .hasty]), "which"),
            Parameter(\.quota, "quota", .choice(["old": false, "new": true, "none": nil]), "which of three"),
            Parameter(\.nested.size, "size", .bytes, 0...1e6, "how large"),
            Parameter(\.nested.energy, "energy", .energy, 0...10, "how dear"),
            Parameter(\.nested.power, "power", .power, 0...10, "how strong"),
        ]
    ) { policy, seed in
        var policy = policy
        policy.seed = seed
        return policy
    }

    @Test func `a policy named without brackets gets the defaults that stand in its settings`() throws {
        let arguments = Self.entry.descriptor.defaultArguments(seed: 5)
        #expect(arguments.values == [30, 0.25, 7, 2, 1, 1, 0, 3072, 2.5, 0.25])
        let made = try #require(Self.entry.make(arguments) as? Picky)
        #expect(made.grace == .seconds(30) && made.share == 0.25 && made.count == 7 && made.level == 2)
        #expect(made.isBold && made.mood == .hasty && made.quota == false && made.seed == 5)
        #expect(made.nested.size == .kibibytes(3) && made.nested.energy == .joules(2.5))
        #expect(made.nested.power == .milliwatts(250))
    }

    @Test func `each value arrives at the property that its parameter names`() throws {
        let values: [Double] = [1.5, 0.5, 3.9, 3.4, 0, 0, 2, 2048, 4, 2]
        let made = try #require(Self.entry.make(PolicyArguments(values: values, seed: 0)) as? Picky)
        #expect(made.grace == .seconds(1.5) && made.share == 0.5 && made.count == 3 && made.level == 3)
        #expect(!made.isBold && made.mood == .calm && made.quota == nil)
        #expect(made.nested.size == .kibibytes(2) && made.nested.energy == .joules(4))
        #expect(made.nested.power == .watts(2))
    }

    @Test func `what users are told follows from the declaration`() throws {
        let parameters = Self.entry.descriptor.parameters
        #expect(parameters.map(\.name).prefix(4) == ["grace", "share", "count", "level"])
        #expect(parameters[0].dimension == .duration && parameters[0].range == 0...60)
        #expect(parameters[0].meaning == "how long")
        #expect(parameters[5].dimension == .choice(["calm", "hasty"]) && parameters[5].range == 0...1)
        #expect(parameters[6].range == 0...2)
        #expect(parameters.map(\.dimension).suffix(3) == [.bytes, .energy, .power])
    }

    @Test func `a policy can hold its parameters itself`() throws {
        let entry = EvictionPolicyEntry(
            Self.descriptor, Picky(), Parameter(\.grace, "grace", .duration, 0...60, "how long"))
        let made = try #require(entry.make(PolicyArguments(values: [5], seed: 0)) as? Picky)
        #expect(made.grace == .seconds(5) && made.count == 7)
    }

    @Test func `values that do not fit the parameters trap, instead of leaving the defaults`() async {
        await #expect(processExitsWith: .failure) {
            _ = Self.entry.make(PolicyArguments(values: [1, 2, 3], seed: 0))
        }
    }
}
