// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import TestSupport
import Testing

@Suite struct LinkerIdentityTests {
    @Test func `the identity is the note of that kind among the notes of a program`() throws {
        let other = record(kind: 1, owner: "GNU\0", [9, 9, 9, 9])
        let foreign = record(kind: 3, owner: "Go\0", [8, 8, 8])
        let own = record(kind: 3, owner: "GNU\0", [1, 2, 3, 250, 5])
        #expect(try identity(program(other + foreign + own)) == [1, 2, 3, 250, 5])
        #expect(try identity(program(own + other)) == [1, 2, 3, 250, 5])
        #expect(try identity(program(other + foreign)) == nil)
    }

    @Test func `a segment that holds no notes is passed over`() throws {
        let own = record(kind: 3, owner: "GNU\0", [7])
        #expect(try identity(program(own, kinds: [1, 4])) == [7])
        #expect(try identity(program(own, kinds: [1, 1])) == nil)
    }

    @Test func `a file that is no program, or that ends anywhere, has none`() throws {
        #expect(try identity(Array("#!/bin/sh\n".utf8)) == nil)
        let whole = program(record(kind: 3, owner: "GNU\0", [1, 2, 3, 4]))
        for count in 0..<whole.count { #expect(try identity(Array(whole[..<count])) == nil) }
        for index in whole.indices {
            var damaged = whole
            damaged[index] = 255
            _ = try identity(damaged)
        }
    }

    @Test func `the running program has one`() throws {
        #expect(try InputFile("/proc/self/exe").linkerIdentity()?.count == 20)
    }

    private func identity(_ bytes: [UInt8]) throws -> [UInt8]? {
        let folder = try TemporaryFolder()
        try replaceFile(folder.path + "/program") { file in try file.write(bytes) }
        return try InputFile(folder.path + "/program").linkerIdentity()
    }

    /// A program of nothing but segments that all hold the same notes.
    private func program(_ notes: [UInt8], kinds: [Int] = [4]) -> [UInt8] {
        var bytes: [UInt8] = [0x7f, 0x45, 0x4c, 0x46, 2, 1]
        func add(_ parts: [UInt8]...) { for part in parts { bytes += part } }
        add(zeros(26), little(64, 8), zeros(14), little(56, 2), little(kinds.count, 2), zeros(6))
        let content = 64 + 56 * kinds.count
        for kind in kinds {
            add(little(kind, 4), zeros(4), little(content, 8), zeros(16), little(notes.count, 8), zeros(16))
        }
        return bytes + notes
    }

    private func record(kind: Int, owner: String, _ content: [UInt8]) -> [UInt8] {
        let name = Array(owner.utf8)
        let head = little(name.count, 4) + little(content.count, 4) + little(kind, 4)
        return head + padded(name) + padded(content)
    }

    private func padded(_ bytes: [UInt8]) -> [UInt8] { bytes + zeros((4 - bytes.count % 4) % 4) }
    private func zeros(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }
    private func little(_ value: Int, _ size: Int) -> [UInt8] { (0..<size).map { UInt8(value >> (8 * $0) & 255) } }
}
