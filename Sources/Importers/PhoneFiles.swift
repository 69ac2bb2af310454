// SPDX-License-Identifier: GPL-3.0-or-later
// This file reads all recorded files of a phone, and combines the facts about the phone.
// In: bug reports, dumps and logs of an Android phone; JetsamEvent reports, power logs, knowledgeC and MetricKit
// payloads of an iPhone; tables of loggers; power profiles; or folders of these. Out: a `RecordedPhone`.

import ConfigText
import Diagnostics
import Files
import Quantities
import Workload

/// Reads the files of one phone.
///
/// The content of each file identifies its kind.
///
/// - Throws: The first problem of a file in `paths`. Files inside a folder are skipped if they cannot be read as
///   recordings, and a note lists them.
public func readPhone(paths: [String], _ options: RecordingOptions) throws(Diagnostics) -> RecordedPhone {
    var reader = PhoneFiles(options)
    for path in paths {
        if let files = try PhoneFiles.files(below: path) {
            for file in files { try reader.read(file, mayBeOther: true) }
        } else {
            try reader.read(path, mayBeOther: false)
        }
    }
    return try reader.finish(paths)
}

/// Paths of the phones of a fleet; nil if the path is not a folder.
///
/// Each folder or file in the given folder is one phone.
public func phonesOfFleet(_ folder: String) throws(Diagnostics) -> [String]? {
    guard PhoneFiles.isFolder(folder) else { return nil }
    return try PhoneFiles.entries(folder).map { FilePath.join(folder, $0.name) }
}

/// Reads the files of a phone in sequence.
struct PhoneFiles {
    /// Largest number of entries below a folder, and largest depth of folders.
    private static let most = 10_000, deepest = 8
    /// Charges of a full battery that a phone may have, in mAh.
    private static let capacities = 300.0...30_000

    /// Kind of a file.
    enum Form: String {
        case dump = "dump of an Android phone"
        case jetsamReport = "JetsamEvent report"
        case metrics = "payload of MetricKit"
        case perfetto = "metrics of Perfetto"
        case powerProfile = "power profile"
        case powerlog = "power log"
        case usage = "use of apps (knowledgeC, App.InFocus)"
        case appUsage = "history of the app App Usage"
        case aware = "tables of AWARE"
        case activityWatch = "export of ActivityWatch"
    }

    private let options: RecordingOptions
    private var dump = PhoneDump()
    private var files: [Form: [String]] = [:]
    private var phone = RecordedPhone()
    private var left: [String] = []

    init(_ options: RecordingOptions) {
        self.options = options
        dump.log.zone = options.zone
    }

    // MARK: Folders

    static func entries(_ path: String) throws(Diagnostics) -> [(name: String, kind: Folder.Kind)] {
        do throws(FileError) {
            let folder = try Folder(path)
            // Links may lead out of the folder. Other special files, such as pipes, may never end.
            var entries: [(name: String, kind: Folder.Kind)] = []
            for name in try folder.names().sorted() where !name.hasPrefix(".") {
                guard let kind = folder.kind(name), kind == .file || kind == .folder else { continue }
                entries.append((name, kind))
            }
            return entries
        } catch {
            throw Diagnostics(reading: path, error)
        }
    }

    static func isFolder(_ path: String) -> Bool { FilePath.exists(path + "/.") }

    /// The files below a folder, sorted; nil for a file.
    static func files(below path: String) throws(Diagnostics) -> [String]? {
        guard isFolder(path) else { return nil }
        var found: [String] = []
        var open = [(path, 0)]
        var seen = 0
        while let (folder, depth) = open.popLast() {
            for entry in try entries(folder) {
                seen += 1
                guard seen <= most else { throw Diagnostics("\(path) contains more than \(most) files and folders") }
                let path = FilePath.join(folder, entry.name)
                if entry.kind == .folder {
                    if depth < deepest { open.append((path, depth + 1)) }
                } else {
                    found.append(path)
                }
            }
        }
        return found.sorted()
    }

    // MARK: Files

    /// Reads a file.
    mutating func read(_ path: String, mayBeOther: Bool) throws(Diagnostics) {
        do throws(Diagnostics) {
            guard let form = try Self.form(of: path) else {
                throw Diagnostics(
                    "\(path) is not a recording of a phone in a known format",
                    hint: "'flotsam data import' lists the formats; its format csv reads any table with --map")
            }
            switch form {
            case .dump: try readDump(path)
            case .jetsamReport: try readReport(path)
            case .metrics: for payload in try MetricKitPayload.all(.unpacked(path: path)) { payload.add(to: &phone) }
            case .perfetto: try PerfettoMetrics(.unpacked(path: path)).add(to: &phone)
            case .powerProfile:
                phone.profile = try importPowerProfile(path: path, PowerProfileOptions(name: "twin"))
            default: files[form, default: []].append(path)
            }
            phone.sources.append((FilePath.name(of: path), form.rawValue))
        } catch {
            if !mayBeOther { throw error }
            left.append(FilePath.name(of: path))
        }
    }

    /// Kind of a file; nil when it is not recognized.
    static func form(of path: String) throws(Diagnostics) -> Form? {
        let source = try ForeignInput.open(path)
        let head = try source.head()
        switch ForeignInput.kind(of: head) {
        case .sqlite:
            let tables = try SQLiteTables(name: path, source: source)
            func has(_ name: String) throws(Diagnostics) -> Bool {
                try tables.table(name, "select * from \(name) limit 1") != nil
            }
            if try has("ZOBJECT") { return .usage }
            for name in PowerlogTables.names {
                let isThere = try has(name)
                if isThere { return .powerlog }
            }
            return .aware
        case .biome: return .usage
        case .gzip, .zip, .text: break
        }
        let text = String(decoding: head, as: UTF8.self)
        let first = text.drop { $0.isWhitespace || $0 == "\u{feff}" }
        if first.hasPrefix("{") || first.hasPrefix("Incident Identifier:") {
            if text.contains("\"memoryStatus\"") || text.contains("\"bug_type\"") || !first.hasPrefix("{") {
                return .jetsamReport
            }
            if text.contains("\"metaData\"") || text.contains("timeStampBegin") { return .metrics }
            if PerfettoMetrics.names.contains(where: { text.contains("\"\($0)\"") }) { return .perfetto }
            return text.contains("\"buckets\"") ? .activityWatch : nil
        }
        if first.hasPrefix("["), text.contains("\"metaData\"") || text.contains("timeStampBegin") { return .metrics }
        if first.hasPrefix("<") { return text.contains("<device") ? .powerProfile : nil }
        if let form = formOfTable(first) { return form }
        return try isDump(path) ? .dump : nil
    }

    /// Kind of a table, by its first line; nil when it is not recognized.
    private static func formOfTable(_ text: Substring) -> Form? {
        let line = text.prefix { !$0.isNewline }.lowercased()
        let names = line.split { ",;\t".contains($0) }.map { $0.filter { $0 != "\"" && $0 != " " } }
        func has(_ some: String...) -> Bool { some.allSatisfy { names.contains($0) } }
        if has("timestamp", "node", "component") || has("nodeid", "rootnodeid") || has("ispermanent", "name")
            || has("timestamp", "ischarging")
        {
            return .powerlog
        }
        if has("start", "end", "bundleid") || has("segbstate", "bundleid") { return .usage }
        if has("appname", "date", "time") || has("date", "time", "battery(%)") { return .appUsage }
        return has("battery_status", "battery_level") || has("screen_status") || has("package_name", "timestamp")
            ? .aware : nil
    }

    /// Whether one of the first lines is a line of a dump.
    private static func isDump(_ path: String) throws(Diagnostics) -> Bool {
        var table = try ForeignTable.read(path: path, separator: 0)
        var row = ForeignTable.Row()
        var dump = PhoneDump()
        while table.next(&row), row.number < 200_000 {
            let bytes = table.bytes
            if BatterystatsForm(of: row.line, in: bytes) != nil { return true }
            let text = bytes.text(row.line)
            if text.drop(while: \.isWhitespace).hasPrefix("time=\"") { return true }
            dump.read(Substring(text))
            if dump.known > 0 { return true }
        }
        return false
    }

    private mutating func readDump(_ path: String) throws(Diagnostics) {
        var table = try ForeignTable.read(path: path, separator: 0)
        var row = ForeignTable.Row()
        dump.beginFile()
        while table.next(&row) { dump.read(Substring(table.bytes.text(row.line))) }
        try table.check()
        files[.dump, default: []].append(path)
    }

    private mutating func readReport(_ path: String) throws(Diagnostics) {
        let source = try SourceText.unpacked(path: path)
        let report = try readJetsamReport(source)
        phone.platform = .ios
        for row in report.kills + report.laterKills {
            let process = report.processes[row]
            phone.deaths.append(
                RecordedPhone.Death(
                    time: nil, process: process.name, band: report.band(ofRow: row), reason: process.reason ?? ""))
        }
        // The latest report shows the current state of the phone.
        if report.date ?? "" >= phone.report?.date ?? "" {
            phone.report = report
            phone.product = report.product ?? phone.product
            phone.system = report.system ?? phone.system
            phone.memory = report.nominalMemory ?? phone.memory
        }
        phone.swap = phone.swap ?? ByteCount(0)
    }

    // MARK: The whole

    /// Combines the results of all files.
    mutating func finish(_ paths: [String]) throws(Diagnostics) -> RecordedPhone {
        dump.finish()
        phone.add(dump.phone)
        guard !phone.sources.isEmpty else {
            throw Diagnostics(
                "\(paths.joined(separator: ", ")) contains no recording of a phone in a known format",
                hint: "expected an Android bug report or the logs of an iPhone; 'flotsam data import' lists the "
                    + "formats")
        }
        if !left.isEmpty {
            phone.notes.append(
                "left out, because they are not recordings: " + left.prefix(5).joined(separator: ", ")
                    + (left.count > 5 ? " and \(left.count - 5) others" : ""))
        }
        phone.workload = try workload()
        phone.notes += phone.workload?.notes ?? []
        if let capacity = phone.capacity,
            capacity == PowerProfileMapping.defaultCapacity || !Self.capacities.contains(capacity)
        {
            phone.notes.append("no phone has a battery of \(Int(capacity.rounded())) mAh, so the value is ignored")
            phone.capacity = nil
        }
        if let charge = phone.workload?.response.fullCharge, Self.capacities.contains(charge) {
            phone.capacity = phone.capacity ?? charge
        }
        if let memory = phone.memory, !(0.25...64).contains(memory.mebibytes / 1024) {
            phone.notes.append("no phone has a memory of \(Int(memory.mebibytes)) MiB, so the value is ignored")
            phone.memory = nil
        }
        if let ios = files[.powerlog], !ios.isEmpty {
            phone.platform = phone.platform ?? .ios
            phone.hourly = try hourlyEnergies(paths: ios, zone: options.zone)
        }
        if files[.usage] != nil { phone.platform = phone.platform ?? .ios }
        return phone
    }

    /// Returns the recording with the most use of the phone.
    ///
    /// Several recordings of one phone are not merged.
    private mutating func workload() throws(Diagnostics) -> WorkloadFile? {
        var zoned = options
        if zoned.zone.isEmpty { zoned.zone = dump.log.zone }
        if zoned.zone.isEmpty {
            zoned.zone = "UTC"
            if files.keys.contains(where: { $0 != .dump && $0 != .appUsage }) {
                phone.notes.append("no file contains the time zone, so UTC is used; --zone sets another")
            }
        }
        var battery = BatterystatsOptions()
        battery.recording = zoned
        var found: [(form: String, file: WorkloadFile)] = []
        var problem: Diagnostics?
        func attempt(_ form: String, _ read: () throws(Diagnostics) -> WorkloadFile) {
            do throws(Diagnostics) { found.append((form, try read())) } catch { problem = problem ?? error }
        }
        for path in files[.dump] ?? [] {
            attempt("battery history") { () throws(Diagnostics) in try importBatterystats(path: path, battery) }
            attempt("usage events") { () throws(Diagnostics) in try importUsagestats(paths: [path], zoned) }
        }
        if let paths = files[.powerlog] {
            var powerlog = PowerlogOptions(zone: zoned.zone)
            powerlog.recording = zoned
            attempt("power log") { () throws(Diagnostics) in try importPowerlog(paths: paths, powerlog) }
        }
        if let paths = files[.usage] {
            attempt("app use") { () throws(Diagnostics) in try importIOSUsage(paths: paths, zoned) }
        }
        if let paths = files[.aware] {
            attempt("AWARE") { () throws(Diagnostics) in try importAware(paths: paths, zoned) }
        }
        if let paths = files[.activityWatch] {
            for path in paths {
                attempt("ActivityWatch") { () throws(Diagnostics) in try importActivityWatch(path: path, zoned) }
            }
        }
        if let paths = files[.appUsage] {
            var usage = AppUsageOptions()
            usage.recording = zoned
            attempt("App Usage") { () throws(Diagnostics) in try importAppUsage(paths: paths, usage) }
        }
        func weight(_ file: WorkloadFile) -> Int { file.events.count { $0.kind == .open || $0.kind == .unlock } }
        guard let best = found.max(by: { weight($0.file) < weight($1.file) }) else {
            // A set of files without a history of use, such as a memory report, is valid.
            let tells = !phone.apps.isEmpty || !phone.deaths.isEmpty || phone.report != nil || phone.profile != nil
            if let problem, !tells, phone.product == nil, phone.memory == nil, phone.capacity == nil { throw problem }
            if let problem = problem?.list.first?.message {
                // The note contains only the names of files, because folder names may include the name of a person.
                let paths = files.values.joined().sorted { $0.count > $1.count }
                let short = paths.reduce(problem) { $0.replacing($1, with: FilePath.name(of: $1)) }
                phone.notes.append("no history of use could be read: " + short)
            }
            return nil
        }
        var file = best.file
        if found.count > 1 {
            phone.notes.append(
                "\(found.count) histories of use were found; only \"\(best.form)\" is used, because it has the most "
                    + "opens and unlocks")
        }
        if file.response.levels.isEmpty, let other = found.first(where: { !$0.file.response.levels.isEmpty })?.file,
            let distance = CalendarDate(other.start).flatMap({ day in
                CalendarDate(file.start).map { Double(day.daysSince1970 - $0.daysSince1970) }
            })
        {
            file.response = other.response
            file.response.move(by: .days(distance))
        }
        return file
    }
}

extension RecordedPhone {
    /// Adds the values of a dump that the phone does not have yet.
    fileprivate mutating func add(_ dump: RecordedPhone) {
        platform = platform ?? dump.platform
        product = product ?? dump.product
        system = system ?? dump.system
        memory = memory ?? dump.memory
        swap = swap ?? dump.swap
        capacity = capacity ?? dump.capacity
        for (name, app) in dump.apps where apps[name] == nil { apps[name] = app }
        standing = dump.standing
        machine = dump.machine
        deaths += dump.deaths
        starts += dump.starts
        logged = dump.logged
    }
}

extension SourceText {
    /// Reads a text file, and unpacks it if it is packed.
    static func unpacked(path: String) throws(Diagnostics) -> SourceText {
        SourceText(name: path, text: String(decoding: try ForeignInput.text(of: path), as: UTF8.self))
    }
}
