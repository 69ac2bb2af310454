// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// Pages that show what the program prints or takes: run, and compared word by word.
///
/// `FLOTSAM_UPDATE_DOCS=1 swift test --filter DocumentTests` writes the present outputs and sources of policies.
@Suite(.serialized) struct DocumentTests {
    private static let isUpdate = ProcessInfo.processInfo.environment["FLOTSAM_UPDATE_DOCS"] != nil
    private static let isRelease: Bool = {
        #if DEBUG
            return false
        #else
            return true
        #endif
    }()

    private static func path(_ page: String) -> URL { Laboratory.package.appending(path: page) }
    private static func lines(_ page: String) throws -> [String] {
        try String(contentsOf: path(page), encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
    }

    /// A folder with models and experiments, as the tutorial begins.
    private static func laboratory() throws -> Laboratory {
        let laboratory = try Laboratory()
        for name in ["models", "experiments"] {
            try laboratory.link(name)
        }
        return laboratory
    }

    /// Runs the page.
    ///
    /// A block `<!-- file: NAME -->` is written, what stands behind `$ ` is run, and what is below is what it prints. A
    /// line `…` stands for any lines.
    @Test func `the tutorial prints what it shows`() throws {
        let page = "docs/tutorial.md"
        let laboratory = try Self.laboratory()
        var result: [String] = []
        let lines = try Self.lines(page)
        var index = 0
        var commands = 0
        while index < lines.count {
            let line = lines[index]
            result.append(line)
            index += 1
            guard line == "```console" || line.hasPrefix("```yaml") else { continue }
            var block: [String] = []
            while lines[index] != "```" {
                block.append(lines[index])
                index += 1
            }
            if line.hasPrefix("```yaml") {
                let mark = result.dropLast().last ?? ""
                if mark.hasPrefix("<!-- file: ") {
                    let name = String(mark.split(separator: " ")[2])
                    try (block.joined(separator: "\n") + "\n").write(
                        to: laboratory.folder.appending(path: name), atomically: true, encoding: .utf8)
                }
                result += block
                continue
            }
            for (command, shown) in Self.steps(block) {
                let ending = try laboratory.shell(command + " 2>&1")
                let printed = ending.out.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
                    .dropLast()
                commands += 1
                // A mistake that the page explains ends in a usage error.
                #expect(ending.code == (ending.out.contains("error: ") ? 1 : 0), "\(command): \(ending.out)")
                let matches = Self.matches(shown[...], Array(printed)[...])
                if !Self.isUpdate { #expect(matches, "\(command) prints\n\(printed.joined(separator: "\n"))") }
                result.append("$ " + command)
                result += Self.isUpdate && !matches ? Array(printed) : shown
            }
        }
        #expect(commands >= 10)
        if Self.isUpdate {
            try result.joined(separator: "\n").write(to: Self.path(page), atomically: true, encoding: .utf8)
        }
    }

    private static func steps(_ block: [String]) -> [(command: String, shown: [String])] {
        var steps: [(command: String, shown: [String])] = []
        for line in block {
            if line.hasPrefix("$ ") {
                steps.append((String(line.dropFirst(2)), []))
            } else {
                steps[steps.count - 1].shown.append(line)
            }
        }
        return steps
    }

    /// Whether lines are those shown, where `…` stands for any.
    private static func matches(_ shown: ArraySlice<String>, _ printed: ArraySlice<String>) -> Bool {
        guard let first = shown.first else { return printed.isEmpty }
        if first == "…" {
            return (0...printed.count).contains { matches(shown.dropFirst(), printed.dropFirst($0)) }
        }
        guard let line = printed.first, line == first else { return false }
        return matches(shown.dropFirst(), printed.dropFirst())
    }

    @Test(.enabled(if: isRelease, "ninety runs: in a release build"))
    func `the README ends the demo as it is printed`() throws {
        let laboratory = try Self.laboratory()
        #expect(try laboratory.run("run", "experiments/quickstart.yaml", "-o", "q", "--quiet").code == 0)
        let printed = try laboratory.run("compare", "q", "--sentences").out
        let lines = try Self.lines("README.md")
        let start = try #require(lines.firstIndex(of: "```"))
        let block = lines[(start + 1)...].prefix { $0 != "```" }.joined(separator: "\n") + "\n"
        #expect(block.contains("fewer relaunches") && printed.hasPrefix(block), "\(printed)")
    }

    @Test func `the tables of policies have the names and the sources of the program`() throws {
        let json = try Laboratory().run("list", "policies", "--json").out
        let policies = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
        var lines = try Self.lines("docs/policies.md")
        let rows = Self.policyRows(lines)
        let shown = rows.map { Self.cells(lines[$0])[0] }
        try #require(shown == policies.map { "`\($0["name"] ?? "")`" })
        for (row, policy) in zip(rows, policies) {
            var cells = Self.cells(lines[row])
            let source = try Self.source(policy)
            #expect(Self.isUpdate || cells[2] == source, "\(cells[0])")
            #expect(cells[1].count > 4, "\(cells[0]) has no explanation")
            cells[2] = source
            lines[row] = "| " + cells.joined(separator: " | ") + " |"
        }
        if Self.isUpdate {
            let text = lines.joined(separator: "\n")
            try text.write(to: Self.path("docs/policies.md"), atomically: true, encoding: .utf8)
        }
    }

    /// Indices of the rows of all tables with the columns policy, explanation and source.
    private static func policyRows(_ lines: [String]) -> [Int] {
        var rows: [Int] = []
        var isInside = false
        for (index, line) in lines.enumerated() {
            if line.hasPrefix("| policy |") { isInside = line.hasSuffix("| source |") }
            if !line.hasPrefix("|") { isInside = false }
            if isInside, line.hasPrefix("| `") { rows.append(index) }
        }
        return rows
    }

    private static func cells(_ row: String) -> [String] {
        row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// The source of a policy, and whether the policy reads the future or has its own trigger.
    private static func source(_ policy: [String: Any]) throws -> String {
        let mark =
            policy["reads_the_future"] as? Bool == true
            ? "; reads the future" : policy["replaces_the_trigger"] as? Bool == true ? "; own trigger" : ""
        return try #require(policy["source"] as? String) + mark
    }

    /// Pages with policies of their own, and the file of a cluster.
    private static let elsewhere = ["docs/write-a-policy.md", "docs/many-machines.md"]

    @Test func `every piece of an experiment that a page shows is taken by check`() throws {
        let laboratory = try Self.laboratory()
        var count = 0
        for page in try Self.pages() where !Self.elsewhere.contains(page) {
            for block in try Self.blocks(page) where !Self.needsFile(block) {
                count += 1
                let isWhole = block.contains("schema: 1")
                let name = block.contains("kind: known-misses") ? "known-misses.yaml" : "piece.yaml"
                let text = (isWhole ? "" : Self.frame(around: block)) + block.joined(separator: "\n") + "\n"
                // The curve of a bench is one of the reader's own.
                let curve = Self.path("experiments/validation/curves/lco-discharge-1c.csv").path()
                try text.replacing("curves/measured.csv", with: curve).write(
                    to: laboratory.folder.appending(path: name), atomically: true, encoding: .utf8)
                let ending = try laboratory.run("check", name)
                #expect(ending.code == 0, "\(page):\n\(block.joined(separator: "\n"))\n\(ending.errors)")
            }
        }
        #expect(count >= 10)
    }

    /// Whether a piece names a recording or a report of the reader.
    private static func needsFile(_ block: [String]) -> Bool {
        block.contains { $0.contains("trace: ") || $0.contains("start_state: ") }
    }

    /// README and all pages of `docs`, those of its folders too.
    private static func pages() throws -> [String] {
        let names = FileManager.default.enumerator(atPath: path("docs").path())?.compactMap { $0 as? String } ?? []
        return ["README.md"] + names.filter { $0.hasSuffix(".md") }.sorted().map { "docs/" + $0 }
    }

    private static func blocks(_ page: String) throws -> [[String]] {
        var blocks: [[String]] = []
        var isOpen = false
        for line in try lines(page) {
            if line.hasPrefix("```") {
                isOpen = line == "```yaml"
                if isOpen { blocks.append([]) }
            } else if isOpen {
                blocks[blocks.count - 1].append(line)
            }
        }
        return blocks
    }

    /// An experiment without the keys that a piece brings.
    private static func frame(around block: [String]) -> String {
        let keys = Set(block.compactMap { $0.hasPrefix(" ") ? nil : $0.split(separator: ":").first.map(String.init) })
        let usual = [
            "schema: 1", "name: piece", "seed: 1", "start: 2026-03-02", "duration: 3 d", "warmup: 1 d",
            "replications: 50", "device: iphone-13", "apps: {catalog: everyday, count: 80}", "user: {persona: average}",
            "policies: {eviction: [jetsam, lru], scheduling: [opportunistic, immediate, never]}",
            "baseline: {eviction: jetsam, scheduling: opportunistic}", "app: {name: myapp, category: news}",
            "sweep: {axes: {device.memory.ram: [3 GiB, 4 GiB]}}",
        ]
        return usual.filter { line in
            let key = line.split(separator: ":").first.map(String.init) ?? ""
            // A sweep is there for those that name its points.
            return !keys.contains(key) && (key != "sweep" || keys.contains("targets"))
        }.joined(separator: "\n") + "\n"
    }
}
