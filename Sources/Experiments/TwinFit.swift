// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Numerics
import PhoneCore
import Power
import Quantities
import Scenario
import Vocabulary
import Workload

/// Fits the power of a twin's phone, and the frequency of its jobs, to a part of its recording.
///
/// Off the charger, the loss between two levels depends on the time with the screen on and the time with the screen
/// off. A least-squares fit over all pairs of consecutive levels gives the powers with the screen off, the screen on,
/// and each app on screen. The fit is regularized towards the unfitted model. The results are set as the display's
/// brightness, the cores that apps keep busy, and the power of the sleeping phone.
struct TwinFit {
    /// Powers estimated from the recording, in watts.
    struct Powers {
        var on = 0.0
        var off = 0.0
        /// Power into the battery on a charger, below the level from which chargers reduce their power.
        ///
        /// Nil if the recording has too little charging time below this level.
        var charging: Double?
        /// Power with each app on screen, by the app's number in the recording; only for apps with enough time on
        /// screen.
        var apps: [Int: Double] = [:]
    }

    /// Fitted values.
    struct Found {
        var suspendPower: Power
        var brightness: Double
        var loads: [String: Double] = [:]
        var periodScale = 1.0
        /// Power of the charger, in watts; nil if the recording does not determine it.
        var chargerWatts: Double?
        /// Factor that multiplies the power of the system's own activity: the awake phone, daemons and services.
        var calm = 1.0
        /// Load of the apps with too little recorded time; nil if they are not fitted.
        var otherLoad: Double?
    }

    let window: TwinWindow
    let recording: WorkloadFile
    /// Energy of the full battery, in Wh.
    let energy: Double
    let runner: TwinRunner
    let screen: ScreenTimes

    init(window: TwinWindow, recording: WorkloadFile, energy: Double, runner: TwinRunner) {
        (self.window, self.recording, self.energy, self.runner) = (window, recording, energy, runner)
        screen = ScreenTimes(recording)
    }

    /// Smallest number of hours on screen for the fit of an app, in which the level falls by two or three steps;
    /// assumption.
    private static let leastHours = 0.15
    /// Range of the number of cores that an app keeps busy; assumption.
    private static let loads = 0.02...3.0
    /// Initial value of the share of the charger's power that reaches the battery; assumption.
    private static let chargingShare = 0.8
    /// Smallest power of a sleeping phone, in watts; it is below the 5 mW of any power profile.
    private static let leastSuspended = 0.002
    /// Number of runs in each simulation of the fit.
    private var count: Int { window.hours.count > 120 ? 2 : 4 }

    /// Fits the values; nil if the battery lost too little for a fit.
    func find() throws(Diagnostics) -> Found? {
        let start = runner.experiment.specification(
            point: 0, policy: runner.experiment.baselineIndex, replication: 0)
        let platform = start.device.power.platform.suspendPower
        var found = Found(
            suspendPower: platform, brightness: start.device.habits.brightness)
        var curve = try curve(found)
        let pairs = Self.pairs(recording.response, screen, in: window.span)
        guard pairs.reduce(0, { $0 + $1.lost }) >= 0.02 else { return nil }
        let thought = Powers(on: curve.lit(0.3), off: curve.off)
        var recorded = Self.powers(pairs, energy: energy, before: thought)
        recorded.charging = Self.charging(recording.response, screen, in: window.span).map { $0 * energy }
        found.chargerWatts = recorded.charging.map { max(0.5, $0 + 1) / Self.chargingShare }
        let isLit = pairs.reduce(0, { $0 + $1.lit }) >= Self.leastHours
        if isLit, recorded.on < curve.lit(0.1) {
            // The recorded display is dimmer than that of the model's owner.
            var dim = found
            dim.brightness = 0.01
            let (bright, dark) = (curve.lit(0.1), try powers(dim, load: 0.1).on)
            let share = bright > dark ? min(max((recorded.on - dark) / (bright - dark), 0), 1) : 1
            found.brightness = 0.01 + share * (found.brightness - 0.01)
            curve = try self.curve(found)
        }
        found.suspendPower = .watts(max(Self.leastSuspended, platform.watts + recorded.off - curve.off))
        // One app, such as a game, shows little about other apps. Those get a fitted load only if they have most of the
        // time.
        let named = pairs.reduce(0.0) { sum, pair in
            sum + pair.on.reduce(0) { $0 + (recorded.apps[$1.app] == nil ? 0 : $1.hours) }
        }
        let isOthers = isLit && named < 0.5 * pairs.reduce(0) { $0 + $1.lit }
        try correct(&found, towards: recorded, isLit ? curve : nil, isOthers: isOthers)
        try fitJobs(&found)
        return found
    }

    /// Power with the screen on, as a function of the cores that the app keeps busy, and power with the screen off.
    struct Curve {
        let lit: LinearCurve
        let off: Double
    }

    private func curve(_ found: Found) throws(Diagnostics) -> Curve {
        let loads = [Self.loads.lowerBound, 0.3, 1, 2, Self.loads.upperBound]
        var watts: [Double] = []
        var off = 0.0
        for load in loads {
            let powers = try powers(found, load: load)
            // The curve must rise to have an inverse.
            watts.append(max(powers.on, (watts.last ?? 0) + 0.001))
            off = powers.off
        }
        do throws(NumericsError) {
            return Curve(lit: try LinearCurve(x: loads, y: watts), off: off)
        } catch {
            throw Diagnostics("the power of the model phone is not a function of the load: \(error)")
        }
    }

    /// Adjusts the powers of apps, the sleeping phone and the charger towards the recorded powers, in five steps.
    private func correct(
        _ found: inout Found, towards recorded: Powers, _ curve: Curve?, isOthers: Bool
    ) throws(Diagnostics) {
        var wanted = recorded
        for _ in 0..<5 {
            if let curve {
                found.otherLoad = isOthers ? curve.lit.argument(ofValue: wanted.on) : nil
                for (app, watts) in wanted.apps {
                    found.loads[recording.apps[app]] = curve.lit.argument(ofValue: watts)
                }
            }
            let now = try powers(found, load: nil, before: recorded)
            wanted.on += recorded.on - now.on
            for (app, watts) in recorded.apps {
                wanted.apps[app, default: watts] += (watts - (now.apps[app] ?? now.on)) / 2
            }
            let off = found.suspendPower.watts + recorded.off - now.off
            found.suspendPower = .watts(max(Self.leastSuspended, off))
            if let watts = found.chargerWatts, let charging = recorded.charging {
                found.chargerWatts = max(0.5, watts + (charging - (now.charging ?? charging)) / Self.chargingShare)
            }
            // If lower suspend power is not enough, the system's own activity is reduced.
            if off < Self.leastSuspended, now.off > 0 { found.calm *= max(0.3, recorded.off / now.off) }
        }
    }

    /// Adjusts the period of jobs, so that the number of jobs equals the recorded number.
    private func fitJobs(_ found: inout Found) throws(Diagnostics) {
        let recorded = recording.response.jobs.count { window.span.contains($0.time) }
        guard recorded > 0 else { return }
        for _ in 0..<2 {
            let runs = try self.runs(found, load: nil)
            let now = Double(runs.reduce(0) { $0 + $1.jobs.count }) / Double(runs.count)
            guard now > 0 else { return }
            found.periodScale = min(max(found.periodScale * now / Double(recorded), 0.02), 50)
        }
    }

    // MARK: Powers of the model

    private func runs(_ found: Found, load: Double?) throws(Diagnostics) -> [TwinRun] {
        var runner = runner
        runner.adjust = Self.adjustment(found, load: load)
        runner.chargerWatts = found.chargerWatts
        return try runner.runs(of: window, count: count)
    }

    /// Function that sets the fitted values in a run.
    static func adjustment(_ found: Found, load: Double? = nil) -> @Sendable (inout RunSpecification) -> Void {
        { run in
            run.device.power.platform.suspendPower = found.suspendPower
            run.device.calm(by: found.calm)
            run.device.habits.brightness = found.brightness
            for index in run.apps.indices {
                if let load = load ?? found.loads[run.apps[index].name] ?? found.otherLoad {
                    run.apps[index].followsActivityLoad = false
                    run.apps[index].foregroundLoad = load
                }
                run.apps[index].refreshPeriod = run.apps[index].refreshPeriod * found.periodScale
            }
        }
    }

    /// Powers in runs of the model, estimated like those of the recording.
    private func powers(_ found: Found, load: Double?, before: Powers = Powers(on: 1, off: 0.1)) throws(Diagnostics)
        -> Powers
    {
        let all = try runs(found, load: load).map { run -> Powers in
            var powers = Self.powers(
                Self.pairs(run.response, screen, in: window.span), energy: energy, before: before)
            powers.charging = Self.charging(run.response, screen, in: window.span).map { $0 * energy }
            return powers
        }
        func mean(_ value: (Powers) -> Double?) -> Double {
            let values = all.compactMap(value)
            return values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
        }
        var powers = Powers(on: mean(\.on), off: mean(\.off))
        powers.charging = mean(\.charging)
        for app in Set(all.flatMap(\.apps.keys)) { powers.apps[app] = mean { $0.apps[app] } }
        return powers
    }

    // MARK: Powers of the recording

    /// Interval between two consecutive levels of a phone off the charger.
    struct Pair {
        /// Share of the battery that was lost.
        var lost: Double
        /// Hours with the screen off, and hours with the screen on by app, in the order of the apps' numbers.
        ///
        /// The number -1 means that no app is on screen.
        var off = 0.0
        var on: [(app: Int, hours: Double)] = []

        /// Hours with the screen on, including those without an app.
        var lit: Double { on.reduce(0) { $0 + $1.hours } }
    }

    static func pairs(_ response: RecordedResponse, _ screen: ScreenTimes, in span: Range<SimTime>) -> [Pair] {
        let levels = response.levels.filter { $0.time >= span.lowerBound && $0.time <= span.upperBound }
        var pairs: [Pair] = []
        for (one, next) in zip(levels, levels.dropFirst()) where next.level < one.level {
            guard !screen.isPlugged(one.time..<next.time) else { continue }
            var pair = Pair(lost: one.level - next.level)
            let hours = (next.time - one.time) / .hour
            for (app, lit) in screen.lit(one.time..<next.time).sorted(by: { $0.0 < $1.0 }) {
                if pair.on.last?.app == app {
                    pair.on[pair.on.count - 1].hours += lit
                } else {
                    pair.on.append((app, lit))
                }
            }
            pair.off = max(0, hours - pair.lit)
            pairs.append(pair)
        }
        return pairs
    }

    /// Share of the battery gained per hour on a charger, below the level from which chargers reduce their power.
    static func charging(_ response: RecordedResponse, _ screen: ScreenTimes, in span: Range<SimTime>) -> Double? {
        var (risen, hours) = (0.0, 0.0)
        for charge in screen.charges where charge.overlaps(span) {
            let part = charge.clamped(to: span)
            guard let from = response.level(at: part.lowerBound), from < 0.7 else { continue }
            // Only the time below 75 % is used.
            let full = response.levels.first { $0.time > part.lowerBound && $0.level >= 0.75 }?.time ?? part.upperBound
            let end = min(part.upperBound, full)
            guard end > part.lowerBound, let to = response.level(at: end) else { continue }
            risen += to - from
            hours += (end - part.lowerBound) / .hour
        }
        return hours >= 0.02 ? risen / hours : nil
    }

    /// Powers that reproduce the total recorded loss.
    ///
    /// The power with the screen off comes from pairs in which the screen was off nearly all the time. The remaining
    /// energy is divided among the apps by least squares.
    static func powers(_ pairs: [Pair], energy: Double, before: Powers) -> Powers {
        func sum(_ pairs: [Pair], _ value: (Pair) -> Double) -> Double { pairs.reduce(0) { $0 + value($1) } }
        let dark = pairs.filter { $0.lit < 0.1 * ($0.off + $0.lit) }
        let (darkHours, litHours) = (sum(dark, \.off), sum(pairs, \.lit))
        var found = before
        // The previous estimate has the weight of a quarter of an hour.
        found.off = (sum(dark) { $0.lost * energy - $0.lit * before.on } + 0.25 * before.off) / (darkHours + 0.25)
        found.off = max(0.001, found.off)
        guard litHours >= leastHours else { return found }
        found.on = max(0.05, (sum(pairs) { $0.lost * energy - $0.off * found.off }) / litHours)
        var hours: [Int: Double] = [:]
        for pair in pairs { for (app, lit) in pair.on { hours[app, default: 0] += lit } }
        let named = hours.filter { $0.key >= 0 && $0.value >= leastHours }.keys.sorted()
        for app in named { found.apps[app] = found.on }
        for _ in 0..<100 {
            for app in named {
                var (above, below) = (0.1 * found.on, 0.1)
                for pair in pairs {
                    guard let own = pair.on.first(where: { $0.app == app })?.hours else { continue }
                    var others = pair.off * found.off
                    for (other, lit) in pair.on where other != app { others += lit * (found.apps[other] ?? found.on) }
                    above += own * (pair.lost * energy - others)
                    below += own * own
                }
                found.apps[app] = max(0.05, above / below)
            }
        }
        return found
    }
}

/// Intervals with the screen on, each with the app on screen or -1, and intervals on a charger.
struct ScreenTimes {
    private var visits: [(app: Int, span: Range<SimTime>)] = []
    private(set) var charges: [Range<SimTime>] = []

    init(_ file: WorkloadFile) {
        var (app, since): (Int, SimTime?) = (-1, nil)
        var plugged: SimTime?
        func close(_ visits: inout [(app: Int, span: Range<SimTime>)], at time: SimTime) {
            if let start = since, start < time { visits.append((app, start..<time)) }
        }
        for event in file.events {
            switch event.kind {
            case .unlock:
                close(&visits, at: event.time)
                (app, since) = (-1, event.time)
            case .open, .switch, .home:
                close(&visits, at: event.time)
                (app, since) = (event.kind == .home ? -1 : Int(event.app), event.time)
            case .lock:
                close(&visits, at: event.time)
                (app, since) = (-1, nil)
            case .plug: plugged = plugged ?? event.time
            case .unplug:
                if let start = plugged, start < event.time { charges.append(start..<event.time) }
                plugged = nil
            default: break
            }
        }
        if let plugged { charges.append(plugged..<SimTime.distantFuture) }
    }

    func isPlugged(_ span: Range<SimTime>) -> Bool { charges.contains { $0.overlaps(span) } }

    /// Hours on screen within an interval, by visit of an app.
    func lit(_ span: Range<SimTime>) -> [(Int, Double)] {
        // The visits are sorted, so a binary search finds the first one that may overlap.
        var (low, high) = (0, visits.count)
        while low < high {
            let middle = (low + high) / 2
            if visits[middle].span.upperBound <= span.lowerBound { low = middle + 1 } else { high = middle }
        }
        var found: [(Int, Double)] = []
        for visit in visits[low...] {
            guard visit.span.lowerBound < span.upperBound else { break }
            let part = visit.span.clamped(to: span)
            found.append((visit.app, (part.upperBound - part.lowerBound) / .hour))
        }
        return found
    }
}

extension DeviceModel {
    /// Scales the power of the system's own activity.
    mutating func calm(by factor: Double) {
        guard factor != 1 else { return }
        power.platform.awakePower = power.platform.awakePower * factor
        daemons.workTime = max(.milliseconds(100), daemons.workTime * factor)
        guard var services else { return }
        for key in ServiceParameters.keys {
            guard case .quantity(.power, _, let assign) = key.form, let text = key.text(services),
                let watts = try? UnitText.parse(text, as: .power)
            else { continue }
            assign(&services, watts * factor)
        }
        self.services = services
    }
}
