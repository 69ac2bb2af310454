import Files
import Phone
import Vocabulary

/// Takes the rows of one run and hands them to a segment as CSV text, a large piece at a time.
///
/// A sink cannot throw into the simulation: the first error is kept and `finish` throws it.
public final class RunRecorder: RowSink {
    private static let chunkLength = 1 << 17

    private let segment: SegmentWriter
    private let names: RowNames
    private var buffers: [ByteBuffer]
    private var failure: FileError?

    /// Starts a run in a segment.
    public init(run: UInt64, names: RowNames, segment: SegmentWriter) throws(FileError) {
        self.segment = segment
        self.names = names
        buffers = Array(repeating: ByteBuffer(), count: TableCatalog.rowTables.count)
        try segment.begin(run: run)
    }

    /// Takes an hour of the device.
    public func write(_ row: DeviceHourRow) { add(row, RowTables.deviceHours, place: 0) }
    /// Takes an app's day.
    public func write(_ row: AppDayRow) { add(row, RowTables.appDays, place: 1) }
    /// Takes an event.
    public func write(_ row: EventRow) { add(row, RowTables.events, place: 2) }
    /// Takes a request that ended.
    public func write(_ row: RequestRow) { add(row, RowTables.requests, place: 3) }
    /// Takes a decision.
    public func write(_ row: DecisionRow) { add(row, RowTables.decisions, place: 4) }
    /// Takes a call into an app.
    public func write(_ row: CallbackRecord) { add(row, RowTables.callbacks, place: 5) }
    /// Takes an app's hour.
    public func write(_ row: AppHourRow) { add(row, PowerTables.appHours, place: 6) }
    /// Takes a change of a radio.
    public func write(_ row: RadioRow) { add(row, PowerTables.radio, place: 7) }
    /// Takes a step of the battery.
    public func write(_ row: BatteryRow) { add(row, PowerTables.battery, place: 8) }
    /// Takes how well the predictions of one range were met.
    public func write(_ row: PredictionRow) { add(row, PowerTables.predictions, place: 9) }

    /// Finishes the run, so that it counts as done.
    public func finish(_ outcome: RunOutcome, tables: TableSet, seconds: Double) throws(FileError) {
        for place in buffers.indices { flush(place) }
        if let failure { throw failure }
        try segment.finish(outcome, tables: tables, seconds: seconds)
    }

    private func add<Row>(_ row: Row, _ columns: [RowColumn<Row>], place: Int) {
        columns.write(row, names: names, to: &buffers[place])
        if buffers[place].count >= Self.chunkLength { flush(place) }
    }

    private func flush(_ place: Int) {
        guard buffers[place].count > 0 else { return }
        defer { buffers[place].removeAll() }
        guard failure == nil else { return }
        do {
            try segment.append(rows: buffers[place].bytes, of: TableCatalog.rowTables[place])
        } catch {
            failure = error
        }
    }
}
