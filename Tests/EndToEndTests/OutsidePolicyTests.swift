// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// The example of `docs/write-a-policy.md` that lives outside the package: it is built and run.
///
/// The first build compiles the whole simulator once more (about a minute), later ones what has changed.
@Suite(.serialized) struct OutsidePolicyTests {
    @Test func `an executable of three lines runs the simulator with policies of its own`() throws {
        let root = PolicyPageTests.root
        let example = root.appending(path: "docs/examples/outside-policy")
        let scratch = root.appending(path: ".build/outside-policy")
        let build = try run(
            "/usr/bin/env",
            [
                "swift", "build", "--package-path", example.path(), "--scratch-path", scratch.path(),
                "--disable-index-store", "-Xswiftc", "-gnone",
            ])
        #expect(build.code == 0, "\(build.text.suffix(3000))")

        let program = scratch.appending(path: "debug/my-flotsam").path()
        let list = try run(program, ["list", "policies"])
        #expect(list.code == 0)
        for name in ["jetsam", "smallest-first", "opportunistic", "above-level"] {
            #expect(list.text.contains(name), "list policies does not name \(name)")
        }

        let results = FileManager.default.temporaryDirectory.appending(path: "outside-policy-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: results) }
        let outcome = try run(
            program, ["run", example.appending(path: "experiment.yaml").path(), "-o", results.path(), "-j", "1"])
        #expect(outcome.code == 0, "\(outcome.text.suffix(3000))")
        let rows = try String(contentsOf: results.appending(path: "runs.csv"), encoding: .utf8).split(separator: "\n")
        #expect(rows.count == 1 + 2 * 2 * 2)
        #expect(rows.count { $0.contains("smallest-first+above-level[level=60%]") } == 2)
        #expect(rows.dropFirst().allSatisfy { $0.contains(",done,") })
        try explains(program, results.path(), example)
    }

    /// A program that links one of the libraries, and what it prints.
    @Test(arguments: [
        ("Quantities", "4718592 250000000\n"), ("EventKernel", "[1, 2] 2\n"), ("Vocabulary", "highwater 7\n"),
    ])
    func `a package of somebody else links each library alone`(_ product: String, _ printed: String) throws {
        let root = PolicyPageTests.root
        let scratch = root.appending(path: ".build/outside-products")
        let build = try run(
            "/usr/bin/env",
            [
                "swift", "build", "--package-path", root.appending(path: "docs/examples/outside-products").path(),
                "--scratch-path", scratch.path(), "--product", "uses-\(product)", "--disable-index-store",
            ])
        #expect(build.code == 0, "\(build.text.suffix(3000))")
        let ending = try run(scratch.appending(path: "debug/uses-\(product)").path(), [])
        #expect(ending.code == 0 && ending.text == printed)
    }

    /// `why` knows the names, the sentences and the changes of a policy that it has never seen.
    private func explains(_ program: String, _ results: String, _ example: URL) throws {
        // Run 1 is the first of the policy that waits below a level; the battery is low in the evening.
        let number = try #require(
            (0..<8).first { index in
                let overview = try? run(program, ["why", "\(results)#\(index)"])
                return overview?.text.contains("below-level") == true
            }, "no app was ever held back by the policy's own rule")
        let overview = try run(program, ["why", "\(results)#\(number)"]).text
        let line = try #require(overview.split(separator: "\n").first { $0.contains("below-level") })
        let app = try #require(line.split(separator: " ").first.map(String.init))
        let story = try run(program, ["why", "\(results)#\(number)", "--app", app])
        #expect(story.code == 0)
        #expect(story.text.contains("the battery showed less than the policy asks for"), "\(story.text)")
    }

    /// Runs a program to its end; its output and its messages in one text.
    private func run(_ program: String, _ arguments: [String]) throws -> (code: Int32, text: String) {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(bytes: data, encoding: .utf8) ?? "")
    }
}
