// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics

/// Reads rows of ZOBJECT, the table of an iPhone's `knowledgeC.db`.
///
/// The stream of a row determines its subject.
///
/// Times are seconds since 2001. The source of a row from another device of the owner contains the identifier of that
/// device.
struct KnowledgeRows {
    /// Query that selects only the rows of this device.
    static let query = """
        select ZSTREAMNAME, ZVALUESTRING, ZVALUEINTEGER, ZSTARTDATE, ZENDDATE from ZOBJECT \
        left join ZSOURCE on ZOBJECT.ZSOURCE = ZSOURCE.Z_PK \
        where ZSOURCE.ZDEVICEID is null order by ZSTARTDATE
        """

    private var levels: [(time: Int64, level: Double)] = []
    private var plugs: [(start: Int64, end: Int64)] = []
    private var knowsFocus = false
    private var usages: [(time: Int64, app: Int, seconds: Double)] = []

    /// Whether a bundle belongs to Apple's system and is not an app.
    static func isShell(_ bundle: String) -> Bool {
        ["com.apple.springboard", "com.apple.lock-screen", "com.apple.control-center", "com.apple.siri"]
            .contains { bundle.lowercased().hasPrefix($0) }
    }

    /// Reads a table.
    mutating func read(
        _ table: ForeignTable, _ log: inout PhoneLog, _ broken: inout BrokenRows
    ) throws(Diagnostics) {
        guard let columns = ForeignColumns(table) else { throw Diagnostics("\(table.name) is empty") }
        let stream = try columns.required("zstreamname")
        let name = try columns.required("zvaluestring")
        let start = try columns.required("zstartdate")
        let end = try columns.required("zenddate")
        let number = columns.index("zvalueinteger")
        var (log_, broken_, rows) = (log, broken, self)
        columns.forEachRow { table, row in
            broken_.countRow()
            guard row.fields.count > max(stream, name, start, end, number ?? 0) else {
                return broken_.add(table.problem("the row has only \(row.fields.count) fields", in: row))
            }
            func time(_ index: Int) -> Int64? {
                ForeignTime.nanoseconds(table.bytes[row.fields[index].bytes], unit: .seconds, sinceApple: true)
            }
            guard let from = time(start), let to = time(end), from <= to else {
                return broken_.add(
                    table.problem(
                        "expected seconds since 2001, with the end after the start", row.fields[start], in: row))
            }
            let value = number.flatMap { Double(table.text(row.fields[$0])) }
            rows.add(table.text(row.fields[stream]), table.text(row.fields[name]), value, from, to, &log_)
        }
        (log, broken, self) = (log_, broken_, rows)
    }

    private mutating func add(
        _ stream: String, _ name: String, _ value: Double?, _ from: Int64, _ to: Int64, _ log: inout PhoneLog
    ) {
        let seconds = Double(to - from) / 1e9
        switch stream {
        case "/app/inFocus", "/app/usage":
            guard !name.isEmpty, !Self.isShell(name) else { return }
            let app = log.apps.index(name)
            if stream == "/app/inFocus" {
                knowsFocus = true
                log.add(.used, at: from, app: app, value: seconds)
            } else {
                usages.append((from, app, seconds))
            }
        case "/display/isBacklit" where value == 1:
            log.add(.screenOn, at: from)
            log.add(.screenOff, at: to)
        case "/device/isLocked" where value == 0: log.add(.unlocked, at: from)
        case "/device/batteryPercentage":
            if let value, (0...100).contains(value) { levels.append((from, value / 100)) }
        case "/device/isPluggedIn" where value == 1: plugs.append((from, to))
        case "/notification/usage":
            if name == "Receive" { log.add(.notification, at: from, app: log.apps.index("a notification")) }
        default: break
        }
    }

    /// Adds the results that need the whole table: the use of apps, and the level at each plug.
    ///
    /// Returns the assumptions.
    func finish(_ log: inout PhoneLog) -> String? {
        if !knowsFocus { for use in usages { log.add(.used, at: use.time, app: use.app, value: use.seconds) } }
        let levels = levels.sorted { $0.time < $1.time }
        // The last known level, or the first level if none is known yet.
        func level(at time: Int64) -> Double {
            var range = levels.indices
            while !range.isEmpty {
                let middle = range.lowerBound + range.count / 2
                range = levels[middle].time <= time ? middle + 1..<range.upperBound : range.lowerBound..<middle
            }
            return levels.isEmpty ? 0 : levels[max(0, range.lowerBound - 1)].level
        }
        if !plugs.isEmpty { log.logsPlugs = true }
        for plug in plugs {
            log.add(.onCharger, at: plug.start, value: level(at: plug.start))
            log.add(.offCharger, at: plug.end, value: level(at: plug.end))
        }
        return plugs.isEmpty && !levels.isEmpty ? "the file does not contain the times of charging" : nil
    }
}
