// SPDX-License-Identifier: GPL-3.0-or-later
import Cells
import ConfigText
import Diagnostics
import Files
import Phone
import PhoneCore
import Power
import Quantities

extension BenchReader {
    private static var seconds: ValueReader<Double> { .quantity(.time, 0...1e9) }

    // MARK: Radios

    func radio(_ map: MapReader) -> RadioBench? {
        guard let cursor = map.cursor("radio"), let whole = trees.whole(cursor, .radios) else { return nil }
        let interface = whole["interface"]?.scalar.flatMap(Interface.init(named:)) ?? .cellular
        var radio = interface.usualParameters
        DeviceReader(trees: trees).readRadio(whole, cursor, interface, into: &radio)
        let traffic = map.required("traffic", .list(of: Self.traffic))
        let duration = map.required("duration", Self.seconds)
        guard let traffic, let duration else { return nil }
        return RadioBench(radio: radio, interface: interface, traffic: traffic, duration: duration)
    }

    private static var traffic: ValueReader<RadioBench.Traffic> {
        ValueReader(example: "{at: 10 s, every: 60 s, count: 30, down: 1 kB}") { cursor in
            let map = MapReader(cursor)
            let start = map.value("at", seconds, default: 0)
            let every = map.optional("every", seconds)
            let count = map.value("count", .integer(1...10_000_000, example: "30"), default: 1)
            let down = map.value("down", .bytes(), default: .zero)
            let up = map.value("up", .bytes(), default: .zero)
            if count > 1, every == nil { map.cursor.fail("if count is above 1, the key \"every\" is required") }
            map.finish()
            guard map.isMap, count == 1 || every != nil else { return nil }
            return RadioBench.Traffic(start: start, every: every ?? 0, count: count, down: down, up: up)
        }
    }

    // MARK: Heat

    func heat(_ map: MapReader) -> HeatBench? {
        guard let cursor = map.cursor("device"), let whole = trees.whole(cursor, .devices) else { return nil }
        let device = DeviceReader(trees: trees).read(Cursor(whole, path: cursor.path, report: cursor.report))
        let load = map.required("power", ValueReader<Power>.amount(.power, 0.001...1000))
        let air = map.value("air", ValueReader<Temperature>.amount(.temperature, -60...60), default: .celsius(25))
        let skin = map.required("skin", ValueReader<Temperature>.amount(.temperature, -60...200))
        let duration = map.value("duration", Self.seconds, default: 86400)
        guard var power = device?.power, let load, let skin else { return nil }
        power.battery.resistance = .ohms(1e-9)
        return HeatBench(power: power, load: load, air: air, skin: skin, duration: duration)
    }

    // MARK: Cells

    func cell(_ map: MapReader) -> CellBench? {
        guard let cursor = map.cursor("cell"), let whole = trees.whole(cursor, .cells) else { return nil }
        let inner = MapReader(Cursor(whole, path: cursor.path, report: cursor.report))
        readHeader(inner)
        var battery = BatteryParameters(capacity: .milliampereHours(1000))
        let found = CellReader.read(inner, into: &battery)
        if inner.isMap, found == nil { cursor.fail("the cell has no capacity") }
        inner.finish()
        let lumps = map.value("lumped", .flag, default: false)
        let load = map.required("load", ValueReader(example: "{power: 3 W}", load))
        let charge = map.value("charge", .share, default: load.map(Self.isCharge) == true ? 0 : 1)
        let temperature = map.value(
            "temperature", ValueReader<Temperature>.amount(.temperature, -60...100), default: .celsius(25))
        let curve = map.cursor("curve").map(readCurve) ?? []
        let events = map.value("events", Self.events, default: [])
        guard let found, let load, let curve else { return nil }
        return CellBench(
            cell: lumps ? found.lumped : found, load: load, charge: charge, temperature: temperature, curve: curve,
            events: events)
    }

    private static func isCharge(_ load: CellLoad) -> Bool { if case .charge = load { true } else { false } }

    /// Reads `{power: 3 W}`, `{current: 1 A}`, `{pulses: [{power, duration}…]}`, or `{current, limit, end}` for a
    /// charge.
    private func load(_ cursor: Cursor) -> CellLoad? {
        let map = MapReader(cursor)
        defer { map.finish() }
        let amperes = ValueReader<Current>.amount(.current, 1e-9...1e6)
        switch map.exactlyOne(of: ["power", "current", "pulses", "charge"]) {
        case "power":
            let power = map.required("power", ValueReader<Power>.amount(.power, 1e-9...1e6))
            return power.map { .steps([.init(start: 0, demand: .power($0))]) }
        case "current":
            return map.required("current", amperes).map { .steps([.init(start: 0, demand: .current($0))]) }
        case "charge":
            let current = map.required("charge", amperes)
            let limit = map.required("limit", ValueReader<Voltage>.amount(.voltage, 0.1...20))
            let end = map.required("end", amperes)
            guard let current, let limit, let end else { return nil }
            return .charge(current, limit: limit, end: end)
        case "pulses": return pulses(map)
        default: return nil
        }
    }

    /// Reads a cycle of powers that repeats.
    private func pulses(_ map: MapReader) -> CellLoad? {
        let pulse = ValueReader<(Power, Double)>(example: "{power: 3 W, duration: 120 s}") { cursor in
            let map = MapReader(cursor)
            let power = map.required("power", ValueReader<Power>.amount(.power, 0...1e6))
            let duration = map.required("duration", Self.seconds.checked("a duration above 0 s") { $0 > 0 })
            map.finish()
            guard let power, let duration else { return nil }
            return (power, duration)
        }
        let count = map.value("repeat", .integer(1...100_000, example: "500"), default: 1)
        guard let pulses = map.required("pulses", .list(of: pulse)), !pulses.isEmpty else { return nil }
        var steps: [CellLoad.Step] = []
        var time = 0.0
        for _ in 0..<count {
            for (power, duration) in pulses {
                steps.append(.init(start: time, demand: .power(power)))
                time += duration
            }
        }
        steps.append(.init(start: time, demand: .power(.zero)))
        return .steps(steps)
    }

    private static var events: ValueReader<[CellBench.KnownEvent]> {
        ValueReader(example: "{\"soc<=0.5\": 9000 s}") { cursor in
            guard let entries = cursor.node.entries, !entries.isEmpty else {
                cursor.expected("a map from events to times")
                return nil
            }
            let events = entries.compactMap { entry in
                seconds.read(cursor.child(entry.value, key: entry.key)).map {
                    CellBench.KnownEvent(name: entry.key, time: $0)
                }
            }
            return events.count == entries.count ? events : nil
        }
    }

    /// Reads a CSV file with the columns `t_s,soc,voltage_v`, whose path is relative to the bench.
    private func readCurve(_ cursor: Cursor) -> [CellBench.Sample]? {
        guard let word = cursor.node.scalar else {
            cursor.expected("the path of a CSV file")
            return nil
        }
        let folder = trees.folder(of: cursor.node)
        let path = FilePath.join(folder, word)
        guard FilePath.exists(path) else {
            reportMissingFile(word, cursor, from: folder)
            return nil
        }
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try readFile(path, upTo: 16 << 20)
        } catch {
            cursor.fail("cannot read \"\(word.excerpt)\": \(error.reason)")
            return nil
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
            .filter { !$0.hasPrefix("#") }
        let samples = lines.dropFirst().compactMap { line -> CellBench.Sample? in
            let values = line.split(separator: ",").compactMap { Double($0) }
            return values.count == 3 ? CellBench.Sample(time: values[0], charge: values[1], volts: values[2]) : nil
        }
        guard lines.first == "t_s,soc,voltage_v", !samples.isEmpty, samples.count == lines.count - 1 else {
            cursor.fail("expected a table with the columns t_s,soc,voltage_v in \"\(word)\"")
            return nil
        }
        return samples
    }
}
