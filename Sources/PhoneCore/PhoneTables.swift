// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Vocabulary

/// The tables that a phone writes, in the order in which they are merged.
///
/// A table is declared beside the type of its rows; its line here gives it to the phone.
public struct PhoneTables: Sendable {
    /// One row per hour of the device.
    public let deviceHours: Table<DeviceHourRow>
    /// One row per app and day.
    public let appDays: Table<AppDayRow>
    /// One row per change of life-cycle state, warning and kill.
    public let events: Table<EventRow>
    /// One row per background request.
    public let requests: Table<RequestRow>
    /// One row per scheduler decision.
    public let decisions: Table<DecisionRow>
    /// One row per call of the system into an app.
    public let callbacks: Table<CallbackRecord>
    /// One row per hour and app that spent energy in it.
    public let appHours: Table<AppHourRow>
    /// One row per change of a radio's state.
    public let radio: Table<RadioRow>
    /// One row per step of the battery and every ten minutes.
    public let battery: Table<BatteryRow>
    /// One row per range of predicted likelihood.
    public let predictions: Table<PredictionRow>

    init(_ builder: inout MeasureBuilder) {
        deviceHours = DeviceHourRow.table(&builder)
        appDays = AppDayRow.table(&builder)
        events = EventRow.table(&builder)
        requests = RequestRow.table(&builder)
        decisions = DecisionRow.table(&builder)
        callbacks = CallbackRecord.table(&builder)
        appHours = AppHourRow.table(&builder)
        radio = RadioRow.table(&builder)
        battery = BatteryRow.table(&builder)
        predictions = PredictionRow.table(&builder)
    }

    private static let declared: (tables: PhoneTables, list: TableList) = {
        var builder = MeasureBuilder()
        let tables = PhoneTables(&builder)
        return (tables, TableList(builder))
    }()

    /// The handles of all tables.
    public static let all = declared.tables
    /// What the tables say of themselves.
    public static let list = declared.list
}

extension TableSet {
    /// One row per hour of the device.
    public static let deviceHours = PhoneTables.all.deviceHours.set
    /// One row per app and day.
    public static let appDays = PhoneTables.all.appDays.set
    /// One row per change of life-cycle state, warning and kill.
    public static let events = PhoneTables.all.events.set
    /// One row per background request.
    public static let requests = PhoneTables.all.requests.set
    /// One row per scheduler decision.
    public static let decisions = PhoneTables.all.decisions.set
    /// One row per call of the system into an app.
    public static let callbacks = PhoneTables.all.callbacks.set
    /// One row per hour and app that spent energy in it.
    public static let appHours = PhoneTables.all.appHours.set
    /// One row per change of a radio's state.
    public static let radio = PhoneTables.all.radio.set
    /// One row per step of the battery and every ten minutes.
    public static let battery = PhoneTables.all.battery.set
    /// One row per range of predicted likelihood.
    public static let predictions = PhoneTables.all.predictions.set
}

/// The table of a row follows from its type.
extension RowSink {
    package func write(_ row: DeviceHourRow) { write(row, to: PhoneTables.all.deviceHours) }
    package func write(_ row: AppDayRow) { write(row, to: PhoneTables.all.appDays) }
    package func write(_ row: EventRow) { write(row, to: PhoneTables.all.events) }
    package func write(_ row: RequestRow) { write(row, to: PhoneTables.all.requests) }
    package func write(_ row: DecisionRow) { write(row, to: PhoneTables.all.decisions) }
    package func write(_ row: CallbackRecord) { write(row, to: PhoneTables.all.callbacks) }
    package func write(_ row: AppHourRow) { write(row, to: PhoneTables.all.appHours) }
    package func write(_ row: RadioRow) { write(row, to: PhoneTables.all.radio) }
    package func write(_ row: BatteryRow) { write(row, to: PhoneTables.all.battery) }
    package func write(_ row: PredictionRow) { write(row, to: PhoneTables.all.predictions) }
}
