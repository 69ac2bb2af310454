import Quantities
import Vocabulary

/// What a day of each app counts besides its opens.
extension PhoneModel {
    /// An app leaves a state: the time in it is counted, for the table of app days only.
    mutating func countState(_ app: AppID, leaving state: ProcessState, footprint: ByteCount, at now: SimTime) {
        let index = Int(app.index)
        guard dayStates.indices.contains(index) else { return }
        let seconds = (now - dayStates[index]).seconds
        dayStates[index] = now
        if state == .background { dayRows[index].backgroundSeconds += seconds }
        if state == .suspended { dayRows[index].suspendedSeconds += seconds }
        dayRows[index].peakFootprintMiB = max(dayRows[index].peakFootprintMiB, footprint.mebibytes)
    }

    /// A process ended.
    mutating func countDayExit(_ app: AppID, _ category: ExitCategory, inForeground: Bool) {
        guard tables.contains(.appDays) else { return }
        let index = Int(app.index)
        let categories = ExitCategory.allCases.count
        if dayRows[index].exits.isEmpty { dayRows[index].exits = Array(repeating: 0, count: 2 * categories) }
        dayRows[index].exits[Int(category.rawValue) + (inForeground ? categories : 0)] += 1
    }

    /// A silent push is lost.
    mutating func countDrop(_ app: AppID) {
        if tables.contains(.appDays) { dayRows[Int(app.index)].pushesDropped += 1 }
    }

    /// Background transfers of an app are done.
    mutating func countTransfers(_ app: AppID, count: Int, time: SimDuration) {
        guard tables.contains(.appDays) else { return }
        dayRows[Int(app.index)].transfers += Int32(count)
        dayRows[Int(app.index)].transferSeconds += time.seconds
    }
}
