import Vocabulary

/// Takes the rows of a run as they arise; only tables that were asked for produce calls.
public protocol RowSink: AnyObject {
    /// Takes an hour of the device.
    func write(_ row: DeviceHourRow)
    /// Takes an app's day.
    func write(_ row: AppDayRow)
    /// Takes an event.
    func write(_ row: EventRow)
    /// Takes a request that ended.
    func write(_ row: RequestRow)
    /// Takes a decision.
    func write(_ row: DecisionRow)
    /// Takes a call into an app.
    func write(_ row: CallbackRecord)
    /// Takes an app's hour.
    func write(_ row: AppHourRow)
    /// Takes a change of a radio.
    func write(_ row: RadioRow)
    /// Takes a step of the battery.
    func write(_ row: BatteryRow)
    /// Takes how well the predictions of one range were met.
    func write(_ row: PredictionRow)
}

extension RowSink {
    /// Not wanted.
    public func write(_ row: AppHourRow) {}
    /// Not wanted.
    public func write(_ row: RadioRow) {}
    /// Not wanted.
    public func write(_ row: BatteryRow) {}
    /// Not wanted.
    public func write(_ row: PredictionRow) {}
}
