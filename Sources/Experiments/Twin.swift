// SPDX-License-Identifier: GPL-3.0-or-later
import Cells
import Diagnostics
import Importers
import PhoneCore
import Power
import Quantities
import Scenario
import Workload

/// Phone that is rebuilt from its own files, fitted to its recording, and replayed.
public struct Twin: Sendable {
    /// The models of the phone.
    public private(set) var model: TwinModel
    /// Experiment that is made from the models.
    public private(set) var experiment: Experiment
    /// Comparison of the replay with the recording; nil if the files contain nothing to compare.
    public private(set) var replay: TwinReplay?
    /// Replayed hours; nil if no file contains enough battery levels.
    private(set) var replayed: TwinWindow?
    /// Whether the replayed hours were excluded from the fit.
    public let isHalved: Bool

    /// Loads the experiment of changed models again.
    public typealias Load = (TwinModel) throws(Diagnostics) -> Experiment

    /// Smallest number of hours in a recording that can be fitted.
    private static let fewestHours = 2
    /// Largest number of replayed hours; of a longer recording, the last four weeks are replayed.
    private static let mostHours = 28 * 24
    /// Nominal voltage of a phone's cell; it converts charge to energy.
    private static let voltage = PowerProfileOptions(name: "").voltage.volts

    /// Fits the models and replays the recording.
    ///
    /// - Parameters:
    ///   - isHalved: Whether only the first half of the recording is fitted, and the second half is predicted.
    ///   - runs: Number of runs of the replay.
    ///   - load: Loads the experiment of the models.
    public init(_ model: TwinModel, isHalved: Bool, runs: Int, load: Load) throws(Diagnostics) {
        self.model = model
        self.isHalved = isHalved
        let spans = Self.spans(model, isHalved: isHalved)
        self.model.useJobs(in: spans?.fit ?? model.covered)
        experiment = try load(self.model)
        if model.trace == nil { replay = TwinReplay(endsOf: model, experiment, runs: runs) }
        guard let recording = model.trace, let spans else { return }
        let energy = energy
        let fitted = TwinWindow(spans.fit, of: recording)
        var runner = TwinRunner(experiment: experiment, chargerWatts: self.model.chargerWatts)
        let fit = TwinFit(window: fitted, recording: recording, energy: energy, runner: runner)
        if let found = try fit.find() {
            self.model.use(found, on: experiment.points[0].device(replication: 0))
            experiment = try load(self.model)
            runner = TwinRunner(experiment: experiment, chargerWatts: self.model.chargerWatts)
        }
        let inside = try runner.runs(of: fitted, count: runs)
        var errors = TwinErrors(fitted, inside, recording)
        if let day = CalendarDate(recording.start)?.daysSince1970 {
            errors.takeParts(fitted, inside, model.phone, midnight: day * 24)
        }
        let shown = isHalved ? TwinWindow(spans.show, of: recording) : fitted
        replayed = shown
        replay = TwinReplay(
            shown, isHalved ? try runner.runs(of: shown, count: runs) : inside, recording, model.phone, errors: errors,
            energy: energy)
    }

    /// Energy of the full battery, in Wh.
    private var energy: Double {
        let own = experiment.points[0].device(replication: 0).power.battery.capacity.milliampereHours
        return (model.phone.capacity ?? own) * Self.voltage / 1000
    }

    /// Full hours to fit and full hours to replay; nil if there are too few.
    private static func spans(
        _ model: TwinModel, isHalved: Bool
    ) -> (fit: Range<SimTime>, show: Range<SimTime>)? {
        let levels = model.trace?.response.levels ?? []
        guard let first = levels.first?.time, let last = levels.last?.time else { return nil }
        let to = Int((min(last, model.covered.upperBound) - SimTime.zero) / .hour)
        let from = max(
            Int(((max(first, model.covered.lowerBound) - SimTime.zero) / .hour).rounded(.up)), to - mostHours)
        guard to - from >= fewestHours * (isHalved ? 2 : 1) else { return nil }
        func time(_ hour: Int) -> SimTime { .zero + .hours(Double(hour)) }
        let middle = isHalved ? (from + to) / 2 : to
        return (time(from)..<time(middle), time(isHalved ? middle : from)..<time(to))
    }
}

extension TwinModel {
    /// Sets the fitted values in the models.
    fileprivate mutating func use(_ found: TwinFit.Found, on base: DeviceModel) {
        suspendPower = found.suspendPower
        brightness = found.brightness
        if found.calm != 1 {
            var device = base
            device.calm(by: found.calm)
            calmed = device
        }
        charge(with: found.chargerWatts)
        for index in apps.indices {
            apps[index].load = found.loads[apps[index].name] ?? found.otherLoad
            apps[index].period = apps[index].period.map { $0 * found.periodScale }
        }
        fitted = [
            "the phone asleep draws \(Self.short(found.suspendPower.watts * 1000)) mW",
            "the display is at \(Self.short(found.brightness * 100)) % of its full brightness",
        ]
        if let load = found.otherLoad {
            fitted.append(
                "an app on screen keeps \(Self.short(load)) cores busy; \(found.loads.count) apps have their own load")
        }
        if found.periodScale != 1 {
            fitted.append("jobs run \(Self.short(1 / found.periodScale)) times as often as requested")
        }
    }
}
