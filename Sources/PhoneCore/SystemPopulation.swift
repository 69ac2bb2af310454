// SPDX-License-Identifier: GPL-3.0-or-later
import Platform
import Processes
import Quantities

/// One process of the system besides the apps: a daemon or an extension.
public struct SystemProcess: Sendable, Equatable {
    /// Kind of the process, which determines what may kill it.
    public enum Kind: UInt8, Sendable, CaseIterable {
        /// Idle most of the time. An idle process is clean and may be killed, and launchd starts it again on demand.
        case idleExit
        /// Always working, in a band below the foreground.
        case working
        /// Needed by the phone at all times, in a band above the foreground.
        case core
        /// A part of an app that the system hosts: a widget, a notification service.
        case appExtension
        /// Works for an app in its own process: web content, its network, a view of the system.
        case service
        /// An app from a phone's report that the user of this run does not use. The app does nothing and does not
        /// return after a kill.
        case residentApp
        /// Started and ended by its own behaviour; see `Helper`.
        case helper

        /// Whether the process belongs to an app or works for one, unlike a daemon.
        var isOfApps: Bool { self == .appExtension || self == .service }
    }

    /// Invented name, unique among the processes.
    public var name: String
    /// Kind of the process.
    public var kind: Kind
    /// Requested band while the process works.
    public var band: Int16
    /// Memory of the process.
    public var footprint: ByteCount
    /// Mean time between two spells of work, for processes that do not always work.
    public var gap: SimDuration
    /// Limit while the process works; the device's limit unless `isAsRecorded` is set.
    public var activeLimit = MemoryLimit.standard
    /// Limit while the process is idle; the device's limit unless `isAsRecorded` is set.
    public var inactiveLimit = MemoryLimit.standard
    /// Whether the process is often needed again as soon as it has ended.
    public var isEager = false
    /// State at time zero, if the run begins in the middle of a phone's life.
    public var start: StartingProcess?
}

/// Number of daemons and extensions of a phone, their sizes and their rates of work.
///
/// Counts, bands and sizes come from "report 04", a published JetsamEvent of an iPhone 11 (4 GB) under iOS 14.2 with
/// 442 processes. Source: F. Memon, "iOS Crash Dump Analysis", examples. The report has 265 idle and ageing daemons, 37
/// working ones, 58 core processes, 26 suspended extensions and 35 suspended services of apps. Its bands are converted
/// to the scale of iOS 16, which is ten times the older one.
public struct SystemPopulation: Sendable, Equatable {
    /// Whether the system consists of processes; otherwise, its memory is one block that cannot be killed.
    public var isPopulated = false
    /// Typical time between two spells of work of a daemon; the mean over all daemons is 1.35 times as long at a spread
    /// of 4.
    ///
    /// Report 04 has the length of each process's last stay in the idle band (`idleDelta`). Over 171 daemons,
    /// extensions and services, the mean is 4.0 h without stays below a minute, which are pauses within one spell. With
    /// these stays, the mean is 2.4 h. Assumption: longer stays are not pauses within a spell.
    public var workGap = SimDuration.hours(3)
    /// Typical time between two spells of work of extensions and services of apps; the mean over 33 of them is 4.5 h.
    public var extensionGap = SimDuration.hours(3)
    /// Factor between the typical rate of work and the highest, and between the lowest and the typical; assumption.
    public var workGapSpread = 4.0
    /// Mean length of a spell of work; assumption.
    public var workTime = SimDuration.seconds(3)
    /// Processor time of restarting a killed daemon; assumption.
    ///
    /// Other work of daemons is part of the phone's standby power.
    public var relaunchTime = SimDuration.milliseconds(50)
    /// Whether daemons behave as in published reports; otherwise, each daemon keeps one size.
    ///
    /// Recorded daemons have limits, and sizes that differ from spell to spell and sometimes exceed a limit. They also
    /// have a record of the times between kill and relaunch. Launchd's throttle counts from the last start of a daemon.
    public var isAsRecorded = false
    /// Share of the idle daemons that are often needed again as soon as they have ended; assumption.
    ///
    /// Reports show daemons that were killed seconds after their launch. In report 04, 3 of the 270 idle ones were
    /// younger than 20 s.
    public var eagerShare = 0.05
    /// Number of idle daemons that the launch of an app by the user needs.
    ///
    /// An app needs the same daemons at each launch. Those without a process are started first, and the user waits. The
    /// number is zero unless stated. No source counts the daemons that a launch needs; assumption, 0 to 10.
    public var neededByLaunch = 0
    /// Number of services of apps on a phone with 2,098 MiB of daemons; zero unless stated.
    ///
    /// Of the 80 suspended processes in report 04, 19 are apps that a user opens. Another 35 are services, and the rest
    /// are extensions. Of the services, 26 are web content and its network, in the coalitions of six of the apps.
    /// Assumption: each service is needed independently of its app, as often as an extension.
    public var services = 0.0
    /// Growth of one core process per day; zero for a healthy system.
    public var leakPerDay = ByteCount.zero

    /// The processes of a phone's report, which replace the typical processes; empty if no report is used.
    public var listed: [SystemProcess] = []

    /// Creates the population of a healthy phone.
    public init() {}

    /// Share of a daemon's memory that is compressed, by kind: idle (report 04: 676 of 877 MiB), working, core.
    public static let compressedShares = (idle: 0.78, working: 0.56, core: 0.44)

    /// The processes of a phone whose daemons have this total memory; empty if the system is one block.
    ///
    /// Sizes are evenly spaced quantiles of the report's sizes, so all phones of one size have equal processes.
    public func processes(filling total: ByteCount) -> [SystemProcess] {
        guard listed.isEmpty else { return listed }
        guard isPopulated, total > .zero else { return [] }
        let scale = total / .mebibytes(2098)
        var classes = Self.classes
        if services >= 0.5 { classes.append(.services(Int(services.rounded()))) }
        let processes = classes.flatMap {
            $0.drawn(scale: scale, gap: $0.kind.isOfApps ? extensionGap : workGap, spread: workGapSpread)
        }
        let daemons = processes.filter { !$0.kind.isOfApps }
        let stretch = total / daemons.reduce(ByteCount.zero) { $0 + $1.footprint }
        return processes.enumerated().map { index, process in
            var process = process
            if !process.kind.isOfApps { process.footprint = process.footprint * stretch }
            return isAsRecorded ? recorded(process, index) : process
        }
    }

    /// Sets a daemon's limits and whether it is eager, both independent of its size and of each other.
    private func recorded(_ process: SystemProcess, _ index: Int) -> SystemProcess {
        var process = process
        // Steps by powers of the root of x^5 = x + 1, and by the square root of two, spread four numbers evenly over
        // the daemons without random draws.
        let other = (Double(index + 1) * 0.414_213_562_373_095).truncatingRemainder(dividingBy: 1)
        func part(_ power: Double) -> Double {
            (Double(index + 1) * pow(1.167_303_978_261_418_7, -power)).truncatingRemainder(dividingBy: 1)
        }
        let recorded: RecordedDaemons
        switch process.kind {
        case .idleExit: recorded = .idle
        case .working: recorded = .working
        case .core: recorded = .core
        case .appExtension, .service, .residentApp, .helper: return process
        }
        (process.activeLimit, process.inactiveLimit) = recorded.limits(
            of: process.footprint, spread: (part(1), part(2), part(3)))
        process.isEager = process.kind == .idleExit && other < eagerShare
        return process
    }

    /// The largest footprint of a kind in report 04; a restarted process from a phone's report is no larger.
    public static func largest(of kind: SystemProcess.Kind) -> ByteCount? {
        classes.first { $0.kind == kind }.flatMap { $0.deciles.last }.map { .mebibytes($0) }
    }

    /// Minimum, deciles and maximum of the footprints in report 04, in MiB.
    private static let classes = [
        SystemClass(
            kind: .idleExit, prefix: "daemon", count: 265, bands: [(30, 265)],
            deciles: [1.05, 1.55, 1.87, 2.16, 2.59, 3.09, 3.79, 4.52, 5.56, 8.26, 52.67]),
        SystemClass(
            kind: .working, prefix: "agent", count: 37, bands: [(30, 31), (70, 3), (80, 2), (90, 1)],
            deciles: [1.73, 2.64, 3.49, 3.95, 4.35, 5.14, 6.83, 8.37, 11.54, 15.74, 155.38]),
        SystemClass(
            kind: .core, prefix: "core", count: 58,
            bands: [(110, 4), (120, 2), (140, 33), (180, 13), (190, 1), (200, 2), (210, 1), (160, 1), (170, 1)],
            deciles: [1.5, 2.17, 3.01, 3.68, 4.08, 4.58, 6.14, 7.93, 9.59, 16.58, 127.41]),
        SystemClass(
            kind: .appExtension, prefix: "extension", count: 26, bands: [(40, 26)],
            deciles: [2.05, 3.95, 6.95, 8.02, 9.2, 11.54, 13.19, 15.04, 17.84, 19.71, 32.27]),
    ]
}

/// The processes of one kind in the report.
private struct SystemClass: Sendable {
    var kind: SystemProcess.Kind
    var prefix: String
    var count: Int
    /// Bands, and the number of processes in each; the smallest processes come first.
    var bands: [(Int16, Int)]
    var deciles: [Double]

    /// A class with this number of services of apps, with the sizes of the report's 35.
    static func services(_ count: Int) -> SystemClass {
        SystemClass(
            kind: .service, prefix: "service", count: count, bands: [(40, count)],
            deciles: [2.17, 3.66, 5.02, 5.67, 7.16, 10.16, 12.01, 12.78, 13.29, 18.65, 22.98])
    }

    func drawn(scale: Double, gap: SimDuration, spread: Double) -> [SystemProcess] {
        let number = max(1, Int((Double(count) * scale).rounded()))
        return (0..<number).map { index in
            let quantile = (Double(index) + 0.5) / Double(number)
            // Steps of the golden ratio spread the rates evenly over the sizes without random draws.
            let other = (Double(index + 1) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
            return SystemProcess(
                name: "\(prefix)-\(index + 1)", kind: kind, band: band(at: quantile),
                footprint: ByteCount(Int64(value(at: quantile) * 1_048_576)),
                gap: gap * pow(spread, 2 * other - 1))
        }
    }

    private func value(at share: Double) -> Double { quantile(deciles, at: share) }

    private func band(at quantile: Double) -> Int16 {
        var index = Int(quantile * Double(count))
        for (band, members) in bands {
            if index < members { return band }
            index -= members
        }
        return bands.last?.0 ?? 0
    }
}

extension SystemPopulation {
    /// The keys of these parameters in files, with their allowed values.
    public static let keys: [FileKey<SystemPopulation>] = [
        .flag(\.isPopulated, "populated"),
        .time(\.workGap, "work_gap", 60...1e6),
        .time(\.extensionGap, "extension_gap", 60...1e6),
        .number(\.workGapSpread, "work_gap_spread", 1...1000, example: "4"),
        .time(\.workTime, "work_time", 0.1...1e5),
        .time(\.relaunchTime, "relaunch_time", 0...60),
        .flag(\.isAsRecorded, "as_recorded"),
        .share(\.eagerShare, "eager_share"),
        .integer(\.neededByLaunch, "needed_by_launch", 0...100, example: "3"),
        .number(\.services, "services", 0...1000, example: "35"),
        .bytes(\.leakPerDay, "leak_per_day", 0...1e12),
    ]
}
