// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Importers
import Processes
import Quantities
import Testing

@Suite struct JetsamReportTests {
    @Test func `a report of the newer layout gives pages, processes and kills in order of time`() throws {
        let report = try SyntheticReports.read(SyntheticReports.newer)
        #expect(report.product == "iPhone9,1")
        #expect(report.hasBands)
        #expect(report.hasCompressedSplit)
        #expect(report.pages.anonymous == 70_000)
        #expect(report.processes.count == 8)
        #expect(report.kills.map { report.processes[$0].pid } == [15, 11, 12, 13])
        #expect(report.processes[1].runningTime == .minutes(5))
        #expect(report.generation(among: OSProfile.iosGenerations.map(\.name)) == "ios-14")
        #expect(report.unknown.map(\.path) == ["processes[].moonPhase"])
        #expect(report.nominalMemory == .gibibytes(2))
    }

    @Test func `memory is that of the product, and only for an unknown one what the pages add up to`() throws {
        for (product, gibibytes) in [
            ("iPhone12,1", 4.0), ("iPhone12,8", 3), ("iPhone14,7", 6), ("iPhone18,3", 8), ("iPad7,11", 3),
            ("Moon1,1", 2),
        ] {
            let text = SyntheticReports.newer.replacing("iPhone9,1", with: product)
            #expect(try SyntheticReports.read(text).nominalMemory == .gibibytes(gibibytes), "\(product)")
        }
    }

    @Test func `identifiers and ages tell how many processes the phone ended an hour`() throws {
        // Five minutes say too little.
        #expect(try SyntheticReports.read(SyntheticReports.newer).endsPerHour == nil)
        let older = SyntheticReports.newer.replacing("\"age\" : 7200000000", with: "\"age\" : 864000000000")
        let newest = older.replacing("\"pid\" : 17", with: "\"pid\" : 508")
        // 508 were started in ten hours, and eight are left.
        #expect(try SyntheticReports.read(newest).endsPerHour == 50)
    }

    @Test func `nothing of a report is lost, whether known or not`() throws {
        for text in [SyntheticReports.newer, SyntheticReports.older] {
            let report = try SyntheticReports.read(text)
            let again = try SyntheticReports.read(report.text)
            #expect(again.text == report.text)
            // The text but for the space between its parts, which no value holds.
            func packed(_ text: String) -> String { text.filter { !" \n".contains($0) } }
            #expect(packed(report.text) == packed(text))
        }
    }

    @Test func `the relations of a true report hold, and a changed number breaks the one it is part of`() throws {
        for text in [SyntheticReports.newer, SyntheticReports.older] {
            let report = try SyntheticReports.read(text)
            let checks = report.checks(nominalBytes: Int(try #require(report.nominalMemory).bytes))
            #expect(checks.map(\.holds) == [true, true, true, true, true])
        }
        func broken(_ from: String, _ to: String) throws -> [Int] {
            let report = try SyntheticReports.read(SyntheticReports.newer.replacing(from, with: to))
            return report.checks(nominalBytes: 2 << 30).enumerated().filter { $0.element.holds != true }.map(\.offset)
        }
        #expect(try broken("\"inactive\" : 36000", "\"inactive\" : 36001") == [0])
        #expect(try broken("\"uncompressed\" : 30000", "\"uncompressed\" : 12000") == [1])
        #expect(try broken("\"wired\" : 32000", "\"wired\" : 1000") == [2])
        #expect(try broken("\"Gardener\",\n  \"genCounter\"", "\"Postcards\",\n  \"genCounter\"") == [3])
        #expect(try broken("\"killDelta\" : 2000,", "") == [4])
        #expect(try broken("\"anonymous\" : 70000,", "") == [0])
    }

    @Test func `a starting state adds up to the machine of the report`() throws {
        for text in [SyntheticReports.newer, SyntheticReports.older] {
            let report = try SyntheticReports.read(text)
            let start = try report.start()
            let page = Double(report.pageSize)
            let memory = start.memory
            func pages(_ size: ByteCount) -> Double { Double(size.bytes) / page }
            let stored = start.processes.reduce(0) { $0 + pages($1.process.compressed) }
            let footprints = start.processes.reduce(0) { $0 + pages($1.process.footprint) }
            #expect(footprints == Double(report.processes.reduce(0) { $0 + $1.footprintPages }))
            let system = pages(memory.systemFootprint)
            let systemStored = system * memory.systemCompressedShare
            let pool = (stored + systemStored) / memory.compressorRatio
            #expect(abs(pool - Double(report.pages.compressor)) < 1e-6)
            let left =
                pages(memory.visible) - pages(memory.wired) - (footprints - stored) - (system - systemStored) - pool
            #expect(abs(left - Double(report.pages.free + (report.pages.fileBacked ?? 0))) < 1e-6)
        }
    }

    @Test func `names are made different, launchd is left out, deaths at a limit tell the limit`() throws {
        let start = try SyntheticReports.read(SyntheticReports.newer).start()
        #expect(
            start.processes.map(\.name) == [
                "meltwaterd-11", "Postcards", "Timetable", "meltwaterd-14", "lanternd", "Gardener", "tidegauged",
            ])
        #expect(start.processes.map { $0.process.traits.band } == [0, 0, 0, 10, 30, 100, 140])
        // Daemons are tracked, and those that idle may go at any time; apps are what RunningBoard drives.
        let traits = start.processes.map(\.process.traits)
        #expect(traits.map(\.allowsIdleExit) == [true, false, false, true, false, false, false])
        #expect(traits.map(\.isTracked) == [true, false, false, true, true, false, true])
        #expect(traits.map(\.isManaged) == [false, true, true, false, false, true, false])
        let limits = start.processes.filter { $0.limit != nil }
        #expect(limits.map(\.name) == ["lanternd"])
        #expect(limits.first?.limit == MemoryLimit(ByteCount(899 * 16384), isFatal: false))
        #expect(start.processes.map { $0.process.isSuspended } == [false, true, true, false, false, false, false])
    }

    @Test func `without bands the order of rows and their states give them, and none overtakes another`() throws {
        let start = try SyntheticReports.read(SyntheticReports.older).start()
        #expect(
            start.processes.map { $0.process.traits.band } == [0, 0, 0, 0, 30, 40, 40, 100, 140, 160, 170, 180])
        #expect(start.notes.count == 2)
    }

    @Test(arguments: [
        ("", "1:1: expected a value, found the end of the file"),
        ("[]", "1:1: expected the body of a report, found an empty list"),
        ("{}", "1:1: the key \"memoryStatus\" is missing"),
        ("{\"bug_type\": \"298\"}", "1:1: the body is missing after the header line"),
        (
            "{\"bug_type\": \"298\"}\n{\"a\": 1}{}",
            "2:9: a third JSON value follows, but a report consists of a header line and a body"
        ),
    ]) func `what is no report is refused`(text: String, expected: String) {
        do throws(Diagnostics) {
            _ = try SyntheticReports.read(text)
            Issue.record("read as a report")
        } catch {
            let found = error.shown.compactMap { problem in
                problem.location.map { "\($0.line):\($0.column): \(problem.message)" }
            }
            #expect(found.contains(expected), "\(found)")
        }
    }

    /// The problems of a changed report, each as `line:column: message`.
    private func problems(_ from: String, _ to: String) -> [String] {
        do throws(Diagnostics) {
            _ = try SyntheticReports.read(SyntheticReports.newer.replacing(from, with: to, maxReplacements: 1)).start()
            return []
        } catch {
            return error.shown.map { problem in
                (problem.location.map { "\($0.line):\($0.column): " } ?? "") + problem.message
            }
        }
    }

    @Test func `every wrong value is named with its location`() {
        #expect(
            problems("\"298\"", "\"109\"") == [
                "1:13: bug_type is 109, but a jetsam report has bug_type 298 (at header.bug_type)"
            ])
        #expect(
            problems("\"rpages\" : 300", "\"rpages\" : -300").first?.hasSuffix(
                "expected at least 0, found -300 (at processes[0].rpages)") == true)
        #expect(
            problems("\"rpages\" : 300", "\"rpages\" : 99999999999999999999").first?.hasSuffix(
                "expected an integer, found \"99999999999999999999\" (at processes[0].rpages)") == true)
        #expect(problems("\"rpages\" : 300", "\"rpages\" : 1e3").first?.contains("expected an integer") == true)
        #expect(problems("\"pageSize\" : 16384", "\"pageSize\" : 16385").first?.contains("a power of two") == true)
        #expect(problems("[50, 240]", "[50]").first?.contains("two numbers") == true)
        #expect(problems("\"active\" : 40000", "\"aktive\" : 40000").first?.contains("\"active\" is missing") == true)
        // Footprints that the machine has no room for.
        #expect(problems("\"rpages\" : 300", "\"rpages\" : 200000").first?.contains("the footprints add up to") == true)
        let tooMany = problems("\"free\" : 1900", "\"free\" : 268435456").first
        #expect(tooMany?.contains("do not fit into the memory of 2048.0 MiB") == true)
    }
}
