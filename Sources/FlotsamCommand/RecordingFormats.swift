// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Importers
import Quantities
import Recording
import Workload

/// `flotsam import app-usage`: the history of an app that logs openings.
enum AppUsageFormat: ImportFormat {
    static let name = "app-usage"
    static let options = [
        ImportOption.zone, .origin,
        ImportOption("--dates", value: "ORDER", help: "day-first, month-first or year-first (default: found)"),
    ]

    static func run(_ job: ImportJob) throws -> Int32 {
        var options = AppUsageOptions()
        options.zone = job.text(.zone) ?? ""
        options.origin = job.text(.origin) ?? ""
        if let text = job.text(Self.options[2]) {
            guard let order = DateOrder(rawValue: text) else {
                throw Diagnostics("--dates expects day-first, month-first or year-first, found \"\(text)\"")
            }
            options.dateOrder = order
        }
        return try job.write(try importAppUsage(paths: job.files, options))
    }
}

/// `flotsam import aware`: the tables of the AWARE framework.
enum AwareFormat: ImportFormat {
    static let name = "aware"
    static let options = [
        ImportOption.zone.required(example: "Europe/Helsinki"), .origin,
        ImportOption("--last-day", value: "YYYY-MM-DD", help: "last day that is read"),
    ]

    static func run(_ job: ImportJob) throws -> Int32 {
        var options = AwareOptions(zone: job.text(.zone) ?? "")
        options.origin = job.text(.origin) ?? ""
        if let text = job.text(Self.options[2]) {
            guard let day = CalendarDate(text) else {
                throw Diagnostics("--last-day expects a date such as 2017-03-22, found \"\(text)\"")
            }
            options.lastDay = day
        }
        return try job.write(try importAware(paths: job.files, options))
    }
}

/// `flotsam import batterystats`: the battery history of an Android phone.
enum BatterystatsFormat: ImportFormat {
    static let name = "batterystats"
    static let options = [
        ImportOption.zone, .origin, .idleRest,
        ImportOption("--app", value: "A", help: "the app on screen where the history does not name it"),
    ]

    static func run(_ job: ImportJob) throws -> Int32 {
        var options = BatterystatsOptions()
        options.zone = job.text(.zone) ?? ""
        options.origin = job.text(.origin) ?? ""
        options.app = job.text(Self.options[3])
        return try job.write(job.rested(try importBatterystats(path: try job.onlyFile(of: Self.self), options)))
    }
}

/// `flotsam import ios-powerlog`: tables of an iPhone's power log.
enum PowerlogFormat: ImportFormat {
    static let name = "ios-powerlog"
    static let options = [
        ImportOption.zone.required(example: "Europe/Helsinki"), .origin, .idleRest,
        ImportOption("--seconds-on-screen", .number, value: "S", help: "time on screen of an app seen in an hour"),
    ]

    static func run(_ job: ImportJob) throws -> Int32 {
        var options = PowerlogOptions(zone: job.text(.zone) ?? "")
        options.origin = job.text(.origin) ?? ""
        if let seconds = job.number(Self.options[3]) {
            guard (1...3600).contains(seconds) else {
                throw Diagnostics("--seconds-on-screen expects 1 to 3600, found \(seconds)")
            }
            options.secondsOnScreen = seconds
        }
        return try job.write(job.rested(try importPowerlog(paths: job.files, options)))
    }
}

extension ImportJob {
    /// The recording, the rest of its first and last day counted as recorded where the user says so.
    fileprivate func rested(_ file: WorkloadFile) -> WorkloadFile {
        guard isSet(.idleRest) else { return file }
        var file = file
        let days = (file.covered.upperBound - .zero) / .day
        file.covered = .zero..<(.zero + .days(days.rounded(.up)))
        file.notes.append("nobody touched the phone where the recording is silent: an assumption")
        return file
    }

    /// Writes a workload and says what is in it.
    fileprivate func write(_ workload: WorkloadFile) throws -> Int32 {
        guard let output else { return ExitCode.usage }
        var workload = workload
        workload.notes.append(String(mark.dropFirst(2)))
        try output.write(workload.encoded(), mark: mark)
        return Console.out(
            "\(output.path): \(count(workload.events.count, "event")), \(count(workload.apps.count, "app")) from "
                + "\(workload.start)\n")
    }
}
