// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics

/// Reads a JetsamEvent report.
///
/// - Throws: All problems with line and column. A file with problems is not read.
public func readJetsamReport(path: String) throws(Diagnostics) -> JetsamReport {
    try readJetsamReport(SourceText.read(path: path).get())
}

/// Reads a JetsamEvent report from a text.
public func readJetsamReport(_ source: SourceText) throws(Diagnostics) -> JetsamReport {
    // Editors may write a byte-order mark at the start, which is not part of JSON (RFC 8259, section 8.1).
    let isMarked = source.text.unicodeScalars.first == "\u{feff}"
    let plain = isMarked ? String(String.UnicodeScalarView(source.text.unicodeScalars.dropFirst())) : source.text
    if plain.hasPrefix("Incident Identifier:") {
        throw Diagnostics(
            "\(source.name) is a report in the text format of iOS 8 and earlier, which is not supported",
            hint: "reports of iOS 9 and later are JSON: they begin with \"{\"")
    }
    let values = try JSONText.parse(SourceText(name: source.name, text: plain)).get()
    let report = ConfigReport()
    var reader = JetsamReportReader(report: report)
    let result = reader.read(values)
    guard let result, !report.problems.hasErrors else { throw report.problems.ordered }
    return result
}

/// Reads the known keys of the header and the body, and collects the unknown keys.
private struct JetsamReportReader {
    let report: ConfigReport
    private var unknown: [String: Int] = [:]
    private var unknownOrder: [String] = []

    init(report: ConfigReport) { self.report = report }

    /// Largest plausible number of pages: 16 TiB in the largest pages.
    ///
    /// The limit prevents overflow in sums.
    private static var pages: ValueReader<Int> { .integer(0...(1 << 28)) }
    private static var ticks: ValueReader<Int> { .integer(0...(1 << 56)) }
    private static var number: ValueReader<Int> { .integer(0...(1 << 56)) }

    mutating func read(_ values: [Node]) -> JetsamReport? {
        let hasHeader = values.count > 1 || values.first?["bug_type"] != nil
        guard let body = hasHeader ? values.dropFirst().first : values.first else {
            values.first.map { Cursor($0, report: report).fail("the body is missing after the header line") }
            return nil
        }
        if values.count > 2 {
            Cursor(values[2], report: report).fail(
                "a third JSON value follows, but a report consists of a header line and a body")
        }
        var result = JetsamReport(header: hasHeader ? values[0] : nil, body: body)
        if let header = result.header { readHeader(header, into: &result) }
        readBody(body, into: &result)
        result.findRowsAtStart()
        result.unknown = unknownOrder.map { ($0, unknown[$0] ?? 0) }
        return result
    }

    private mutating func readHeader(_ node: Node, into result: inout JetsamReport) {
        let map = MapReader(Cursor(node, path: "header", report: report), expected: "the header line of a report")
        if let type = map.required("bug_type", .text), type != "298" {
            map.cursor("bug_type")?.fail("bug_type is \(type), but a jetsam report has bug_type 298")
        }
        result.system = map.optional("os_version", .text)
        result.date = map.optional("timestamp", .text)
        rememberUnknown(map, known: ["incident_id", "roots_installed"], "header")
    }

    private mutating func readBody(_ node: Node, into result: inout JetsamReport) {
        let map = MapReader(Cursor(node, report: report), expected: "the body of a report")
        guard map.isMap else { return }
        result.product = map.optional("product", .text)
        result.system = map.optional("build", .text) ?? result.system
        result.date = map.optional("date", .text) ?? result.date
        result.largestProcess = map.optional("largestProcess", .text)
        if let status = map.cursor("memoryStatus") {
            readStatus(MapReader(status), into: &result)
        } else {
            map.cursor.fail("the key \"memoryStatus\" is missing", hint: "is this a JetsamEvent report?")
        }
        if let list = map.cursor("processes"), let items = list.node.items {
            result.processes = items.enumerated().map { readProcess(list.item($0.element, index: $0.offset)) }
            if items.isEmpty { list.fail("the report lists no process", hint: "a complete report lists all processes") }
        } else {
            map.cursor.fail("the list \"processes\" is missing", hint: "is this a JetsamEvent report?")
        }
        let known = [
            "kernel", "incident", "crashReporterKey", "codeSigningMonitor", "timeDelta", "genCounter", "bug_type",
        ]
        rememberUnknown(map, known: known, "")
    }

    private mutating func readStatus(_ map: MapReader, into result: inout JetsamReport) {
        let size = ValueReader<Int>.integer(512...65536, example: "16384")
            .checked("a power of two") { $0 & ($0 - 1) == 0 }
        result.pageSize = map.required("pageSize", size) ?? 16384
        map.set(&result.pages.compressor, "compressorSize", Self.pages)
        map.set(&result.pages.uncompressed, "uncompressed", Self.pages)
        if let pages = map.cursor("memoryPages") {
            readPages(MapReader(pages), into: &result.pages)
        } else if map.isMap {
            map.cursor.fail("the key \"memoryPages\" is missing")
        }
        let known = ["compressions", "decompressions", "zoneMapSize", "zoneMapCap", "largestZone", "largestZoneSize"]
        rememberUnknown(map, known: known, "memoryStatus")
    }

    private mutating func readPages(_ map: MapReader, into pages: inout JetsamPages) {
        pages.active = map.required("active", Self.pages) ?? 0
        pages.free = map.required("free", Self.pages) ?? 0
        pages.wired = map.required("wired", Self.pages) ?? 0
        map.set(&pages.speculative, "speculative", Self.pages)
        map.set(&pages.throttled, "throttled", Self.pages)
        pages.fileBacked = map.optional("fileBacked", Self.pages)
        pages.anonymous = map.optional("anonymous", Self.pages)
        if map.cursor("inactive") == nil, let anonymous = pages.anonymous, let files = pages.fileBacked {
            // Every page on a queue is either anonymous or backed by a file.
            pages.inactive = max(0, anonymous + files - pages.active - pages.speculative)
            pages.inactiveFollows = true
        } else {
            pages.inactive = map.required("inactive", Self.pages) ?? 0
        }
        rememberUnknown(map, known: ["purgeable"], "memoryStatus.memoryPages")
    }

    private mutating func readProcess(_ cursor: Cursor) -> JetsamProcess {
        let map = MapReader(cursor, expected: "a process")
        var process = JetsamProcess()
        process.name = map.required("name", .text) ?? ""
        process.pid = map.optional("pid", Self.number)
        process.footprintPages = map.required("rpages", Self.pages) ?? 0
        process.states = map.value("states", .list(of: .text), default: [])
        process.priority = map.optional("priority", .integer(-2...999, example: "0"))
        process.coalition = map.optional("coalition", Self.number)
        process.age = map.optional("age", Self.ticks)
        process.killDelta = map.optional("killDelta", Self.ticks)
        process.reason = map.optional("reason", .text)
        if let pages = map.map("physicalPages") {
            if let pair = pages.optional("internal", .list(of: Self.pages)) {
                if pair.count == 2 {
                    process.internalPages = (pair[0], pair[1])
                } else {
                    pages.cursor("internal")?.expected("two numbers: resident and compressed pages")
                }
            }
            rememberUnknown(pages, known: ["frozen_to_swap_pages"], "processes[].physicalPages")
        }
        let known = [
            "uuid", "lifetimeMax", "purgeable", "mem_regions", "idleDelta", "cpuTime", "fds", "genCount", "csFlags",
            "csTrustLevel", "freeze_skip_reason:", "pageSpike", "purgeable_nv", "alternate", "iokit", "table",
            "neuralPages", "zones", "tags", "eventReason", "appleIntelligenceStatus",
        ]
        rememberUnknown(map, known: known, "processes[]")
        return process
    }

    /// Collects the unknown keys of a map.
    private mutating func rememberUnknown(_ map: MapReader, known: [String], _ path: String) {
        let asked = map.keys
        for key in map.writtenKeys where !asked.contains(key) && !known.contains(key) {
            let full = path.isEmpty ? key : path + "." + key
            if unknown[full] == nil { unknownOrder.append(full) }
            unknown[full, default: 0] += 1
        }
    }
}
