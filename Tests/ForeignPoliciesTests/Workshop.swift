// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Foundation
import Vocabulary

@testable import ForeignPolicies

/// A folder in which policies of other languages are written and built.
final class Workshop {
    let folder = FileManager.default.temporaryDirectory.appending(path: "flotsam-policies-" + UUID().uuidString)

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for file in PolicyKit.c.files("x.c") + PolicyKit.python.files("x.py") where file.isShared {
            try write(file.path, file.text)
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    static let examples = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "docs/examples/foreign-policies")

    var home: String { folder.path() }

    func path(_ name: String) -> String { folder.appending(path: name).path() }

    @discardableResult
    func write(_ name: String, _ text: String) throws -> String {
        try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
        return path(name)
    }

    @discardableResult
    func example(_ name: String) throws -> String {
        try write(name, String(contentsOf: Self.examples.appending(path: name), encoding: .utf8))
    }

    /// Builds a library of C; the text stands behind the header.
    func library(_ name: String, _ text: String) throws -> ForeignCode {
        let head = "#include \"flotsam_policy.h\"\n#include <math.h>\n#include <unistd.h>\n"
        let source = try write(name + ".c", head + text)
        return .library(path: try compile(source, name))
    }

    func compile(_ source: String, _ name: String) throws -> String {
        let library = path(name + ".so")
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = [
            "clang", "-O2", "-std=c11", "-D_DEFAULT_SOURCE", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off",
            "-shared",
            "-fPIC", "-I", home, "-o", library, source,
        ]
        try compiler.run()
        compiler.waitUntilExit()
        guard compiler.terminationStatus == 0 else { throw ForeignPolicyError("\(source) cannot be built") }
        return library
    }

    /// A program in Python.
    func process(_ name: String, _ text: String) throws -> ForeignCode {
        try write(name, text)
        return .process(words: ["python3", name], folder: home, reads: [])
    }
}

/// The message of an error, or nothing.
func message<T>(_ body: () throws -> T) -> String? {
    do {
        _ = try body()
        return nil
    } catch let error as ForeignPolicyError {
        return error.message
    } catch {
        return "\(error)"
    }
}

extension ForeignPolicies {
    /// A source whose gate lets everything pass.
    static var open: ForeignPolicies {
        var gate = ForeignGate()
        gate.allowsAll = true
        return ForeignPolicies(gate)
    }

    func eviction(_ code: ForeignCode) throws(ForeignPolicyError) -> ForeignPolicy<EvictionPolicyEntry> {
        try eviction(code, namedIn: "")
    }

    func scheduling(_ code: ForeignCode) throws(ForeignPolicyError) -> ForeignPolicy<SchedulingPolicyEntry> {
        try scheduling(code, namedIn: "")
    }
}
