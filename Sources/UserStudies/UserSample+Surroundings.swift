// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary
import Workload

extension UserSample {
    /// Adds charges to the days on which they begin.
    ///
    /// A night's charge that begins after midnight belongs to the previous day.
    mutating func addCharges(_ file: WorkloadFile, _ first: Int) {
        guard parts.contains(.charging) else { return }
        let span = file.coveredParts[.charging] ?? file.covered
        for index in days.indices {
            let start = SimTime.zero + .days(Double(first + index))
            days[index].knowsCharging = span.lowerBound <= start && start + .day <= span.upperBound
        }
        func known(_ day: Int) -> Bool { days.indices.contains(day) && days[day].knowsCharging }
        let charges = file.chargeSessions
        for (index, charge) in charges.enumerated() {
            let night = charge.isLongNight && charge.start.hourOfDay < 4
            let day = charge.start.day - first - (night ? 1 : 0)
            let midnight = Double(first + day) * 24
            if known(day) {
                days[day].charges.append(
                    UserDay.Charge(
                        plug: charge.start.seconds / 3600 - midnight, unplug: charge.end.seconds / 3600 - midnight,
                        startLevel: charge.startLevel, endLevel: charge.endLevel, isNight: charge.isLongNight))
            }
            guard index > 0, known(charges[index - 1].end.day - first), charges[index - 1].endLevel >= charge.startLevel
            else { continue }
            days[charges[index - 1].end.day - first].discharges.append(
                UserDay.Discharge(
                    start: charges[index - 1].end.seconds / 3600, end: charge.start.seconds / 3600,
                    from: charges[index - 1].endLevel, to: charge.startLevel, endsInTopUp: !charge.isLongNight))
        }
        for event in file.events where event.kind == .topUp && !event.level.isNaN {
            let day = event.time.day - first
            guard known(day), event.until == event.time else { continue }
            days[day].offers.append((event.level, (event.seconds.isNaN ? 0 : event.seconds) / 60))
        }
    }

    /// Adds the time on Wi-Fi by hour, in total and while charging, and the lengths of spells.
    mutating func addNetwork(_ file: WorkloadFile, _ first: Int) {
        var spans: [(start: SimTime, end: SimTime, isOn: Bool)] = []
        for event in file.events where event.kind == .network {
            let isOn = event.network == Network.wifi.rawValue
            if let last = spans.last, last.isOn == isOn { continue }
            if !spans.isEmpty { spans[spans.count - 1].end = event.time }
            spans.append((event.time, file.covered.upperBound, isOn))
        }
        for span in spans {
            addSeconds(span.start..<max(span.start, span.end), first) { day, hour, seconds in
                day.networkSeconds[hour] += seconds
                if span.isOn { day.wifiSeconds[hour] += seconds }
            }
        }
        // The first and the last spell are incomplete, because the recording cuts them.
        for span in spans.dropFirst().dropLast() {
            let day = span.start.day - first
            guard days.indices.contains(day) else { continue }
            let seconds = (span.end - span.start).seconds
            if span.isOn { days[day].onSpells.append(seconds) } else { days[day].offSpells.append(seconds) }
        }
        let wifi = spans.filter(\.isOn)
        for charge in file.chargeSessions {
            addSeconds(charge.start..<max(charge.start, charge.end), first) { $0.chargingSeconds[$1] += $2 }
            for span in wifi where span.start < charge.end && span.end > charge.start {
                addSeconds(max(span.start, charge.start)..<min(span.end, charge.end), first) {
                    $0.chargingOnWiFi[$1] += $2
                }
            }
        }
    }

    /// Adds rare events.
    mutating func addRare(_ file: WorkloadFile, _ first: Int) {
        for event in file.events {
            let day = event.time.day - first
            guard days.indices.contains(day) else { continue }
            switch event.kind {
            case .restart: days[day].restarts += 1
            case .install: days[day].installs += 1
            case .update: days[day].updates += 1
            default: break
            }
        }
    }

    /// Signal level with the longest total time.
    ///
    /// If two levels are equal, the better one is used.
    static func usualSignal(of file: WorkloadFile) -> SignalLevel? {
        var seconds = [Double](repeating: 0, count: SignalLevel.allCases.count)
        let changes = file.events.filter { $0.kind == .signal }
        for (index, change) in changes.enumerated() {
            let end = index + 1 < changes.count ? changes[index + 1].time : file.covered.upperBound
            seconds[SignalLevel(number: Int(change.network)).number] += max(0, (end - change.time).seconds)
        }
        guard let most = seconds.max(), most > 0 else { return nil }
        return seconds.firstIndex(of: most).map { SignalLevel(number: $0) }
    }

    private mutating func addSeconds(
        _ span: Range<SimTime>, _ first: Int, _ add: (inout UserDay, Int, Double) -> Void
    ) {
        var time = span.lowerBound
        while time < span.upperBound {
            let next = min(SimTime.zero + .hours(Double(time.hour + 1)), span.upperBound)
            let day = time.day - first
            if days.indices.contains(day) { add(&days[day], time.hour % 24, (next - time).seconds) }
            time = next
        }
    }
}
