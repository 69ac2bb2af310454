// SPDX-License-Identifier: GPL-3.0-or-later
import Cells
import CommandLineArguments
import Diagnostics
import Files
import Measures
import Quantities
import Recording
import Scenario

/// `flotsam lab battery`: simulates one cell under a load, to compare the cell model with measurements and other
/// solvers.
enum LabBatteryVerb: Verb {
    static let name = "battery"
    static let summary = "Discharges or charges a single cell under a load"
    static let example = "flotsam lab battery --cell lco-reference --load docs/examples/load.csv -o cell.csv"

    private static let longest = 1e8

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        let cellName = arguments.option(
            "--cell", value: "CELL", help: "Cell of the library, or a file", as: String.self)
        let loadPath = arguments.option(
            "--load", value: "LOAD.csv",
            help: "Table with t_s,power_w or t_s,current_a; or one row with cc_current_a,cv_voltage_v,end_current_a",
            as: String.self)
        let state = arguments.option(
            "--soc", value: "Z", help: "State of charge at the start, 0 to 1 (default: 1; 0 for a charge)",
            as: String.self)
        let warmth = arguments.option("--temperature", value: "T", help: "Temperature of the cell", default: "25 degC")
        let rows = arguments.option(
            "--every", value: "TIME", help: "Time between rows, for instance '10 s'", as: String.self)
        let stop = arguments.option("--until", value: "TIME", help: "Stops after this time", as: String.self)
        let lumps = arguments.flag("--lumped", help: "Replaces the RC pairs by their resistance in series")
        let output = arguments.option(
            "--output", "-o", value: "F.csv", help: "Rows (default: printed)", as: String.self)
        let eventsPath = arguments.option(
            "--events", value: "F.csv", help: "Events (default: printed)", as: String.self)
        _ = arguments.operands("", help: "")
        if cellName == nil { arguments.report("--cell is missing", hint: "for instance --cell lco-reference") }
        if loadPath == nil { arguments.report("--load is missing", hint: "for instance --load load.csv") }
        let charge = number(state, "--soc", .fraction, 0...1, arguments)
        let temperature = number(warmth, "--temperature", .temperature, -60...100, arguments)
        let every = number(rows, "--every", .time, 1e-3...longest, arguments)
        let until = number(stop, "--until", .time, 0...longest, arguments)
        if let code = arguments.settled() { return code }
        guard let cellName, let loadPath else { return ExitCode.usage }
        var cell = try loadCell(cellName)
        if lumps { cell = cell.lumped }
        let load = try loadCellLoad(path: loadPath)
        var isCharge = false
        if case .charge = load { isCharge = true }
        var experiment = try CellExperiment(
            cell, charge: charge ?? (isCharge ? 0 : 1), temperature: .celsius(temperature ?? 25), every: every)
        let record = try experiment.run(load, until: until ?? .infinity)
        return try write(record, to: output, events: eventsPath)
    }

    /// Number of an option; a number without a unit is in the SI base unit.
    private static func number(
        _ text: String?, _ option: String, _ dimension: Dimension, _ range: ClosedRange<Double>,
        _ arguments: ArgumentReader
    ) -> Double? {
        guard let text else { return nil }
        var value = Double(text)
        if value == nil {
            do throws(UnitTextError) {
                value = try UnitText.parse(text, as: dimension)
            } catch {
                arguments.report("\(option): \(error.message)")
                return nil
            }
        }
        guard let value, range.contains(value) else {
            arguments.report("\(option) expects \(range.lowerBound) to \(range.upperBound), found \(text)")
            return nil
        }
        return value
    }

    /// Writes the rows to one file and the events to another; prints those that have no file.
    private static func write(_ record: CellRecord, to output: String?, events path: String?) throws -> Int32 {
        var rows = ByteBuffer()
        rows.append(text: "t_s,soc,voltage_v,current_a\n")
        for row in record.rows {
            rows.append(rounded(row.time, 1e6))
            for value in [row.charge, row.voltage.volts, row.current.amperes] {
                rows.comma()
                rows.append(rounded(value, 1e10))
            }
            rows.newline()
        }
        var events = ByteBuffer()
        events.append(text: "event,t_s\n")
        for event in record.events {
            events.append(field: event.name)
            events.comma()
            events.append(rounded(event.time, 1e6))
            events.newline()
        }
        if let path { try replaceFile(path) { file in try file.write(events.bytes) } }
        if let output { try replaceFile(output) { file in try file.write(rows.bytes) } }
        let told = String(decoding: events.bytes, as: UTF8.self)
        if output == nil {
            if path == nil { Console.diagnose(told) }
            return Console.out(String(decoding: rows.bytes, as: UTF8.self))
        }
        return path == nil ? Console.out(told) : ExitCode.ok
    }

    /// Value rounded to the digits that every solver can reproduce.
    private static func rounded(_ value: Double, _ scale: Double) -> Double {
        let rounded = (value * scale).rounded() / scale
        return rounded == 0 ? 0 : rounded
    }
}
