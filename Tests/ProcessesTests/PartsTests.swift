// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing
import Vocabulary

@testable import Processes

/// The parts that a process table is composed of, each by itself.
@Suite struct PartsTests {
    @Test func `a sparse table gives a process a value of its own when it is written, until it is reset`() {
        var table = SparseTable(7, capacity: 4)
        #expect((0..<4).allSatisfy { table[$0] == 7 && !table.hasOwnValue($0) } && table.ownValues == 0)
        table[2] += 1
        table[0] = 5
        #expect((0..<4).map { table[$0] } == [5, 7, 8, 7] && table.ownValues == 2)
        table.reset(2)
        table.reset(3)
        #expect(table[2] == 7 && !table.hasOwnValue(2) && table.ownValues == 1)
        table[1] += 2
        #expect((0..<4).map { table[$0] } == [5, 9, 7, 7], "a slot that is used again keeps an old value")
    }

    @Test func `a search of the bands meets every process once, in the order of death`() {
        var random = PolicyRandom(seed: 3)
        var queues = BandQueues(capacity: 30)
        var naive: [Int16: [Int]] = [:]
        let bands: [Int16] = [0, 10, 63, 64, 100, 127, 128, 191, 192, 210]
        for _ in 0..<2000 {
            let process = Int(random.nextUniform() * 30)
            let band = bands[Int(random.nextUniform() * 10)]
            for key in naive.keys { naive[key]?.removeAll { $0 == process } }
            switch Int(random.nextUniform() * 4) {
            case 0: queues.remove(process)
            case 1:
                queues.prepend(process, to: band)
                naive[band, default: []].insert(process, at: 0)
            default:
                queues.append(process, to: band)
                naive[band, default: []].append(process)
            }
            var met: [Int] = []
            _ = queues.first(through: 210) { member in
                met.append(member)
                return false
            }
            #expect(met == bands.flatMap { naive[$0] ?? [] })
            let top = queues.first(through: 100) { $0 % 3 == 0 }
            #expect(top == bands.filter { $0 <= 100 }.flatMap { naive[$0] ?? [] }.first { $0 % 3 == 0 })
        }
        #expect(bands.dropLast().map { queues.used(from: $0 + 1) } == bands.dropFirst().map { $0 })
        #expect(queues.used(from: 193) == 210 && queues.used(from: 0) == 0)
    }

    @Test func `the memory book moves parts and sums together`() {
        var memory = MemoryParameters(ram: .gibibytes(4))
        memory.compressorRatio = 2
        var book = MemoryBook(memory)
        var record = ProcessRecord()
        let before = book.available
        book.set(&record, resident: 1000, compressed: 600, swapped: 200)
        #expect(record.footprint == 1600 && record.pool == 200 && record.swapped == 200)
        #expect(book.available == before - 1200 && book.resident == 1000 && book.compressed == 600)
        #expect(book.swapped == 200 && record.lifetimeMaximum == 1600)
        book.set(&record, resident: 0, compressed: 0, swapped: 0)
        #expect(book.available == before && book.pool == 0 && book.swapped == 0 && record.lifetimeMaximum == 1600)
        book.recordMinimum()
        book.changeVolatile(by: 50)
        book.growZones(by: 30)
        book.setBallast(20)
        #expect(book.available == before - 100 && book.minimum == before)
        #expect(book.changedLevelShare() != nil && book.changedLevelShare() == nil)
    }

    @Test func `mapped files of a plain app go with it`() {
        var phone = TestPhone(apps: 1)
        let app = AppID(0)
        phone.open(0)
        let before = phone.table.accounts.fileBacked
        #expect(phone.table.makeBlock(.file, size: .mebibytes(50), by: app, at: phone.now) == nil)
        #expect(phone.table.act(.map, onBlock: 0, at: phone.now) == nil)
        #expect(phone.table.act(.touch(.mebibytes(50)), onBlock: 0, at: phone.now) == nil)
        #expect(phone.table.accounts.fileBacked == before + .mebibytes(50))
        phone.table.terminate(app, .normal, at: phone.now)
        #expect(phone.table.accounts.fileBacked == before)
        #expect(phone.table.invariant() == nil)
    }

    @Test func `of pressure that lasts ten minutes idle apps die, the first of the band first`() {
        var phone = TestPhone(apps: 4) {
            $0.compressorRatio = 1.5
            $0.systemFootprint = .mebibytes(200)
        }
        phone.makeIdle([0, 1], mebibytes: 10)
        phone.table.setCompressor(share: 0.9, at: phone.now)
        #expect(phone.table.pressure == .critical && phone.table.kills.isEmpty)
        phone.wait(599)
        #expect(phone.table.kills.isEmpty)
        phone.wait(2)
        #expect(phone.table.kills.map(\.reason) == [.sustainedPressure, .sustainedPressure])
        #expect(phone.killed == [0, 1])
    }

    @Test func `a plain app keeps its largest footprints and when it entered its band`() {
        var phone = TestPhone(apps: 1)
        phone.open(0, mebibytes: 100)
        phone.wait(10)
        phone.table.setFootprint(of: AppID(0), to: .mebibytes(180), at: phone.now)
        phone.table.setFootprint(of: AppID(0), to: .mebibytes(60), at: phone.now)
        #expect(phone.table.largestFootprints(of: AppID(0)).lifetime == .mebibytes(180))
        phone.table.setBand(of: AppID(0), to: 100, at: phone.now)
        #expect(phone.table.bandEntered(AppID(0)) == .zero)
        phone.leave(0)
        #expect(phone.table.bandEntered(AppID(0)) == phone.now)
    }
}
