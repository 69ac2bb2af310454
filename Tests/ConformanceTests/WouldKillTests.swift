// SPDX-License-Identifier: GPL-3.0-or-later
import EvictionPolicies
import Processes
import Scripts
import Quantities
import Testing
import Vocabulary

@Suite struct WouldKillTests {
    /// Four suspended apps of 30, 50, 20 and 40 MiB, one at work and one that the user sees.
    static let processes: [StartingProcess] = [
        (30, 0, true), (50, 0, true), (20, 0, true), (40, 0, true), (90, 40, false), (300, 100, false),
    ].map { size, band, isSuspended in
        var traits = ProcessTraits()
        traits.band = Int16(band)
        return StartingProcess(
            traits: traits, isSuspended: isSuspended, footprint: .mebibytes(Double(size)),
            compressed: isSuspended ? .mebibytes(Double(size) / 2) : .zero, age: .seconds(Double(1000 - size)))
    }

    private func ask(_ policy: any EvictionPolicy, _ bound: WouldKill.Bound = .count(3)) -> WouldKill {
        var memory = MemoryParameters(ram: .gibibytes(2))
        memory.compressorRatio = 2
        return WouldKill(
            Self.processes, memory: memory, profile: .ios18(ram: .gibibytes(2)), policy: policy, bound: bound)
    }

    @Test func `each policy kills in its own order, and what the user sees dies last`() {
        #expect(ask(Jetsam()).victims.map(\.process) == [0, 1, 2])
        #expect(ask(LargestFirst()).victims.map(\.process) == [4, 1, 3])
        // The oldest is the smallest here.
        #expect(ask(FirstInFirstOut()).victims.map(\.process) == [2, 0, 3])
        for policy in [Jetsam(), LargestFirst(), FirstInFirstOut()] as [any EvictionPolicy] {
            #expect(ask(policy).order[5] == 5)
        }
    }

    @Test func `a death returns what is resident and its share of the pool`() throws {
        let first = try #require(ask(Jetsam()).victims.first)
        #expect(first.footprint == .mebibytes(30))
        #expect(first.freed == .mebibytes(15 + 7.5))
        let answer = ask(Jetsam())
        #expect(first.available == answer.availableBefore + first.freed)
    }

    @Test func `victims end when enough is available`() {
        let before = ask(Jetsam()).availableBefore
        #expect(ask(Jetsam(), .available(before)).victims.isEmpty)
        #expect(ask(Jetsam(), .available(before + ByteCount(1))).victims.count == 1)
        #expect(ask(Jetsam(), .available(before + .mebibytes(22.5))).victims.count == 1)
        #expect(ask(Jetsam(), .available(before + .mebibytes(22.6))).victims.count == 2)
        #expect(ask(Jetsam(), .available(.gibibytes(8))).victims.count == 6)
    }

    @Test func `no shortage and no limit kills on its own`() {
        var memory = MemoryParameters(ram: .gibibytes(1))
        memory.perProcessLimit = .mebibytes(10)
        memory.wired = .mebibytes(300)
        let answer = WouldKill(
            Self.processes, memory: memory, profile: .ios18(ram: .gibibytes(1)), policy: Jetsam(), bound: .count(1))
        #expect(answer.availableBefore < .zero)
        #expect(answer.victims.map(\.process) == [0])
    }

    @Test func `limits of single processes change no order`() {
        let memory = MemoryParameters(ram: .gibibytes(2))
        var small = Self.processes
        for index in small.indices {
            small[index].traits.activeLimit = MemoryLimit(.mebibytes(10), isFatal: true)
            small[index].traits.inactiveLimit = MemoryLimit(.mebibytes(10), isFatal: true)
        }
        let answer = WouldKill(
            small, memory: memory, profile: .ios18(ram: .gibibytes(2)), policy: Jetsam(), bound: .count(6))
        #expect(answer.victims.map(\.process) == [0, 1, 2, 3, 4, 5])
        #expect(answer.victims.map(\.footprint) == Self.processes.map(\.footprint))
    }

    @Test(
        arguments: [
            ("jetsam", []), ("fifo", []), ("largest-first", []), ("random", []), ("lru", [.lastUse]),
            ("lmkd", [.lastUse]),
            ("lfu", [.uses]), ("gdsf", [.uses, .relaunch]), ("android-ranker", [.lastUse, .uses]),
            ("smartlmk", [.history, .relaunch]), ("predicted", [.history]), ("belady", [.future]),
            ("lru-2", [.lastUse, .history]), ("sieve", [.history]), ("arc", [.history]),
            ("s3-fifo", [.history]),
        ] as [(String, [MissingKnowledge])])
    func `what a policy needs is found by changing it`(name: String, expected: [MissingKnowledge]) throws {
        let entry = try #require(EvictionPolicies.all.first { $0.descriptor.name == name })
        let arguments = entry.descriptor.defaultArguments(seed: 1)
        let needed = MissingKnowledge.needed { entry.make(arguments) }
        #expect(needed == expected)
    }

    @Test func `agreement counts victims, bytes and order`() {
        let sizes = [10.0, 20, 30, 40].map { ByteCount.mebibytes($0) }
        let agreement = KillAgreement(
            reported: [0, 1, 2], chosen: [0, 2, 3], order: [0, 3, 1, 2], footprints: sizes)
        #expect(agreement.isFirstSame == true)
        #expect(agreement.common == 2)
        #expect(agreement.jaccard == 0.5)
        #expect(agreement.bytesShare == 40.0 / 60)
        // Of three pairs two stand alike.
        #expect(agreement.tau == 1.0 / 3)
        let few = KillAgreement(reported: [0, 1], chosen: [2], order: [1, 2, 0, 3], footprints: sizes)
        #expect(few.tau == nil)
        #expect(few.jaccard == 0)
        #expect(few.isFirstSame == false)
        #expect(KillAgreement(reported: [], chosen: [], order: [], footprints: []).jaccard == nil)
    }
}
