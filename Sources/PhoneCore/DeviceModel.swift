// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Disk
import Power
import Processes
import Quantities
import Vocabulary

/// A phone: the parameters of its parts and the settings of its owner.
public struct DeviceModel: Sendable {
    /// Name, as in the model file.
    public var name: String
    /// Sizes of the memory.
    public var memory: MemoryParameters
    /// Rules of the operating system for memory.
    public var os: OSProfile
    /// Components, radios, battery and charger.
    public var power: PowerParameters
    /// Rules of the operating system for background work.
    public var background: BackgroundParameters
    /// Settings and behaviour of the owner.
    public var habits: DeviceHabits
    /// Daemons and extensions, in addition to the apps.
    public var daemons = SystemPopulation()
    /// Rates of kills for causes that the model does not simulate.
    public var incidents = IncidentRates()
    /// Rules for processes that the system starts before the user opens their app.
    public var prewarm = PrewarmParameters()
    /// Rules for the time on a charger.
    public var charging = ChargingSettings()
    /// The system's own work; nil for a phone without accounts.
    public var services: ServiceParameters?
    /// Surroundings of the phone; nil if the hour of the day determines the air temperature.
    public var surroundings: SurroundingParameters?
    /// Power of apps that run in the background for calls and events.
    public var modes = ModeParameters()
    /// Calls and alarms that interrupt the user; nil for a phone without them.
    public var interruptions: InterruptionParameters?
    /// Extensions and services that run on demand.
    public var helpers = HelperSet()
    /// Restarts of the phone that the user does not request.
    public var restarts = RestartParameters()
    /// Space on the storage; nil for a phone whose storage is never full.
    public var disk: DiskParameters?

    /// All processes other than the main processes of apps.
    ///
    /// The order is: daemons and extensions of the system, helpers, further processes of apps. Their numbers follow
    /// those of the apps.
    public func processes(beside apps: [AppModel]) -> [SystemProcess] {
        // Android's own processes have values below 0 in `oom_score_adj`, so they are never killed.
        (os.family == .android ? daemons.listed : daemons.processes(filling: memory.systemFootprint))
            + helpers(of: apps).map {
                SystemProcess(name: $0.name, kind: .helper, band: 0, footprint: $0.figures.memory, gap: .zero)
            }
    }

    /// Creates a phone.
    public init(
        name: String, memory: MemoryParameters, os: OSProfile, power: PowerParameters,
        background: BackgroundParameters, habits: DeviceHabits = DeviceHabits()
    ) {
        self.name = name
        self.memory = memory
        self.os = os
        self.power = power
        self.background = background
        self.habits = habits
    }
}

/// Settings of a phone's owner, and the sizes of the pieces into which its traffic is divided.
public struct DeviceHabits: Sendable {
    /// Brightness of the display, 0 to 1; assumption.
    public var brightness = 0.5
    /// Whether apps use dark mode.
    ///
    /// Assumption: false, as on a new phone by day.
    public var darkMode = false
    /// Factor that multiplies the brightness in Low Power Mode; assumption: Apple documents a lower brightness without
    /// a figure.
    public var lowPowerBrightness = 0.8
    /// Share of the processors' speed that is left in Low Power Mode; assumption, except for the measured phone.
    ///
    /// Geekbench on iOS 9 scores 1019 in this mode and 1606 otherwise (iPhone 6 Plus, MacRumors 2015).
    public var lowPowerPerformance = 0.6
    /// Factor that multiplies the display's power in Low Power Mode; the size is an assumption.
    ///
    /// The factor is below 1 for a display of 120 Hz, which shows 60 Hz in Low Power Mode (Apple Support HT205234).
    public var lowPowerDisplay = 1.0
    /// Share of sessions that end by auto-lock instead of by the user.
    ///
    /// No source states the share; assumption, 0 to 0.5. It is zero unless a device file sets it.
    public var autoLockShare = 0.0
    /// Time until a phone that is not touched locks itself; this time is part of the session.
    ///
    /// Assumption: owners choose between 30 s and never.
    public var autoLock = SimDuration.minutes(1)
    /// Time until the phone locks itself in Low Power Mode (Apple Support HT205234: 30 s).
    public var lowPowerAutoLock = SimDuration.seconds(30)
    /// Whether the processors' peaks are limited to the power that the battery can supply (Apple Support HT208387).
    public var performanceManagement = true
    /// Power of display, radios and other parts during a peak of the processors; assumption.
    public var otherPeak = Power.watts(2)
    /// Battery level at the start of the run, 0 to 1; assumption: charged overnight.
    public var initialLevel = 1.0
    /// Level at which the phone offers Low Power Mode (Apple Support, HT205234: 20 %).
    public var lowPowerBelow = 0.20
    /// Level at which a charging phone leaves Low Power Mode (Apple Support, HT205234: 80 %).
    public var lowPowerUntil = 0.80
    /// Length of the pieces in which an app streams data; assumption: a playlist segment of live streaming.
    public var streamPiece = SimDuration.seconds(6)
    /// Bytes of one push (APNs payloads are at most 4 KiB; Apple, Generating a remote notification).
    public var pushBytes = ByteCount.kibibytes(4)
    /// Share of the memory limit at which an app stops growing; assumption: shipped apps rarely exceed their limit.
    public var limitShare = 0.9
    /// Standard deviation of ln(network rate) over visits and pieces of work; assumption, 0.6-0.8 while walking.
    public var rateSigma = 0.7
    /// Standard deviation of ln(processor time) of background work; assumption.
    public var workSigma = 0.3

    /// Time after which an app gives up a request that gets no answer.
    ///
    /// Source: Apple, `URLSessionConfiguration`, `timeoutIntervalForRequest`: 60 s.
    public var requestTimeout = SimDuration.minutes(1)
    /// Whether apps may have several windows, as on a tablet.
    public var hasWindows = false

    /// Creates the habits of an ordinary owner.
    public init() {}
}

extension DeviceHabits {
    /// The keys of these settings in files, with their allowed values.
    public static let keys: [FileKey<DeviceHabits>] = [
        .share(\.brightness, "brightness"),
        .flag(\.darkMode, "dark_mode"),
        .share(\.lowPowerBrightness, "low_power_brightness"),
        .share(\.lowPowerDisplay, "low_power_display"),
        .share(\.autoLockShare, "auto_lock_share"),
        .time(\.autoLock, "auto_lock", 1...86400),
        .time(\.lowPowerAutoLock, "low_power_auto_lock", 1...86400),
        .flag(\.performanceManagement, "performance_management"),
        .amount(\.otherPeak, "other_peak", .power),
        .quantity(\.lowPowerPerformance, "low_power_performance", .fraction, 0.05...1),
        .share(\.initialLevel, "initial_level"),
        .share(\.lowPowerBelow, "low_power_below"),
        .share(\.lowPowerUntil, "low_power_until"),
        .time(\.streamPiece, "stream_piece", 0.1...3600),
        .flag(\.hasWindows, "has_windows"),
        .time(\.requestTimeout, "request_timeout", 1...3600),
        .bytes(\.pushBytes, "push_bytes"),
        .number(\.rateSigma, "rate_sigma", 0...3, example: "0.7"),
        .number(\.workSigma, "work_sigma", 0...3, example: "0.3"),
    ]
}
