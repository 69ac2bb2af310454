// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// The state of the device as a scheduling policy sees it.
public struct DeviceConditions: Sendable, BitwiseCopyable {
    /// The current instant.
    public var now: SimTime
    /// Battery level shown to the user, 0 to 1.
    public var batteryLevel: Double
    /// Whether a charger is connected.
    public var pluggedIn: Bool
    /// The network in use.
    public var network: Network
    /// Whether the cellular or Wi-Fi radio is active or in its tail, so that a transfer needs no promotion.
    public var radioIsUp: Bool
    /// Whether the screen is on.
    public var screenOn: Bool
    /// Whether the phone is locked.
    public var locked: Bool
    /// Start of the present lock; on an unlocked phone, the end of the previous session.
    public var lockedSince: SimTime
    /// Instant at which the charger was last disconnected; meaningless while a charger is connected.
    public var unpluggedSince: SimTime
    /// Whether Low Power Mode is on.
    public var lowPowerMode: Bool
    /// Thermal level: 0 nominal, 1 fair, 2 serious, 3 critical.
    public var thermalLevel: UInt8
    /// Share of the processor that is busy, 0 to 1.
    public var processorBusy = 0.0
    /// Memory-pressure level.
    public var pressure: PressureLevel
    /// Whether the foreground app uses the camera.
    public var cameraOn = false
    /// Background launches running now.
    public var runningLaunches: Int32
    /// Instant until which launches are held back after a herd trigger (long lock, long offline time, boot).
    public var herdUntil: SimTime
    /// Share of the day's energy budget for background work that is left, 0 to 1.
    public var energyBudgetLeft: Double
    /// Share of the day's cellular budget for background work that is left, 0 to 1.
    public var cellularBudgetLeft: Double

    /// Creates the conditions of an idle, locked, offline phone with a full battery.
    public init(now: SimTime = .zero) {
        self.now = now
        batteryLevel = 1
        pluggedIn = false
        network = .none
        radioIsUp = false
        screenOn = false
        locked = true
        lockedSince = .zero
        unpluggedSince = .zero
        lowPowerMode = false
        thermalLevel = 0
        pressure = .normal
        runningLaunches = 0
        herdUntil = .zero
        energyBudgetLeft = 1
        cellularBudgetLeft = 1
    }
}
