// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Experiments
import Files
import Glibc
import PhoneCore
import Recording
import TestSupport
import Testing

/// Folders of results as a stranger, or the user, may have left them.
@Suite(.serialized) struct StrangeResultsTests {
    /// A finished laboratory, and a folder beside its results that nobody may touch.
    private func finished() throws -> Laboratory {
        let laboratory = try Laboratory(plan: smallPlan(replications: 2))
        try laboratory.run()
        try laboratory.folder.makeFolder("mine/1")
        for name in ["mine/notes", "mine/runs.csv", "mine/1/runs.csv"] { try laboratory.folder.write(name, "mine") }
        return laboratory
    }

    private func mine(_ laboratory: Laboratory) throws -> [[UInt8]] {
        let folder = laboratory.folder.path + "/mine"
        #expect(directoryEntries(folder) == ["1", "notes", "runs.csv"])
        return try ["notes", "runs.csv", "1/runs.csv"].map { try readFile(folder + "/" + $0) }
    }

    /// What a session says that is refused.
    private func refusal(_ laboratory: Laboratory) throws -> String {
        do {
            try laboratory.run()
            Issue.record("it was not refused")
            return ""
        } catch let problem as Diagnostics {
            return problem.description
        } catch let error as FileError {
            return error.description
        }
    }

    @Test(arguments: [
        "segments", "unfinished", "earlier", "bundle", "manifest.json", "plan.jsonl", ".checksums", "runs.csv",
        "failures.jsonl", "device_hours.csv",
    ])
    func `a session follows no link in its folder and says which it is`(name: String) throws {
        let laboratory = try finished()
        let path = laboratory.results + "/" + name
        if FilePath.exists(path) { rename(path, laboratory.folder.path + "/away") }
        symlink(laboratory.folder.path + "/mine", path)
        let text = try refusal(laboratory)
        #expect(text.contains("\(path)") && text.contains("symbolic link"), "\(text)")
        #expect(try mine(laboratory) == [[UInt8]](repeating: Array("mine".utf8), count: 3))
    }

    @Test(arguments: ["manifest.json.partial", "plan.jsonl.partial"])
    func `what is called as an unfinished file and is a link goes, and what it leads to stays`(name: String) throws {
        let laboratory = try finished()
        let before = try laboratory.text("runs.csv")
        symlink(laboratory.folder.path + "/mine/notes", laboratory.results + "/" + name)
        #expect(try laboratory.run().exitCode == 0)
        #expect(try mine(laboratory) == [[UInt8]](repeating: Array("mine".utf8), count: 3))
        #expect(try laboratory.text("runs.csv") == before)
    }

    @Test(arguments: [
        "manifest.json", "plan.jsonl", "failures.jsonl", "segments/000500.seg", "segments/a.failures.jsonl",
    ])
    func `a FIFO and a folder instead of a file are refused at once`(name: String) throws {
        let laboratory = try finished()
        let path = laboratory.results + "/" + name
        unlink(path)
        mkfifo(path, 0o600)
        let waiting = try refusal(laboratory)
        #expect(waiting.contains(path) && waiting.contains("move it away"), "\(waiting)")
        unlink(path)
        try createDirectory(path)
        let folder = try refusal(laboratory)
        #expect(folder.contains(path) && folder.contains("is a folder") && folder.contains("move it away"), "\(folder)")
    }

    @Test func `a segment that is a link is not read`() throws {
        let laboratory = try finished()
        let segment = try #require(laboratory.segments.first)
        rename(segment, laboratory.folder.path + "/away.seg")
        symlink(laboratory.folder.path + "/away.seg", segment)
        #expect(try refusal(laboratory).contains("\(segment): error: cannot read: it is a symbolic link"))
    }

    @Test func `numbers that are none of the program's are passed over, and behind the last there is none`() throws {
        var laboratory = try finished()
        for name in ["9223372036854775807.seg", "99999999999999999999.seg"] {
            try replaceFile(laboratory.results + "/segments/" + name, with: "")
        }
        laboratory.plan = smallPlan(replications: 3)
        #expect(try laboratory.run().exitCode == 0)
        #expect(laboratory.segments.map(FilePath.name).contains("000002.seg"))
        try replaceFile(laboratory.results + "/segments/999999999.seg", with: "")
        laboratory.plan = smallPlan(replications: 4)
        let text = try refusal(laboratory)
        #expect(text.contains("segments already has the largest possible number, 999999999"), "\(text)")
    }

    @Test func `a changed table is kept and said, one that is as it was written is not`() throws {
        let laboratory = try finished()
        let written = try laboratory.text("runs.csv")
        var notices: [String] = []
        try laboratory.run(notice: { notices.append($0) })
        #expect(notices.isEmpty && !FilePath.exists(laboratory.results + "/earlier"))
        // Written over, as some editors do.
        try OutputFile(existing: laboratory.results + "/runs.csv").write(Array("mine,".utf8))
        let edited = try laboratory.text("runs.csv")
        #expect(edited.hasPrefix("mine,"))
        try laboratory.run(notice: { notices.append($0) })
        let folder = laboratory.results + "/earlier"
        #expect(notices == ["runs.csv (changed after flotsam wrote it) is now in \(folder)"])
        #expect(try laboratory.text("earlier/runs.csv") == edited)
        #expect(try laboratory.text("runs.csv") == written)
        notices = []
        for name in ["runs.csv", "summary.csv"] {
            unlink(laboratory.results + "/" + name)
            try replaceFile(laboratory.results + "/" + name, with: "mine")
        }
        try laboratory.run(notice: { notices.append($0) })
        #expect(
            notices == [
                "runs.2.csv, summary.csv (changed after flotsam wrote them) are now in \(folder)"
            ])
        #expect(try laboratory.text("earlier/runs.2.csv") == "mine")
        #expect(try laboratory.text("earlier/runs.csv") == edited)
        #expect(try laboratory.text("runs.csv") == written)
    }

    @Test func `the tables of an experiment that was edited are kept, and those of one that grew are not`() throws {
        var laboratory = try finished()
        let written = try laboratory.text("runs.csv")
        laboratory.plan = smallPlan(replications: 3)
        try laboratory.run()
        #expect(!FilePath.exists(laboratory.results + "/earlier"))
        let grown = try laboratory.text("runs.csv")
        #expect(grown != written)
        laboratory.plan = smallPlan(replications: 3, seed: 5)
        var notices: [String] = []
        try laboratory.run(notice: { notices.append($0) })
        #expect(notices.count == 1 && notices[0].hasPrefix("12 runs in"), "\(notices)")
        #expect(notices.first?.hasSuffix("and \(laboratory.results)/earlier keeps the earlier tables") == true)
        #expect(try laboratory.text("earlier/runs.csv") == grown)
        laboratory.plan = smallPlan(replications: 3, tables: [], seed: 5)
        notices = []
        try laboratory.run(notice: { notices.append($0) })
        #expect(notices == ["device_hours.2.csv of an earlier experiment is now in \(laboratory.results)/earlier"])
    }

    @Test(arguments: [
        (["plan", "replications"], JSONValue.integer(1_000_000_000)), (["plan", "replications"], .integer(.max)),
        (["plan", "replications"], .integer(1_000_000_000_000)), (["plan", "replications"], .integer(-1)),
        (["plan", "replications"], .number(1.5)), (["plan", "replications"], .string("4")),
        (["plan", "baseline"], .integer(.max)), (["plan", "baseline"], .integer(-1)),
        (["plan", "lengths"], .array([.integer(.min), .integer(.max), .integer(0), .integer(0)])),
        (["plan", "points"], .array([])), (["plan", "policies"], .array([])),
        (["plan", "points"], .array(Array(repeating: .null, count: 300_000))),
        (["experiment", "resolved"], .string("{}")), (["experiment", "resolved"], .array([])),
        (["experiment", "resolved"], analysis(#""level":"5""#)),
        (["experiment", "resolved"], analysis(#""equivalence":"-1""#)),
        (["experiment", "resolved"], analysis(#""quantiles":["2"]"#)),
    ])
    func `a plan that no experiment gives is refused in a sentence`(path: [String], value: JSONValue) throws {
        let laboratory = try finished()
        let manifest = try JSONValue(parsing: laboratory.text("manifest.json"))
        try replaceFile(laboratory.results + "/manifest.json", with: changed(manifest, path[...], value).pretty)
        let problem = try #require(throws: Diagnostics.self) { try ResultDirectory(laboratory.results).plan() }
        #expect(problem.description.contains(laboratory.results), "\(problem)")
        // The experiment itself is at hand, and its runs are there: the next session mends it.
        #expect(try laboratory.run().done == 8)
        #expect(try ResultDirectory(laboratory.results).plan() == laboratory.plan)
    }

    @Test func `a manifest that is too large is not read, and the number of done runs may be nonsense`() throws {
        let laboratory = try finished()
        let manifest = try JSONValue(parsing: laboratory.text("manifest.json"))
        for value in [JSONValue.integer(.min), .integer(.max), .number(1e300), .string("x")] {
            let text = changed(manifest, ["status", "done"], value).pretty
            try replaceFile(laboratory.results + "/manifest.json", with: text)
            #expect(try laboratory.run().done == 8)
        }
        truncate(laboratory.results + "/manifest.json", 600_000_000)
        let problem = try #require(throws: Diagnostics.self) { try ResultDirectory(laboratory.results).plan() }
        #expect(problem.description.contains("it has 600000000 bytes, more than the limit of 67108864"))
    }

    /// The definition of the plan with an analysis that no file may have.
    private static func analysis(_ key: String) -> JSONValue {
        .string(smallPlan().resolvedText.replacing(#""seed""#, with: #""analysis":{\#(key)},"seed""#))
    }

    private func changed(_ json: JSONValue, _ path: ArraySlice<String>, _ value: JSONValue) -> JSONValue {
        guard let key = path.first, var members = json.members else { return value }
        members[key] = changed(json[key] ?? .null, path.dropFirst(), value)
        return .object(members)
    }

    @Test func `a failure that a list of a stranger tells of is taken as it is`() throws {
        let laboratory = try finished()
        let identity = hexadecimal(laboratory.plan.runs[1].identity)
        for time in ["-1e300", "1e300", "1e18", "-5"] {
            unlink(laboratory.results + "/failures.jsonl")
            try replaceFile(
                laboratory.results + "/failures.jsonl",
                with: "{\"identity\": \"\(identity)\", \"last_event\": -9223372036854775808, "
                    + "\"last_event_s\": \(time), \"signal\": 9223372036854775807, \"attempts\": -1}\n")
            let remembered = try RememberedFailures(in: ResultDirectory(laboratory.results), plan: laboratory.plan)
            #expect(remembered.runs.map(\.run.number) == [1])
            #expect(remembered.runs[0].text(plan: laboratory.plan).contains("failed: "))
        }
    }
}
