// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Power
import Vocabulary

/// The device over one hour.
public struct DeviceHourRow: Sendable {
    /// Number of the hour, from the run's first midnight.
    public var hour = 0
    /// Battery level at the end of the hour, in percent.
    public var batteryPercent = 0.0
    /// Energy into the cell over the hour, in joules.
    public var chargedJoules = 0.0
    /// Energy drawn from the wall, in joules.
    public var wallJoules = 0.0
    /// Energy that the cell delivers at its terminals, in joules.
    public var batteryJoules = 0.0
    /// Part of `batteryJoules` with the display off, in joules.
    public var darkBatteryJoules = 0.0
    /// Time of discharge with the display off, in seconds.
    public var darkBatterySeconds = 0.0
    /// Energy from the adapter directly to the running phone, without the battery, in joules.
    public var adapterJoules = 0.0
    /// Number of times that the phone left suspend.
    public var wakeups = 0
    /// Number of heartbeats of connections.
    public var heartbeats = 0
    /// Temperature of battery and skin at the end of the hour, in °C.
    public var batteryCelsius = 0.0
    /// Highest temperature of battery and skin in the hour, in °C.
    public var batteryCelsiusMaximum = 0.0
    /// Time at thermal state fair or hotter, in seconds.
    public var fairSeconds = 0.0
    /// Time at thermal state serious or critical, in seconds.
    public var hotSeconds = 0.0
    /// Time at memory-pressure level warning or critical, in seconds.
    public var pressureSeconds = 0.0
    /// Time in Low Power Mode, in seconds.
    public var lowPowerSeconds = 0.0
    /// Time on a charger, in seconds.
    public var pluggedSeconds = 0.0
    /// Time with the screen on, in seconds.
    public var screenSeconds = 0.0
    /// Number of apps with a process at the end of the hour.
    public var residentApps = 0
    /// Number of suspended apps at the end of the hour.
    public var suspendedApps = 0
    /// Number of suspended apps, extensions and services at the end of the hour.
    public var suspendedProcesses = 0
    /// The 10th, 50th and 90th percentile of the footprints of suspended processes, in MiB; NaN without such processes.
    public var suspendedFootprints = (tenth: Double.nan, median: Double.nan, ninetieth: Double.nan)
    /// Least available memory in the hour, in MiB.
    public var availableMinimumMiB = 0.0
    /// Compressor pool at the end of the hour, in MiB.
    public var compressorMiB = 0.0
    /// Wired memory and memory outside the kernel's counters at the end of the hour, in MiB.
    public var wiredMiB = 0.0
    /// Resident memory of apps on screen at the end of the hour, in MiB.
    public var screenMiB = 0.0
    /// Resident memory of apps that work in the background at the end of the hour, in MiB.
    public var backgroundMiB = 0.0
    /// Resident memory of suspended and prewarmed apps at the end of the hour, in MiB.
    public var suspendedMiB = 0.0
    /// Resident memory of the system, daemons and extensions at the end of the hour, in MiB.
    public var systemMiB = 0.0
    /// Cached pages of files, purgeable and free pages at the end of the hour, in MiB.
    public var cachedMiB = 0.0
    /// Number of jetsam kills in the hour.
    public var kills = 0
    /// Number of processes that the freezer wrote to flash in the hour.
    public var frozen = 0
    /// Number of frozen processes that were resumed in the hour.
    public var thawed = 0
    /// Memory that the freezer and app swap wrote to flash in the hour, before compression, in MiB.
    public var flashWrittenMiB = 0.0
    /// Number of opens of frozen apps by the user.
    public var thawedOpens = 0
    /// Number of opens by the user, including relaunches.
    public var opens = 0
    /// Number of warm and cold opens by the user.
    public var relaunches = 0
    /// Time for which the phone was locked, in seconds.
    public var lockedSeconds = 0.0
    /// Largest number of refresh and processing tasks at one time.
    public var concurrentLaunches: Int32 = 0
    /// Share of the day's energy budget that is left at the end of the hour, 0 to 1.
    public var energyBudgetLeft = 0.0
    /// Share of the day's cellular budget that is left at the end of the hour, 0 to 1.
    public var cellularBudgetLeft = 0.0
    /// Number of background launches in the hour.
    public var backgroundLaunches = 0
    /// Bytes transferred, for each radio.
    public var bytes = RadioTable<Int64>(0)
    /// Energy of the display, in joules.
    public var displayJoules = 0.0
    /// Energy of the processor, in joules.
    public var processorJoules = 0.0
    /// Energy of the radios, in joules.
    public var radioJoules = RadioTable<Double>(0)
    /// Energy of all other parts (suspend power, wakes), in joules.
    public var platformJoules = 0.0
    /// Energy of flash memory, in joules.
    public var storageJoules = 0.0
    /// Energy of the graphics processor, in joules.
    public var graphicsJoules = 0.0
    /// Energy of main-memory traffic, in joules.
    public var memoryJoules = 0.0
    /// Energy of codec, amplifier and playback, in joules.
    public var audioJoules = 0.0
    /// Energy of decoding and encoding video, in joules.
    public var videoJoules = 0.0
    /// Energy of the camera, in joules.
    public var cameraJoules = 0.0
    /// Energy of the location receiver, in joules.
    public var locationJoules = 0.0
    /// Energy of Bluetooth, in joules.
    public var bluetoothJoules = 0.0
    /// Energy by cause, in joules, in the order of `Cause`; its sum equals that of the components.
    public var causeJoules = [Double](repeating: 0, count: Cause.allCases.count)

    /// Creates an empty hour.
    public init() {}
}

extension DeviceHourRow: TableRow {
    /// One row per hour of the device.
    public static let table = PhoneTables.table(
        "device_hours", "one row per run and hour of the device",
        time: "hour", key: ["hour"], head + bytes + screenAndProcessor + radios + rest + causes)

    private static let head: [TableColumn<DeviceHourRow>] = [
        .integer("hour", "h", "hours since the run's first midnight", \.hour),
        .number("battery_pct", "%", "battery level at the end of the hour", \.batteryPercent),
        .number("charged_j", "J", "energy into the cell over the hour", \.chargedJoules),
        .number("charge_w", "W", "mean power into the cell while on a charger; empty without one") {
            $0.pluggedSeconds > 0 ? $0.chargedJoules / $0.pluggedSeconds : .nan
        },
        .number("wall_j", "J", "energy drawn from the wall over the hour", \.wallJoules),
        .number(
            "adapter_j", "J",
            "energy from the adapter directly to the running phone, not through the cell", \.adapterJoules),
        .number("battery_j", "J", "energy that the cell delivered at its terminals", \.batteryJoules),
        .number(
            "screen_off_battery_j", "J",
            "the part of battery_j that was delivered while the display was off", \.darkBatteryJoules),
        .number(
            "screen_off_battery_s", "s", "time of discharge while the display was off",
            \.darkBatterySeconds),
        .number("plugged_s", "s", "time on a charger", \.pluggedSeconds),
        .number("battery_c", "degC", "temperature of battery and skin at the end of the hour", \.batteryCelsius),
        .number(
            "battery_max_c", "degC", "highest temperature of battery and skin in the hour", \.batteryCelsiusMaximum),
        .number("fair_s", "s", "time at thermal state fair or hotter", \.fairSeconds),
        .number("hot_s", "s", "time at thermal state serious or critical", \.hotSeconds),
        .number("low_power_s", "s", "time in Low Power Mode", \.lowPowerSeconds),
        .number("pressure_s", "s", "time at memory-pressure level warning or critical", \.pressureSeconds),
        .count("wakeups", "times the phone left its suspend state", \.wakeups),
        .number("screen_s", "s", "time with the screen on", \.screenSeconds),
        .number("locked_s", "s", "time locked", \.lockedSeconds),
        .count("resident_apps", "apps with a process at the end of the hour", \.residentApps),
        .count("suspended_apps", "suspended apps at the end of the hour", \.suspendedApps),
        .count(
            "suspended_processes", "suspended apps, extensions and services of apps at the end of the hour",
            \.suspendedProcesses),
        .number(
            "suspended_tenth_mib", "MiB",
            "10th percentile of the footprint of suspended_processes; empty if there are none",
            \.suspendedFootprints.tenth),
        .number(
            "suspended_median_mib", "MiB", "median footprint of suspended_processes; empty if there are none",
            \.suspendedFootprints.median),
        .number(
            "suspended_ninetieth_mib", "MiB",
            "90th percentile of the footprint of suspended_processes; empty if there are none",
            \.suspendedFootprints.ninetieth),
        .number(
            "available_min_mib", "MiB",
            "least available memory in the hour; negative if a policy without eviction needs more than the RAM",
            \.availableMinimumMiB),
        .number("compressor_mib", "MiB", "size of the compressor's pool at the end of the hour", \.compressorMiB),
        .number(
            "wired_mib", "MiB", "wired memory at the end of the hour, including memory outside the kernel's counters",
            \.wiredMiB),
        .number("screen_mib", "MiB", "resident memory of apps on screen at the end of the hour", \.screenMiB),
        .number(
            "background_mib", "MiB", "resident memory of apps that work in the background at the end of the hour",
            \.backgroundMiB),
        .number(
            "suspended_mib", "MiB", "resident memory of suspended and prewarmed apps at the end of the hour",
            \.suspendedMiB),
        .number(
            "system_mib", "MiB", "resident memory of the system, daemons and extensions at the end of the hour",
            \.systemMiB),
        .number(
            "cached_mib", "MiB", "cached file pages, purgeable pages and free pages at the end of the hour",
            \.cachedMiB),
        .count("kills", "processes of apps that jetsam killed in the hour", \.kills),
        .count("frozen", "processes that the freezer wrote to flash", \.frozen),
        .count("thawed", "frozen processes that were resumed", \.thawed),
        .number(
            "flash_written_mib", "MiB", "memory that the freezer and app swap wrote to flash, before compression",
            \.flashWrittenMiB),
        .count("opens", "opens by the user", \.opens),
        .count("thawed_opens", "opens that resumed an app which the freezer had written to flash", \.thawedOpens),
        .count("relaunches", "warm and cold opens by the user", \.relaunches),
        .count("background_launches", "background launches", \.backgroundLaunches),
        .count(
            "concurrent_launches", "largest number of refresh and processing tasks at one time",
            \.concurrentLaunches),
        .number(
            "energy_budget_left", "1", "share of the day's energy allowance left at the end of the hour",
            \.energyBudgetLeft),
        .number(
            "cellular_budget_left", "1", "share of the day's cellular allowance left at the end of the hour",
            \.cellularBudgetLeft),
    ]

    private static let bytes: [TableColumn<DeviceHourRow>] = Interface.allCases.reversed().map { radio in
        .integer("\(radio.name)_bytes", "B", "bytes over \(radio.network.words.network)") { $0.bytes[radio] }
    }

    private static let screenAndProcessor: [TableColumn<DeviceHourRow>] = [
        .count("heartbeats", "heartbeats of the push connection and of apps' own connections", \.heartbeats),
        .number("screen_energy_j", "J", "energy of the display", \.displayJoules),
        .number("processor_energy_j", "J", "energy of the processor", \.processorJoules),
    ]

    private static let radios: [TableColumn<DeviceHourRow>] = Interface.allCases.map { radio in
        .number("\(radio.name)_energy_j", "J", "energy of \(radio.network.words.radio)") { $0.radioJoules[radio] }
    }

    private static let rest: [TableColumn<DeviceHourRow>] = [
        .number("platform_energy_j", "J", "energy of all other parts: suspend power and wakes", \.platformJoules),
        .number("storage_energy_j", "J", "energy of flash memory", \.storageJoules),
        .number("graphics_energy_j", "J", "energy of the graphics processor", \.graphicsJoules),
        .number("memory_energy_j", "J", "energy of main-memory traffic", \.memoryJoules),
        .number("audio_energy_j", "J", "energy of codec, amplifier and playback", \.audioJoules),
        .number("video_energy_j", "J", "energy of decoding and encoding films", \.videoJoules),
        .number("camera_energy_j", "J", "energy of the camera", \.cameraJoules),
        .number("location_energy_j", "J", "energy of the location receiver", \.locationJoules),
        .number("bluetooth_energy_j", "J", "energy of Bluetooth", \.bluetoothJoules),
    ]

    private static let causes: [TableColumn<DeviceHourRow>] = Cause.allCases.map { cause in
        let (name, meaning) = words(for: cause)
        return .number("for_\(name)_j", "J", "energy booked to \(meaning)") { $0.causeJoules[Int(cause.rawValue)] }
    }

    /// Column name of a cause, and the cause in words.
    private static func words(for cause: Cause) -> (name: String, meaning: String) {
        switch cause {
        case .foreground: ("foreground", "the app on screen")
        case .relaunch: ("relaunch", "launches by the user")
        case .backgroundTask: ("tasks", "background tasks")
        case .push: ("pushes", "pushes")
        case .transfer: ("transfers", "transfers by the system")
        case .playback: ("playback", "music and navigation after the user left their app")
        case .connection: ("connections", "heartbeats of connections")
        case .tail: ("tails", "radios that stay on after traffic (tails)")
        case .idle: ("nobody", "suspend power, always-on display, paging and radio standby")
        }
    }
}

extension TableSet {
    /// One row per hour of the device.
    public static let deviceHours = DeviceHourRow.table.set
}
