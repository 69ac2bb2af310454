// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Importers
import Processes
import Quantities
import Workload

extension ReaderTarget {
    private static let corpora = "Tests/ImporterFuzzing/Corpus"
    private static let reported = "Tests/ImportersTests/ReportedCases"

    /// The readers of files of other programs.
    static let importers: [ReaderTarget] = [
        workload("app-usage", ["app-usage-battery.csv", "app-usage-english.csv", "app-usage-language.csv"]) {
            try importAppUsage(paths: [$0], AppUsageOptions())
        },
        workload("aware", ["aware-apps.csv", "aware-battery.csv", "aware-screen.csv"]) {
            try importAware(paths: [$0], RecordingOptions(zone: "Europe/Helsinki"))
        },
        workload("batterystats", ["batterystats-checkin.txt", "batterystats-offsets.txt", "batterystats-walls.txt"]) {
            try importBatterystats(path: $0, batterystats)
        },
        workload("usagestats", ["usagestats.txt"]) { try importUsagestats(paths: [$0], RecordingOptions()) },
        workload("ios-powerlog", ["ios-powerlog-battery.csv", "ios-powerlog-hours.csv"]) {
            try importPowerlog(paths: [$0], PowerlogOptions(zone: "-06:00"))
        },
        workload("knowledgec", ["ios-usage-focus.csv", "ios-usage-knowledge.csv"]) {
            try importIOSUsage(paths: [$0], RecordingOptions(zone: "UTC"))
        },
        workload("biome", ["ios-usage-1.segb", "ios-usage-2.segb"]) {
            try importIOSUsage(paths: [$0], RecordingOptions(zone: "UTC"))
        },
        workload("activitywatch", ["activitywatch.json"]) {
            try importActivityWatch(path: $0, RecordingOptions(zone: "UTC"))
        },
        workload("csv", ["csv.csv"]) { path in
            let map = try ColumnMap("time=ts,event=what,app=app,level=level,charging=charging")
            return try importMappedTable(paths: [path], zoned(MappedTableOptions(map: map)))
        },
        workload("csv-stamps", ["csv-stamps.csv"]) { path in
            let map = try ColumnMap("time=time,app=app,length=seconds")
            return try importMappedTable(paths: [path], zoned(MappedTableOptions(map: map)))
        },
        workload("csv-dates", ["csv-dates.csv"]) { path in
            let map = try ColumnMap("time=When,event=What,app=App,screen_on=Lit,screen_off=Dark,ignore=\"Tick, tock\"")
            return try importMappedTable(paths: [path], zoned(MappedTableOptions(map: map)))
        },
        workload("lsapp", ["lsapp.tsv"]) { try importMappedTable(paths: [$0], MappedTableOptions(map: .lsapp)) },
        workload("tsinghua", ["tsinghua.txt"]) { path in
            var options = MappedTableOptions(map: .tsinghua)
            options.isBare = true
            return try importMappedTable(paths: [path], options)
        },
        workload("zip", ["batterystats-bugreport.zip"]) { try importBatterystats(path: $0, batterystats) },
        workload("gzip", ["aware-screen.csv.gz"]) {
            try importAware(paths: [$0], RecordingOptions(zone: "Europe/Helsinki"))
        },
        workload("sqlite", ["aware.sqlite"], longest: 1 << 16) {
            try importAware(paths: [$0], RecordingOptions(zone: "Europe/Helsinki"))
        },
        ReaderTarget(
            "power-profile",
            [(corpora + "/power-profile.xml", ""), (reported, ".xml")]
        ) { bytes in
            _ = try importPowerProfile(path: Scratch.file("profile.xml", bytes), PowerProfileOptions(name: "phone"))
        },
        ReaderTarget("jetsam-report", [(reported, ".ips"), ("docs/examples", ".ips")], longest: 1 << 16) { bytes in
            let report = try readJetsamReport(SourceText(name: "report.ips", text: bytes.text("report.ips")))
            let start = try report.start()
            _ = report.checks(nominalBytes: Int(start.memory.ram.bytes))
            let scenario = report.scenario(start, name: "it", generation: report.rules.name)
            if case .failure(let problems) = YAML.parse(SourceText(name: "scenario.yaml", text: scenario)) {
                fatalError("the scenario of a report is no YAML: \(problems)")
            }
        },
        ReaderTarget(
            "column-map",
            texts: ["time=ts,event=what,app=app,level=level", "time=1,app=\"Bundle ID\",event=e,screen_on=\"a, b\""]
        ) {
            _ = try ColumnMap($0.text("--map"))
        },
    ]

    /// A reader of a file that gives a workload, which must be one of ours.
    private static func workload(
        _ name: String, _ files: [String], longest: Int = 1 << 14,
        _ reader: @escaping @Sendable (String) throws -> WorkloadFile
    ) -> ReaderTarget {
        ReaderTarget(name, files.map { (corpora + "/" + $0, "") }, longest: longest) { bytes in
            let file = try reader(Scratch.file(name, bytes))
            let again = try? WorkloadFile(bytes: file.encoded(), name: "again")
            precondition(again?.events.count == file.events.count, "an imported workload cannot be read again")
        }
    }

    private static var batterystats: BatterystatsOptions {
        var options = BatterystatsOptions()
        options.recording.zone = "+02:00"
        return options
    }

    private static func zoned(_ options: MappedTableOptions) -> MappedTableOptions {
        var options = options
        options.recording.zone = "UTC"
        return options
    }
}
