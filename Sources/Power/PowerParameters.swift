// SPDX-License-Identifier: GPL-3.0-or-later
import Platform
import Quantities

/// Every constant of a phone's energy model.
///
/// Device files supply the values with their sources.
public struct PowerParameters: Sendable {
    /// Power that the phone draws in any state.
    public var platform: PlatformParameters
    /// Cores.
    public var processor: ProcessorParameters
    /// Display.
    public var display: DisplayParameters
    /// Flash memory.
    public var storage: StorageParameters
    /// Graphics, audio, video, camera, location, Bluetooth.
    public var peripherals: PeripheralParameters
    /// What apps add to the parts while they are in the foreground.
    public var activities = ActivityTable()
    /// Every radio, by its interface.
    public var radios = RadioParameterTable()
    /// The slower technology of the mobile radio, such as LTE in a 5G phone; nil if the radio has only one technology.
    public var cellularFallback: RadioParameters?
    /// Whether the mobile radio falls back while the display is off; if false, it falls back only in Low Power Mode.
    ///
    /// Source: "Smart Data" (Apple, iPhone 12, 2020: LTE "when your iPhone doesn't need 5G speed").
    public var smartData = true
    /// Cell and pack.
    public var battery: BatteryParameters
    /// Charger in the phone and its losses.
    public var charger: ChargerParameters
    /// The app to which radio tails are booked.
    public var tailAttribution: TailAttribution
    /// Thermal parameters of the phone; nil for a phone that always has the air temperature.
    public var heat: HeatParameters? = HeatParameters()

    /// Creates the constants of a phone.
    public init(
        platform: PlatformParameters = .init(), processor: ProcessorParameters = .init(),
        display: DisplayParameters = .init(), storage: StorageParameters = .init(),
        peripherals: PeripheralParameters = .init(), radios: RadioParameterTable = .init(),
        battery: BatteryParameters, charger: ChargerParameters = .init(), tailAttribution: TailAttribution = .lastUser
    ) {
        self.platform = platform
        self.processor = processor
        self.display = display
        self.storage = storage
        self.peripherals = peripherals
        self.radios = radios
        self.battery = battery
        self.charger = charger
        self.tailAttribution = tailAttribution
    }

    /// An iPhone 15 (6 GB, 3349 mAh), with the figures of `models/devices/iphone-15.yaml`.
    public static var iPhone15: PowerParameters {
        PowerParameters(battery: BatteryParameters(capacity: .milliampereHours(3349)))
    }

    /// An iPhone 13 (4 GB, 3227 mAh), with the figures of `models/devices/iphone-13.yaml`.
    public static var iPhone13: PowerParameters {
        var phone = PowerParameters(battery: BatteryParameters(capacity: .milliampereHours(3227)))
        phone.display.basePower = .milliwatts(113)
        phone.display.brightnessPower = .milliwatts(1811)
        phone.peripherals.playbackPower = .milliwatts(85)
        phone.peripherals.streamPower = .milliwatts(127)
        return phone
    }
}

/// Power that the phone draws in any state.
public struct PlatformParameters: Sendable {
    /// Power that is always drawn: memory refresh, power management, always-on core.
    ///
    /// Source: Android power profiles of Pixel 1, 3a, 4, 6, `cpu.suspend` 5.25-10 mA at 3.7 V.
    public var suspendPower = Power.milliwatts(20)
    /// Additional power while out of suspend, cores not counted; assumption within the profiles' idle plus active
    /// power.
    public var awakePower = Power.milliwatts(180)
    /// Energy of one wake-up from suspend and the return to suspend.
    ///
    /// Assumption: no measurement is public.
    public var wakeEnergy = Energy.joules(0.25)
    /// Time of one wake-up and the return to suspend (assumption).
    public var wakeTime = SimDuration.milliseconds(400)

    /// Creates the defaults named at each property.
    public init() {}
}

/// A display: P = base + range · bᵍ · (1 − s + s · picture level), and more at a higher frame rate.
///
/// Brightness b and picture level go from 0 to 1.
public struct DisplayParameters: Sendable {
    /// Power at the lowest brightness.
    ///
    /// Assumption, fitted to Apple's hours of video. It is below the Android profiles of Pixel 3a, 4, 6 (0.25-0.36 W),
    /// which include the awake phone.
    public var basePower = Power.milliwatts(100)
    /// Power that full brightness and a white picture add; assumption within the same profiles (0.99-1.74 W).
    public var brightnessPower = Power.milliwatts(1600)
    /// Exponent g of brightness; assumption; Dash and Hu (MobiSys 2021) find that power rises faster near the top.
    public var brightnessExponent = 2.2
    /// Share s of the brightness power that follows the picture: 0.85 for OLED (assumption), 0 for LCD.
    public var pictureShare = 0.85
    /// Frames a second while apps scroll and play; films and the camera have their own rate.
    public var refreshRate = Frequency.hertz(60)
    /// Power that each additional 60 Hz adds, as a share of the display's power.
    ///
    /// Assumption: testers report 5 to 10 % for 120 Hz; no measurement is public.
    public var refreshShare = 0.075
    /// Power that an always-on display takes while the phone's display counts as off; zero for other displays.
    public var ambientPower = Power.zero

    /// The frame rate for which the other figures hold; also the frame rate of Low Power Mode (Apple Support HT205234).
    public static let usualRate = Frequency.hertz(60)

    /// Creates the defaults named at each property.
    public init() {}

    /// Frames a second while an app is shown; at most the usual rate in Low Power Mode, for films and for the camera.
    public func rate(of activity: ActivityParameters, inLowPowerMode: Bool = false) -> Frequency {
        inLowPowerMode || activity.hasOwnRate ? min(refreshRate, Self.usualRate) : refreshRate
    }

    /// Power of the display while it is on, at a frame rate.
    public func power(brightness: Double, pictureLevel: Double, at rate: Frequency = Self.usualRate) -> Power {
        let b = min(max(brightness, 0), 1)
        let level = min(max(pictureLevel, 0), 1)
        let picture = brightnessPower * (pow(b, brightnessExponent) * (1 - pictureShare + pictureShare * level))
        return (basePower + picture) * max(0, 1 + refreshShare * (rate / Self.usualRate - 1))
    }
}

/// Flash memory: energy per amount read and written, file system and encryption included.
public struct StorageParameters: Sendable {
    /// Energy of reading 1 MB (10⁶ bytes); assumption above the 3.6 mJ/MB of the flash device alone (Li et al., FAST
    /// 2014).
    public var readPerMegabyte = Energy.joules(0.008)
    /// Energy of writing 1 MB; assumption above the 6.3 mJ/MB of the flash device alone (same source).
    public var writePerMegabyte = Energy.joules(0.025)

    /// Creates the defaults named at each property.
    public init() {}

    /// Energy of reading an amount.
    public func reading(_ amount: ByteCount) -> Energy { readPerMegabyte * (Double(amount.bytes) / 1e6) }
    /// Energy of writing an amount.
    public func writing(_ amount: ByteCount) -> Energy { writePerMegabyte * (Double(amount.bytes) / 1e6) }
}

/// The app to which the energy of a radio tail is booked.
public enum TailAttribution: String, Sendable, CaseIterable, BitwiseCopyable {
    /// The app that moved the last byte (eprof, EuroSys 2012).
    case lastUser = "last-user"
    /// Every app that used the radio since its promotion, in equal parts.
    case equalSplit = "equal-split"
}

extension PowerParameters {
    /// The keys in files of values that apply to all radios, with their allowed ranges.
    public static let radioKeys: [FileKey<PowerParameters>] = [
        .choice(\.tailAttribution, "tail_attribution", "tail attribution"),
        .flag(\.smartData, "smart_data"),
    ]
}

extension PlatformParameters {
    /// The keys of these values in files, with their allowed ranges.
    public static let keys: [FileKey<PlatformParameters>] = [
        .amount(\.suspendPower, "suspend_power", .power),
        .amount(\.awakePower, "awake_power", .power),
        .amount(\.wakeEnergy, "wake_energy", .energy),
        .time(\.wakeTime, "wake_time"),
    ]
}

extension StorageParameters {
    /// The keys of these values in files, with their allowed ranges.
    public static let keys: [FileKey<StorageParameters>] = [
        .amount(\.readPerMegabyte, "read_per_megabyte", .energy),
        .amount(\.writePerMegabyte, "write_per_megabyte", .energy),
    ]
}

extension DisplayParameters {
    /// The keys of these values in files, with their allowed ranges.
    public static let keys: [FileKey<DisplayParameters>] = [
        .amount(\.basePower, "base_power", .power),
        .amount(\.brightnessPower, "brightness_power", .power),
        .number(\.brightnessExponent, "brightness_exponent", 0.1...10, example: "1.6"),
        .share(\.pictureShare, "picture_share"),
        .amount(\.refreshRate, "refresh_rate", .frequency, 1...1000), .share(\.refreshShare, "refresh_share"),
        .amount(\.ambientPower, "ambient_power", .power),
    ]
}
