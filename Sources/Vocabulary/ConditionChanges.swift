// SPDX-License-Identifier: GPL-3.0-or-later

/// One kind of change of the device; its raw value is its bit number in `ConditionChanges`.
public enum ConditionChange: UInt16, Sendable, CaseIterable, BitwiseCopyable {
    case pluggedIn, wifiJoined, networkAppeared, locked, unlocked, lowPowerModeEnded, batteryRecovered, cooled
    case launchEnded, pressureFell, radioUp, workStarted, cameraStopped, moved

    /// The change in words that end a sentence: "asked again when …".
    public var sentence: String {
        switch self {
        case .pluggedIn: "a charger is connected"
        case .wifiJoined: "Wi-Fi is joined"
        case .networkAppeared: "a network appears"
        case .locked: "the phone is locked"
        case .unlocked: "the phone is unlocked"
        case .lowPowerModeEnded: "Low Power Mode ends"
        case .batteryRecovered: "the battery rises above the critical level"
        case .cooled: "the phone has cooled"
        case .launchEnded: "other background work ends"
        case .pressureFell: "memory pressure falls"
        case .radioUp: "a radio is on for other traffic"
        case .workStarted: "other background work starts"
        case .cameraStopped: "the camera is switched off"
        case .moved: "the phone is moved, which ends Doze"
        }
    }
}

/// Changes of the device after which a waiting request can be decided again.
public struct ConditionChanges: OptionSet, Sendable, BitwiseCopyable {
    /// One bit per kind of change.
    public let rawValue: UInt16

    /// Creates a set from its bits; bits without a kind of change are dropped.
    public init(rawValue: UInt16) { self.rawValue = rawValue & (1 << UInt16(Self.count) - 1) }

    /// A charger was connected.
    public static let pluggedIn = ConditionChanges(rawValue: 1 << 0)
    /// Wi-Fi was joined.
    public static let wifiJoined = ConditionChanges(rawValue: 1 << 1)
    /// A network appeared where there was none.
    public static let networkAppeared = ConditionChanges(rawValue: 1 << 2)
    /// The phone was locked.
    public static let locked = ConditionChanges(rawValue: 1 << 3)
    /// The phone was unlocked.
    public static let unlocked = ConditionChanges(rawValue: 1 << 4)
    /// Low Power Mode ended.
    public static let lowPowerModeEnded = ConditionChanges(rawValue: 1 << 5)
    /// The battery rose above the critical level.
    public static let batteryRecovered = ConditionChanges(rawValue: 1 << 6)
    /// The device cooled below the serious level.
    public static let cooled = ConditionChanges(rawValue: 1 << 7)
    /// A background launch ended.
    public static let launchEnded = ConditionChanges(rawValue: 1 << 8)
    /// Memory pressure fell.
    public static let pressureFell = ConditionChanges(rawValue: 1 << 9)
    /// A radio was switched on for other traffic.
    public static let radioUp = ConditionChanges(rawValue: 1 << 10)
    /// Background work of some app started, and another request can share it.
    public static let workStarted = ConditionChanges(rawValue: 1 << 11)
    /// The camera was switched off.
    public static let cameraStopped = ConditionChanges(rawValue: 1 << 12)
    /// The phone was moved, which ends Doze.
    public static let moved = ConditionChanges(rawValue: 1 << 13)

    /// Number of kinds of change.
    public static let count = 14

    /// The kinds of change in the set, in the order of their bits.
    public var changes: [ConditionChange] {
        ConditionChange.allCases.filter { rawValue & (1 << $0.rawValue) != 0 }
    }
}
