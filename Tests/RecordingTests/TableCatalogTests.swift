// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Measures
import Phone
import PhoneCore
import Recording
import TestSupport
import Testing

@Suite struct TableCatalogTests {
    private var tables: [TableSchema] {
        TableCatalog.rowTables.map {
            TableCatalog.schema(of: $0, axes: [TableCatalog.axis("device.memory.ram", unit: "GiB")])
        }
            + [
                TableCatalog.runs(axes: [], metrics: MetricList(MetricCatalog.catalogue)),
                TableCatalog.summary(axes: []), TableCatalog.comparisons(axes: [TableCatalog.axis("a", unit: nil)]),
                TableCatalog.columns, TableCatalog.sensitivity,
            ] + TableCatalog.ofSweeps(axes: [TableCatalog.axis("a", unit: "%")])
    }

    @Test func `a swept axis of numbers has their unit, one of words none`() {
        #expect(TableCatalog.axis("a", unit: "GiB").unit == "GiB" && TableCatalog.axis("a", unit: "").unit == "1")
        #expect(TableCatalog.axis("a", unit: "").kind == .number && TableCatalog.axis("a", unit: nil).kind == .string)
        let points = TableCatalog.sweepComparisons(axes: [TableCatalog.axis("a", unit: "s")]).columns
        #expect(points.filter { $0.name.hasSuffix("a") && $0.unit == "s" }.map(\.name) == ["baseline_a", "a"])
    }

    @Test func `column names are unique within a table and each column has a meaning`() {
        for table in tables {
            #expect(Set(table.columns.map(\.name)).count == table.columns.count)
            #expect(table.columns.allSatisfy { !$0.meaning.isEmpty })
        }
    }

    @Test func `runs holds every metric behind the columns of the contract`() {
        let x = TableCatalog.axis("x", unit: "")
        let names = TableCatalog.runs(axes: [x], metrics: MetricList(MetricCatalog.catalogue)).columns.map(\.name)
        #expect(
            names.prefix(12) == [
                "run", "policy", "eviction", "scheduling", "x", "replication", "status", "events",
                "workload_fingerprint", "fingerprint", "token", "model_version",
            ])
        #expect(Array(names.dropFirst(12)) == MetricCatalog.catalogue.metrics.map(\.name))
    }

    @Test func `a row has as many fields as its table has columns of its own`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.seg"
        let recorder = try RunRecorder(
            run: 1, names: RowNames(apps: []), segment: SegmentWriter(path: path))
        recorder.write(DeviceHourRow())
        recorder.write(AppDayRow())
        recorder.write(EventRow())
        recorder.write(RequestRow())
        recorder.write(DecisionRow())
        recorder.write(AppHourRow())
        recorder.write(RadioRow())
        recorder.write(BatteryRow())
        recorder.write(PredictionRow())
        try recorder.finish(outcome(0), tables: [.deviceHours], seconds: 0)
        let run = try #require(try SegmentContent(path: path).runs.first)
        #expect(run.chunks.count == 9)
        for chunk in run.chunks {
            let row = text(try InputFile(path).read(at: chunk.offset, count: chunk.length))
            let table = PhoneTables.list[chunk.table]
            let names = TableCatalog.schema(of: table, axes: []).columns.map(\.name)
            let leading = names.prefix { ["run", "policy", "replication", "row", "date"].contains($0) }
            #expect(leading.contains("row") == table.key.isEmpty && leading.contains("date") == (table.time != nil))
            #expect(
                row.split(separator: ",", omittingEmptySubsequences: false).count == names.count - leading.count)
        }
    }

    @Test func `a segment keeps apart the tables whose bits need two bytes`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.seg"
        let recorder = try RunRecorder(run: 1, names: RowNames(apps: []), segment: SegmentWriter(path: path))
        recorder.write(RadioRow())
        recorder.write(BatteryRow())
        try recorder.finish(outcome(0), tables: [.radio, .battery, .deviceHours], seconds: 0)
        let run = try #require(try SegmentContent(path: path).runs.first)
        #expect(run.tables == [.radio, .battery, .deviceHours])
        #expect(run.chunks.map(\.table) == [.radio, .battery])
    }

    @Test func `a row with too few or too many fields is written as Parquet with gaps`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/x.parquet"
        let schema = TableSchema(
            "x", title: "x",
            columns: [Column("a", "", .integer, "a"), Column("b", "", .string, "b"), Column("c", "", .datetime, "c")])
        try replaceFile(path) { file in
            var parquet = try ParquetFile(schema, about: [("title", "x")], to: file)
            for line in ["", "1", "1,\"x,y\"", "1,x,2026-03-02T00:00:00,4,5,6", "no,\",never", ",,soon"] {
                try parquet.add(Array(line.utf8)[...], to: file)
            }
            try parquet.finish(file)
        }
        let bytes = try readFile(path)
        #expect(bytes.prefix(4) == bytes.suffix(4) && Array("PAR1".utf8) == Array(bytes.prefix(4)))
    }

    @Test func `the dictionary names every column of every table`() {
        let csv = text(DataPackage.columnsCSV(tables))
        #expect(csv.split(separator: "\n").count == 1 + tables.map(\.columns.count).reduce(0, +))
        #expect(csv.contains("\ncolumns,meaning,"))
        let lines = csv.split(separator: "\n")
        #expect(lines[0] == "table,column,unit,meaning,better" && lines[1].hasSuffix(","))
        #expect(lines.contains { $0.hasPrefix("runs,relaunches_per_day,") && $0.hasSuffix(",lower") })
        #expect(lines.contains { $0.hasPrefix("runs,resumes_per_day,") && $0.hasSuffix(",higher") })
        let package = DataPackage.descriptor(name: "x", plan: "00ff", tables: tables, endings: ["runs": ".csv.gz"])
        #expect(package["resources"]?.array?.count == tables.count)
        #expect(package["flotsam_plan"]?.string == "00ff")
        let paths = package["resources"]?.array?.compactMap { $0["path"]?.string } ?? []
        #expect(paths.filter { $0.hasSuffix(".gz") } == ["runs.csv.gz"])
    }

    @Test func `the package says what tells rows apart and of which run they are`() {
        let package = DataPackage.descriptor(name: "x", plan: "00ff", tables: tables)
        func schema(_ name: String) -> JSONValue? {
            package["resources"]?.array?.first { $0["name"]?.string == name }?["schema"]
        }
        func keys(_ name: String) -> [String?]? { schema(name)?["primaryKey"]?.array?.map(\.string) }
        #expect(keys("runs") == ["run"])
        #expect(keys("summary") == ["metric", "policy"])
        #expect(keys("comparisons") == ["metric", "policy", "a"])
        #expect(keys("app-days") == ["run", "day", "app"])
        #expect(keys("device-hours") == ["run", "hour"])
        #expect(keys("events") == ["run", "row"], "two events may be of one instant")
        let fields = schema("events")?["fields"]?.array ?? []
        let date = fields.first { $0["name"]?.string == "date" }
        #expect(date?["type"]?.string == "datetime" && date?["format"]?.string == "%Y-%m-%dT%H:%M:%S")
        let reference = schema("events")?["foreignKeys"]?.array?.first?["reference"]
        #expect(reference?["resource"]?.string == "runs")
        #expect(schema("runs")?["foreignKeys"] == nil)
        #expect(schema("summary")?["foreignKeys"] == nil)
    }
}
