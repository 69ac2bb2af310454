// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Importers

/// `flotsam data import csv`: converts a table whose columns are named on the command line.
enum MappedFormat: ImportFormat {
    static let name = "csv"
    static let map = ImportOption(
        "--map", value: "MAP", help: "names of columns and words in the file: time=ts,event=type,screen_on=Lit"
    )
    .required(example: "time=timestamp,app=package_name,event=type")
    static let unit = ImportOption("--time-unit", value: "U", help: "unit of times: s, ms, us or ns")
    static let options = [map, unit, ImportOption.dates, .zone, .origin, .lastDay, .skipBroken, .user, .idleRest]

    static func run(_ job: ImportJob) throws -> Int32 {
        var options = MappedTableOptions(map: try ColumnMap(job.text(map) ?? ""))
        options.unit = job.text(unit)
        options.dateOrder = try job.dateOrder()
        options.recording = try job.recording()
        return try job.write(job.rested(try importMappedTable(paths: job.files, options)))
    }
}

/// `flotsam data import lsapp`: converts the data set LSApp.
enum LSAppFormat: ImportFormat {
    static let name = "lsapp"
    static let options = [ImportOption.zone, .origin, .lastDay, .skipBroken, .user]

    static func run(_ job: ImportJob) throws -> Int32 {
        var options = MappedTableOptions(map: .lsapp)
        options.recording = try job.recording()
        return try job.write(try importMappedTable(paths: job.files, options))
    }
}

/// `flotsam data import tsinghua`: converts the App Usage traces of Tsinghua University.
enum TsinghuaFormat: ImportFormat {
    static let name = "tsinghua"
    static let options = [ImportOption.zone, .origin, .lastDay, .skipBroken, .user]

    static func run(_ job: ImportJob) throws -> Int32 {
        var options = MappedTableOptions(map: .tsinghua)
        options.isBare = true
        options.recording = try job.recording()
        return try job.write(try importMappedTable(paths: job.files, options))
    }
}

/// `flotsam data import activitywatch`: converts an export of ActivityWatch.
enum ActivityWatchFormat: ImportFormat {
    static let name = "activitywatch"
    static let options = [
        ImportOption.zone.required(example: "Europe/Helsinki"), .origin, .lastDay, .skipBroken, .idleRest,
    ]

    static func run(_ job: ImportJob) throws -> Int32 {
        let file = try importActivityWatch(path: try job.onlyFile(of: Self.self), try job.recording())
        return try job.write(job.rested(file))
    }
}
