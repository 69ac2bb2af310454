// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Files
import Foundation
import TestSupport
import Testing

@testable import Scenario

/// Files named as what they are.
@Suite struct FileKindTests {
    private func kind(_ path: String) throws -> FileKind? { FileKind.of(try YAML.load(path: path).get()) }

    @Test(arguments: ModelLibrary.Kind.allCases)
    func `every shipped model is told by its keys`(kind: ModelLibrary.Kind) throws {
        let names = library.names(kind)
        #expect(!names.isEmpty)
        for name in names {
            let found = try self.kind(try #require(library.path(kind, name)))
            // Of a radio that changes nothing but its tail nothing tells.
            #expect(found == (name == "lte-2020-short-tail" ? nil : .model(kind)), "\(kind) \(name)")
        }
    }

    @Test func `experiments, benches, scenarios and lists of misses are told by theirs`() throws {
        let root = SourceTree.root.path(percentEncoded: false)
        for (path, kind) in [
            ("experiments/quickstart.yaml", FileKind.experiment),
            ("experiments/myths/fifteen-minutes.yaml", .experiment),
            ("experiments/validation/energy-radio.yaml", .bench),
            ("experiments/validation/known-misses.yaml", .knownMisses),
            ("Tests/ConformanceTests/scenarios/aging-by-relaunch.yaml", .scenario),
            ("models/traces/niimpy-month.csv", .recording),
        ] { #expect(try self.kind(root + path) == kind, "\(path)") }
    }

    @Test func `a file that could be anything is nothing`() throws {
        #expect(FileKind.of(try YAML.parse(SourceText(name: "a", text: "schema: 1\nname: a\n")).get()) == nil)
        #expect(FileKind.of(try YAML.parse(SourceText(name: "a", text: "a word")).get()) == nil)
    }

    @Test func `a shown model names file, line and source of what it inherits`() throws {
        let model = try library.shown(.devices, named: "iphone-14")
        #expect(model.files.map { FilePath.name(of: $0) } == ["iphone-14.yaml", "iphone-13.yaml"])
        let ram = try #require(model.values.first { $0.key == "memory.ram" })
        #expect(ram.text == "6 GiB" && FilePath.name(of: ram.file) == "iphone-14.yaml" && !ram.isAssumed)
        let cached = try #require(model.values.first { $0.key == "memory.file_cache_minimum" })
        #expect(FilePath.name(of: cached.file) == "iphone-13.yaml" && cached.isAssumed)
        #expect(cached.source.hasPrefix("share of file pages"))
        let lines = SourceText(name: "", text: String(decoding: try readFile(ram.file), as: UTF8.self)).lines
        #expect(lines[ram.line - 1].contains("ram: 6 GiB"))
        let target = try #require(model.values.first { $0.key == "memory.free_target" })
        #expect(target.source == "report 04: 80 MiB of 4 GB; iPhone 6: 24 MiB of 1 GB")
    }

    @Test func `a model that nobody has is named with the nearest`() {
        let problems = #expect(throws: Diagnostics.self) { try library.shown(.devices, named: "iphone14") }
        #expect(problems?.description == "error: unknown device \"iphone14\"\n  hint: did you mean \"iphone-14\"?\n")
    }
}
