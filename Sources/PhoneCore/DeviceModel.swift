// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Disk
import Power
import Processes
import Quantities
import Vocabulary

/// A phone: the parameters of its parts and how its owner has set it.
public struct DeviceModel: Sendable {
    /// Name as in the model file.
    public var name: String
    /// Sizes of the memory.
    public var memory: MemoryParameters
    /// Rules of the operating system for memory.
    public var os: OSProfile
    /// Components, radios, battery and charger.
    public var power: PowerParameters
    /// Rules of the operating system for background work.
    public var background: BackgroundParameters
    /// What the owner sets and does.
    public var habits: DeviceHabits
    /// The daemons and extensions beside the apps.
    public var daemons = SystemPopulation()
    /// Kills for causes that the model does not simulate.
    public var incidents = IncidentRates()
    /// Processes that are built before anybody opens their app.
    public var prewarm = PrewarmParameters()
    /// What happens while the phone is on a charger.
    public var charging = ChargingSettings()
    /// What the system does for itself; nil for a phone without accounts.
    public var services: ServiceParameters?
    /// What the phone lies in; nil where the hour of the day decides how warm its air is.
    public var surroundings: SurroundingParameters?
    /// What apps draw that are held running.
    public var modes = ModeParameters()
    /// Calls and alarms that interrupt the user; nil for a phone on which nobody calls.
    public var interruptions: InterruptionParameters?
    /// Extensions and services that come when they are needed.
    public var helpers = HelperSet()
    /// When the phone restarts of itself.
    public var restarts = RestartParameters()
    /// Room on the storage; nil for a phone whose storage is never full.
    public var disk: DiskParameters?

    /// The daemons, extensions and helpers, numbered after the apps.
    public var systemProcesses: [SystemProcess] {
        // Android's own processes stand below 0 in `oom_score_adj`: nobody kills them.
        (os.family == .android ? daemons.listed : daemons.processes(filling: memory.systemFootprint))
            + helpers.processes
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

/// What the owner of a phone has set, and how its traffic comes in pieces.
public struct DeviceHabits: Sendable {
    /// Brightness of the display, 0 to 1; assumption.
    public var brightness = 0.5
    /// Whether apps are dark; assumption: light, as a new phone is by day.
    public var darkMode = false
    /// Factor on the brightness in Low Power Mode; assumption: Apple documents a lower brightness without a figure.
    public var lowPowerBrightness = 0.8
    /// Share of the processors' speed left in Low Power Mode; Geekbench on iOS 9: 1019 of 1606 (iPhone 6 Plus,
    /// MacRumors 2015); assumption for other phones.
    public var lowPowerPerformance = 0.6
    /// Factor on the display's power in Low Power Mode: below 1 for a display of 120 Hz, which then shows 60 (Apple
    /// Support HT205234); assumption for the size.
    public var lowPowerDisplay = 1.0
    /// Share of the sessions that nobody ends, so that the phone locks itself; published nowhere: an assumption, none
    /// unless a device file says so, 0 to 0.5.
    public var autoLockShare = 0.0
    /// How long such a phone waits, as part of the session; assumption: an owner's choice between 30 s and never.
    public var autoLock = SimDuration.minutes(1)
    /// The same in Low Power Mode (Apple Support HT205234: 30 s).
    public var lowPowerAutoLock = SimDuration.seconds(30)
    /// Whether peaks of the processors are kept within what the battery can carry (Apple Support HT208387).
    public var performanceManagement = true
    /// Power of display, radios and the rest at the moment of such a peak; assumption.
    public var otherPeak = Power.watts(2)
    /// Battery level at the start of the run, 0 to 1; assumption: charged overnight.
    public var initialLevel = 1.0
    /// Level at which the phone offers Low Power Mode (Apple Support, HT205234: 20 %).
    public var lowPowerBelow = 0.20
    /// Level at which a charging phone leaves Low Power Mode (Apple Support, HT205234: 80 %).
    public var lowPowerUntil = 0.80
    /// An app that streams moves its data in pieces of this length; assumption: a playlist segment of live streaming.
    public var streamPiece = SimDuration.seconds(6)
    /// Bytes of one push (APNs payloads are at most 4 KiB; Apple, Generating a remote notification).
    public var pushBytes = ByteCount.kibibytes(4)
    /// Share of its memory limit at which an app stops growing; assumption: shipped apps seldom die of their limit.
    public var limitShare = 0.9
    /// Standard deviation of ln(rate of the network) between pieces of work and visits; assumption: 0.6-0.8 in walks.
    public var rateSigma = 0.7
    /// Standard deviation of ln(processor time) of background work; assumption.
    public var workSigma = 0.3

    /// Time after which an app gives up a request that nobody answers (Apple, `URLSessionConfiguration`,
    /// `timeoutIntervalForRequest`: 60 s).
    public var requestTimeout = SimDuration.minutes(1)
    /// Whether apps may have several windows, as on a tablet.
    public var hasWindows = false

    /// Creates the habits of an ordinary owner.
    public init() {}
}

extension DeviceHabits {
    /// The keys of the figures in files, with what is allowed.
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
