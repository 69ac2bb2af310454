// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Files
import Importers
import Quantities
import Recording
import Workload

/// `flotsam data import app-usage`: converts the history of an app that logs opens.
enum AppUsageFormat: ImportFormat {
    static let name = "app-usage"
    static let options = [
        ImportOption.zone, .origin, .skipBroken, .dates,
    ]

    static func run(_ job: ImportJob) throws -> Int32 {
        var options = AppUsageOptions()
        options.recording = try job.recording()
        options.dateOrder = try job.dateOrder()
        return try job.write(try importAppUsage(paths: job.files, options))
    }
}

/// `flotsam data import aware`: converts the tables of the AWARE framework.
enum AwareFormat: ImportFormat {
    static let name = "aware"
    static let options = [
        ImportOption.zone.required(example: "Europe/Helsinki"), .origin, .lastDay, .skipBroken, .user,
    ]

    static func run(_ job: ImportJob) throws -> Int32 {
        try job.write(try importAware(paths: job.files, try job.recording()))
    }
}

/// `flotsam data import batterystats`: converts the battery history of an Android phone.
enum BatterystatsFormat: ImportFormat {
    static let name = "batterystats"
    static let options = [
        ImportOption.zone, .origin, .skipBroken, .idleRest,
        ImportOption("--app", value: "A", help: "app on screen when the history does not name one"),
    ]

    static func run(_ job: ImportJob) throws -> Int32 {
        var options = BatterystatsOptions()
        options.recording = try job.recording()
        options.app = job.text(Self.options[4])
        return try job.write(job.rested(try importBatterystats(path: try job.onlyFile(of: Self.self), options)))
    }
}

/// `flotsam data import usagestats`: converts the usage events of an Android phone.
enum UsagestatsFormat: ImportFormat {
    static let name = "usagestats"
    static let options = [ImportOption.zone, .origin, .lastDay, .skipBroken, .idleRest]

    static func run(_ job: ImportJob) throws -> Int32 {
        try job.write(job.rested(try importUsagestats(paths: job.files, try job.recording())))
    }
}

/// `flotsam data import ios-usage`: converts an iPhone's own records of app usage.
enum IOSUsageFormat: ImportFormat {
    static let name = "ios-usage"
    static let options = [
        ImportOption.zone.required(example: "Europe/Helsinki"), .origin, .lastDay, .skipBroken, .idleRest,
    ]

    static func run(_ job: ImportJob) throws -> Int32 {
        try job.write(job.rested(try importIOSUsage(paths: job.files, try job.recording())))
    }
}

/// `flotsam data import ios-powerlog`: converts tables of an iPhone's power log.
enum PowerlogFormat: ImportFormat {
    static let name = "ios-powerlog"
    static let options = [
        ImportOption.zone.required(example: "Europe/Helsinki"), .origin, .skipBroken, .idleRest,
        ImportOption(
            "--seconds-on-screen", .number, value: "S",
            help: "seconds on screen to assume for each hour in which an app was in use"),
    ]

    static func run(_ job: ImportJob) throws -> Int32 {
        var options = PowerlogOptions(zone: "")
        options.recording = try job.recording()
        if let seconds = job.number(Self.options[4]) {
            guard (1...3600).contains(seconds) else {
                throw Diagnostics("--seconds-on-screen expects 1 to 3600, found \(seconds)")
            }
            options.secondsOnScreen = seconds
        }
        return try job.write(job.rested(try importPowerlog(paths: job.files, options)))
    }
}

extension ImportOption {
    static let lastDay = ImportOption("--last-day", value: "YYYY-MM-DD", help: "last day that is read")
    static let skipBroken = ImportOption(
        "--skip-broken", value: "N",
        help: "number or share of broken rows to skip, for instance 20 or '1 %' (default: 0.1 %)")
    static let user = ImportOption("--user", value: "ID", help: "the user or device whose rows are read")
}

extension ImportJob {
    /// Reads the options that every import of a recording has.
    func recording() throws(Diagnostics) -> RecordingOptions {
        var options = RecordingOptions(zone: text(.zone) ?? "")
        options.origin = text(.origin) ?? ""
        options.user = text(.user)
        if let text = text(.skipBroken) {
            guard let limit = SkipLimit(text) else {
                throw Diagnostics("--skip-broken expects a number of rows or a share such as '1 %', found \"\(text)\"")
            }
            options.skip = limit
        }
        if let text = text(.lastDay) {
            guard let day = CalendarDate(text) else {
                throw Diagnostics("--last-day expects a date such as 2017-03-22, found \"\(text)\"")
            }
            options.lastDay = day
        }
        return options
    }

    /// The recording; with `--idle-rest`, it covers its first and last day completely, and the phone is unused in the
    /// added time.
    func rested(_ file: WorkloadFile) -> WorkloadFile {
        guard isSet(.idleRest) else { return file }
        var file = file
        let days = (file.covered.upperBound - .zero) / .day
        file.covered = .zero..<(.zero + .days(days.rounded(.up)))
        file.notes.append("assumption: the phone was not in use where the recording has no rows")
        return file
    }

    /// Writes a workload, and prints its contents, omissions and assumptions.
    func write(_ workload: WorkloadFile) throws -> Int32 {
        guard let output else { return ExitCode.usage }
        var workload = workload
        let remarks = workload.notes.map { "  \($0)\n" }.joined()
        workload.notes.append(String(mark.dropFirst(2)))
        try output.write(mark: mark) { file in for piece in workload.encodedPieces() { try file.write(piece) } }
        let sessions = workload.events.count { $0.kind == .unlock }
        let charges = workload.events.count { $0.kind == .plug }
        let start = workload.start.isEmpty ? "an unknown day" : workload.start
        return Console.out(
            "\(output.path): \(count(workload.events.count, "event")), \(count(workload.apps.count, "app")) from "
                + "\(start): \(count(sessions, "session")), \(count(charges, "charge"))\n" + remarks)
    }
}
