// SPDX-License-Identifier: GPL-3.0-or-later
// ImporterFuzzing changes small files of every foreign format and hands them to the importers.
// In: the files of the folder `Corpus`, a seed. Out: how many inputs there were and what became of them.
// A crash ends the process; the input that did it is the file it was told to write. What an importer accepts has to be
// a workload that can be written, read again and counted; what it refuses, a message.
// Read first: this file, then `Mutator.swift`.

import Diagnostics
import Files
import Importers
import Quantities
import RandomStreams
import Workload

/// What became of the inputs of one target.
public struct FuzzCounts: Sendable, Equatable {
    /// Inputs that were imported.
    public var accepted = 0
    /// Inputs that were refused with a message.
    public var refused = 0
    /// What importers did that they must not, such as giving back what cannot be read.
    public var faults: [String] = []

    /// No inputs yet.
    public init() {}
}

/// One importer, with the files whose changed copies it is given.
public struct FuzzTarget: Sendable {
    /// The word for it on the command line.
    public let name: String
    /// The names of its files begin with this.
    private let prefix: String
    private let importer: @Sendable (String) throws -> WorkloadFile?

    private init(
        _ name: String, prefix: String? = nil, _ importer: @escaping @Sendable (String) throws -> WorkloadFile?
    ) {
        self.name = name
        self.prefix = prefix ?? name
        self.importer = importer
    }

    /// Every importer of files from elsewhere that has no tests of this kind of its own.
    public static let all: [FuzzTarget] = [
        FuzzTarget("app-usage") { try importAppUsage(paths: [$0], AppUsageOptions()) },
        FuzzTarget("aware") { try importAware(paths: [$0], RecordingOptions(zone: "Europe/Helsinki")) },
        FuzzTarget("batterystats") { path in
            var options = BatterystatsOptions()
            options.recording.zone = "+02:00"
            return try importBatterystats(path: path, options)
        },
        FuzzTarget("usagestats") { try importUsagestats(paths: [$0], RecordingOptions()) },
        FuzzTarget("ios-powerlog") { try importPowerlog(paths: [$0], PowerlogOptions(zone: "-06:00")) },
        FuzzTarget("ios-usage") { try importIOSUsage(paths: [$0], RecordingOptions(zone: "UTC")) },
        FuzzTarget("csv", prefix: "csv.") { path in
            let map = try ColumnMap("time=ts,event=what,app=app,level=level,charging=charging")
            return try importMappedTable(paths: [path], zoned(MappedTableOptions(map: map)))
        },
        FuzzTarget("csv-stamps") { path in
            let map = try ColumnMap("time=time,app=app,length=seconds")
            return try importMappedTable(paths: [path], zoned(MappedTableOptions(map: map)))
        },
        FuzzTarget("csv-dates") { path in
            let map = try ColumnMap("time=When,event=What,app=App,screen_on=Lit,screen_off=Dark,ignore=\"Tick, tock\"")
            return try importMappedTable(paths: [path], zoned(MappedTableOptions(map: map)))
        },
        FuzzTarget("lsapp") { try importMappedTable(paths: [$0], MappedTableOptions(map: .lsapp)) },
        FuzzTarget("tsinghua") { path in
            var options = MappedTableOptions(map: .tsinghua)
            options.isBare = true
            return try importMappedTable(paths: [path], options)
        },
        FuzzTarget("activitywatch") { try importActivityWatch(path: $0, RecordingOptions(zone: "UTC")) },
        FuzzTarget("phone") { try readPhone(paths: [$0], RecordingOptions(zone: "UTC")).workload },
        FuzzTarget("power-profile") { path in
            _ = try importPowerProfile(path: path, PowerProfileOptions(name: "phone"))
            return nil
        },
    ]

    private static func zoned(_ options: MappedTableOptions) -> MappedTableOptions {
        var options = options
        options.recording.zone = "UTC"
        return options
    }

    /// The files of its formats, by name.
    public func seeds() throws -> [[UInt8]] {
        let folder = FilePath.folder(of: #filePath) + "/Corpus"
        return try directoryEntries(folder).filter { $0.hasPrefix(prefix) }.map { try readFile(folder + "/" + $0) }
    }

    /// Hands changed files to the importer, by way of the file at a path.
    public func run(inputs: Int, seed: UInt64, file path: String) throws -> FuzzCounts {
        let seeds = try seeds()
        var random = RandomStream(seed: seed, replication: 0, entity: name, purpose: "changed files")
        var counts = FuzzCounts()
        for number in 0..<inputs {
            // The first inputs are the files themselves.
            let isPlain = number < seeds.count
            let bytes = isPlain ? seeds[number] : Mutator.changed(seeds, &random)
            try OutputFile(creating: path).write(bytes)
            try hand(path, isPlain: isPlain, to: &counts)
        }
        return counts
    }

    private func hand(_ path: String, isPlain: Bool, to counts: inout FuzzCounts) throws {
        do {
            if let fault = try importer(path).flatMap(fault) { counts.faults.append(fault) }
            counts.accepted += 1
        } catch let problems as Diagnostics {
            if problems.isEmpty || problems.description.isEmpty { counts.faults.append("refused without a word") }
            if isPlain { counts.faults.append("refused a file of the corpus: \(problems)") }
            counts.refused += 1
        }
    }

    /// What is wrong with an imported workload; nil when it can be written, read again and counted.
    private func fault(_ file: WorkloadFile) throws -> String? {
        let again = try WorkloadFile(bytes: file.encoded(), name: "again")
        if again.events.count != file.events.count { return "rows were lost on the way to the file and back" }
        guard let last = file.events.last?.time, last.seconds < 3662 * 86400, file.covered.upperBound.seconds < 3.2e8
        else { return file.events.isEmpty ? nil : "it lasts for more than ten years" }
        _ = WorkloadStatistics(of: again).figures
        return nil
    }
}
