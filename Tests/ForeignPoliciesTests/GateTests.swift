// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing
import Vocabulary

@testable import ForeignPolicies

/// The one gate in front of all foreign code.
@Suite struct GateTests {
    @Test func `a hash is that of the standard`() {
        // FIPS 180-4, examples of NIST: one block, two blocks, nothing, a million letters.
        let a = UInt8(ascii: "a")
        #expect(
            SecureHash.of(Array("abc".utf8)) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            SecureHash.of(Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8))
                == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
        #expect(SecureHash.of([]) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(
            SecureHash.of([UInt8](repeating: a, count: 1_000_000))
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
        var parts = SecureHash()
        for _ in 0..<119 { parts.add([a]) }
        #expect(parts.hexadecimal() == SecureHash.of([UInt8](repeating: a, count: 119)))
    }

    @Test func `a source that was told nothing starts nothing`() throws {
        let workshop = try Workshop()
        let code = try workshop.process("mark.py", "open('RAN', 'w')\n")
        let said = message { try ForeignPolicies().eviction(code, namedIn: "") }
        #expect(said?.contains("this policy is not allowed yet: python3 mark.py") == true, "\(said ?? "nothing")")
        #expect(!FileManager.default.fileExists(atPath: workshop.path("RAN")))
    }

    @Test func `code passes where its user named it, it was inherited or allowed, and nowhere else`() throws {
        let workshop = try Workshop()
        let code = try workshop.process("mine.py", "print()\n")
        let files = try CodeFiles(code)
        func passes(_ text: String = "a file", _ change: (inout ForeignGate) -> Void) -> Bool {
            var gate = ForeignGate()
            change(&gate)
            return message { try gate.pass(code, files, namedIn: text) } == nil
        }
        #expect(!passes { _ in })
        #expect(passes { $0.allowsAll = true })
        #expect(passes("k=v") { $0.words = ["--set", "k=v"] })
        #expect(passes("k=v") { $0.words = ["--set=k=v"] })
        #expect(!passes("v") { $0.words = ["--set", "k=v"] })
        #expect(!passes("") { $0.words = [""] })
        #expect(passes { $0.inherited = [files.fingerprint] })
        #expect(!passes { $0.inherited = [files.content] })
        #expect(passes { $0.ask = { _ in true } })
        #expect(!passes { $0.ask = { _ in false } })
        let trusted = TrustedPolicies(path: workshop.path("config/trusted"))
        #expect(passes { ($0.trusted, $0.ask) = (trusted, { _ in true }) })
        #expect(passes { $0.trusted = trusted })
        #expect(try String(contentsOfFile: trusted.path, encoding: .utf8) == "\(files.fingerprint) \(code.shown)\n")
    }

    @Test func `the same question is put once in a call`() throws {
        let workshop = try Workshop()
        let code = try workshop.process("mine.py", "print()\n")
        let asked = Count()
        var gate = ForeignGate()
        gate.ask = { _ in asked.next() > 1 }
        for _ in 0..<3 {
            #expect(message { try gate.pass(code, CodeFiles(code), namedIn: "x") } != nil)
        }
        #expect(asked.value == 1)
    }

    private final class Count: @unchecked Sendable {
        var value = 0

        func next() -> Int {
            value += 1
            return value
        }
    }

    @Test func `the hash moves with each word, folder and file of a command, and each byte of a library`() throws {
        let workshop = try Workshop()
        try workshop.write("mine.py", "print()\n")
        try workshop.write("data", "1")
        let absolute = workshop.path("mine.py")
        func hash(_ words: [String], _ reads: [String] = [], in folder: String? = nil) throws -> String {
            try CodeFiles(.process(words: words, folder: folder ?? workshop.home, reads: reads)).fingerprint
        }
        let codes = [
            try hash(["python3", "mine.py"]), try hash(["python3", "mine.py", ""]), try hash(["python3 mine.py"]),
            try hash(["python3", "mine.py"], ["data"]), try hash(["python3", "mine.py"], in: "/"),
            try hash(["python3", absolute]),
        ]
        #expect(Set(codes).count == codes.count)
        try workshop.write("mine.py", "print() \n")
        #expect(try hash(["python3", "mine.py"]) != codes[0])
        #expect(try hash(["python3", absolute]) != codes[5])
        let first = try CodeFiles(.library(path: workshop.path("data"))).fingerprint
        try workshop.write("data", "2")
        #expect(try CodeFiles(.library(path: workshop.path("data"))).fingerprint != first)
    }
}
