// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Quantities

/// Reads the rows of a power log and groups them by local hour.
struct PowerlogTables {
    private struct Row {
        var isOnScreen = false
        var usesWiFi = false
        var usesBaseband = false
    }

    /// Rows of one hour by app or process, in the order of the table.
    private struct Hour {
        var names: [String] = []
        var rows: [Row] = []
        var indices: [String: Int] = [:]
    }

    private let clock: LocalClock
    private var charges: [(time: Int64, isOn: Bool, level: Double)] = []
    private var nodes: [String: String] = [:]
    private var found: [Int: Hour] = [:]
    /// Hours of the log; keys are local hours since 1970.
    private(set) var hours: [Int: PowerlogHour] = [:]
    /// Energies in watt-hours, by local hour since 1970 and by part of the phone, from the phone's own energy log.
    private(set) var energies: [Int: [String: Double]] = [:]
    /// Rows that could not be read.
    private(set) var broken = BrokenRows()

    init(clock: LocalClock) { self.clock = clock }

    /// Local hour since 1970 of the midnight before the battery log begins; nil without a battery log.
    var firstMidnight: Int? { charges.first.map { Int($0.time / 86_400_000_000_000) * 24 } }

    /// Names of tables; a database with any of them is a phone's own database.
    static let names = [
        "PLAccountingOperator_EventNone_Nodes", "PLBatteryAgent_EventBackward_Battery",
        "BatteryDataCollection_BDC_SBC_365_1",
    ]

    /// Reads the tables of a phone's own database, and names each table.
    static func tables(of database: SQLiteTables, _ path: String) throws(Diagnostics) -> [ForeignTable] {
        let queries = [
            ("energy", "select * from PLAccountingOperator_Aggregate_RootNodeEnergy"),
            ("nodes", "select * from PLAccountingOperator_EventNone_Nodes"),
            ("battery", "select timestamp, Level, IsCharging from PLBatteryAgent_EventBackward_Battery"),
            ("battery", "select timestamp, StateOfCharge, IsCharging, Watts from BatteryDataCollection_BDC_SBC_365_1"),
        ]
        var tables: [ForeignTable] = []
        for (name, query) in queries {
            if let table = try database.table(name, query) { tables.append(table) }
        }
        guard !tables.isEmpty else {
            throw Diagnostics(
                "\(path) contains no table of a power log that Flotsam reads",
                hint: "expected PLAccountingOperator_Aggregate_RootNodeEnergy or PLBatteryAgent_EventBackward_Battery")
        }
        return tables
    }

    /// Reads all tables, beginning with the names of nodes.
    mutating func read(_ tables: [ForeignTable]) throws(Diagnostics) {
        var rest: [(ForeignTable, ForeignColumns)] = []
        for table in tables {
            guard let columns = ForeignColumns(table) else { throw Diagnostics("\(table.name) is empty") }
            if let name = columns.index("name"), columns.index("ispermanent") != nil {
                readNodes(table, columns, id: try columns.required("id"), name: name)
            } else {
                rest.append((table, columns))
            }
        }
        for (table, columns) in rest { try read(table, columns) }
        for (hour, content) in found { hours[hour] = Self.hour(content) }
        found = [:]
        charges.sort { $0.time < $1.time }
    }

    private mutating func readNodes(_ table: ForeignTable, _ columns: ForeignColumns, id: Int, name: Int) {
        var nodes = nodes
        columns.forEachRow { table, row in
            guard row.fields.count > max(id, name) else { return }
            nodes[table.text(row.fields[id])] = table.text(row.fields[name])
        }
        self.nodes = nodes
    }

    private mutating func read(_ table: ForeignTable, _ columns: ForeignColumns) throws(Diagnostics) {
        let time = try columns.required("timestamp")
        if let node = columns.index(anyOf: ["node", "nodeid"]) {
            let isNumber = columns.index("node") == nil
            let component = try columns.required(isNumber ? "rootnodeid" : "component")
            if isNumber, nodes.isEmpty {
                throw Diagnostics(
                    "\(table.name) has numbers instead of the names of apps",
                    hint: "import the table of names, PLAccountingOperator_EventNone_Nodes, in the same call")
            }
            readHours(
                table, columns,
                (time, node, component, columns.index("timeinterval"), columns.index("energy")), byNumber: isNumber)
        } else {
            let level = try columns.required(anyOf: ["stateofcharge", "level"])
            let charging = try columns.required("ischarging")
            readBattery(table, columns, time: time, charging: [charging, columns.index("watts")], level: level)
        }
    }

    private mutating func readHours(
        _ table: ForeignTable, _ columns: ForeignColumns,
        _ indices: (time: Int, node: Int, component: Int, interval: Int?, energy: Int?), byNumber: Bool
    ) {
        var reader = self
        columns.forEachRow { table, row in
            reader.broken.countRow()
            guard let moment = reader.broken.time(table, row, indices.time, unit: .seconds),
                let node = reader.broken.field(table, row, indices.node),
                let part = reader.broken.field(table, row, indices.component)
            else { return }
            // Rows for a whole day repeat the rows of its hours.
            if let index = indices.interval, index < row.fields.count,
                Double(table.text(row.fields[index])) ?? 0 > 3600
            {
                return
            }
            var (name, component) = (table.text(node), table.text(part))
            if byNumber {
                guard let app = nodes[name], let hardware = nodes[component] else { return }
                (name, component) = (app, hardware)
            }
            let hour = Int(clock.local(moment) / 3_600_000_000_000)
            reader.enter(name, component, in: hour)
            if let index = indices.energy, index < row.fields.count,
                let energy = Double(table.text(row.fields[index])), (0...1e9).contains(energy)
            {
                // The energy log has units of a millionth of a watt-hour.
                reader.energies[hour, default: [:]][Self.part(component), default: 0] += energy / 1e6
            }
        }
        self = reader
    }

    private mutating func enter(_ name: String, _ component: String, in hour: Int) {
        var content = found[hour] ?? Hour()
        found[hour] = nil
        let index = content.indices[name] ?? content.names.count
        if index == content.names.count {
            content.indices[name] = index
            content.names.append(name)
            content.rows.append(Row())
        }
        switch component {
        case "DisplayDynamic", "SOCDisplay": content.rows[index].isOnScreen = true
        case "WiFi-Data": content.rows[index].usesWiFi = true
        case "BB": content.rows[index].usesBaseband = true
        default: break
        }
        found[hour] = content
    }

    /// Part of the phone that a node of the energy log belongs to.
    private static func part(_ node: String) -> String {
        parts.first { $0.nodes.contains(node) }?.part ?? "other"
    }

    private static let parts: [(part: String, nodes: [String])] = [
        ("processor", ["CPU", "APSOCBaseIOReport", "RestOfSOC", "ANE", "NetworkWake"]),
        ("cellular", ["BB", "BB-Pssi"]),
        ("wifi", ["WiFi-Data", "WiFi-Idle"]), ("screen", ["DisplayDynamic", "SOCDisplay"]), ("memory", ["DRAM"]),
        ("graphics", ["GPU"]), ("audio", ["AudioCodec", "AudioSpeaker"]), ("bluetooth", ["Bluetooth", "BTIT"]),
        ("location", ["GPS"]), ("camera", ["ISP", "BackCamera"]), ("video", ["VENC", "VDEC"]),
    ]

    /// Whether a name is that of an app.
    ///
    /// Such names have several parts, and are not names of shells or services of Apple.
    private static func isApp(_ name: String) -> Bool {
        let shells = [
            "com.apple.springboard", "com.apple.lock-screen", "com.apple.control-center", "com.apple.Siri",
            "com.apple.ClockAngel",
        ]
        return name.contains(".") && !name.hasSuffix("Service") && !shells.contains { name.hasPrefix($0) }
    }

    private static func hour(_ content: Hour) -> PowerlogHour {
        var hour = PowerlogHour()
        for (name, row) in zip(content.names, content.rows) {
            if row.isOnScreen { hour.screenWasOn = true }
            if row.usesWiFi { hour.wifiUsers += 1 }
            if row.usesBaseband { hour.basebandUsers += 1 }
            guard isApp(name) else { continue }
            if row.isOnScreen {
                hour.onScreen.append(name)
            } else if !name.hasPrefix("com.apple.") {
                hour.background.append(name)
            }
        }
        return hour
    }

    private mutating func readBattery(
        _ table: ForeignTable, _ columns: ForeignColumns, time: Int, charging: [Int?], level: Int
    ) {
        var reader = self
        columns.forEachRow { table, row in
            reader.broken.countRow()
            guard let moment = reader.broken.time(table, row, time, unit: .seconds),
                let field = reader.broken.field(table, row, level)
            else { return }
            guard let percent = Double(table.text(field)), (0...100).contains(percent) else {
                return reader.broken.add(table.problem("expected a level from 0 to 100", field, in: row))
            }
            let isOn = charging.contains { index in
                index.map { $0 < row.fields.count && Double(table.text(row.fields[$0])) ?? 0 > 0 } ?? false
            }
            reader.charges.append((clock.local(moment), isOn, percent / 100))
        }
        self = reader
    }

    /// Rows of the battery log, in time since the midnight that is given in hours since 1970.
    func battery(from midnight: Int) -> [BatteryRow] {
        let origin = Int64(midnight) * 3_600_000_000_000
        return charges.map {
            BatteryRow(time: SimTime(nanoseconds: $0.time - origin), isOnCharger: $0.isOn, level: $0.level)
        }
    }
}
