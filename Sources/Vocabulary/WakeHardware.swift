// SPDX-License-Identifier: GPL-3.0-or-later

/// The parts of the phone, besides the processor, that a piece of background work switches on.
///
/// The list is that of `MultiResourceManager.java` (github.com/ronaldo1018/nexus5framework, commit 45b10cf), which the
/// alarm service of the Nexus 5 in the study of SIMTY uses.
@frozen
public struct WakeHardware: OptionSet, Hashable, Sendable, BitwiseCopyable {
    /// One bit per part.
    public var rawValue: UInt8

    /// Creates a set from its bits.
    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The radio of the network in use.
    @inlinable public static var network: WakeHardware { WakeHardware(rawValue: 1) }
    static var vibrator: WakeHardware { WakeHardware(rawValue: 2) }
    static var speaker: WakeHardware { WakeHardware(rawValue: 4) }
    static var screen: WakeHardware { WakeHardware(rawValue: 8) }
    static var location: WakeHardware { WakeHardware(rawValue: 16) }
    static var gps: WakeHardware { WakeHardware(rawValue: 32) }
    static var accelerometer: WakeHardware { WakeHardware(rawValue: 64) }

    /// Whether the user notices the work because it vibrates, sounds or lights the screen (`isPerceivable` in
    /// `MultiResourceManager.java`).
    public var isPerceptible: Bool { !isDisjoint(with: [.vibrator, .speaker, .screen]) }

    /// Number of parts.
    @inlinable public static var count: Int { 7 }

    /// Whether the set contains the part with this number, counted from 0.
    @inlinable
    public func contains(part: Int) -> Bool { rawValue >> UInt8(part) & 1 != 0 }
}

/// Each part as a switch, for files.
extension WakeHardware {
    /// The radio of the network in use.
    public var usesNetwork: Bool {
        get { contains(.network) }
        set { set(.network, newValue) }
    }
    /// The vibrator.
    public var vibrates: Bool {
        get { contains(.vibrator) }
        set { set(.vibrator, newValue) }
    }
    /// The loudspeaker.
    public var sounds: Bool {
        get { contains(.speaker) }
        set { set(.speaker, newValue) }
    }
    /// The display, switched on for a notification.
    public var lightsScreen: Bool {
        get { contains(.screen) }
        set { set(.screen, newValue) }
    }
    /// A position from networks within reach.
    public var locates: Bool {
        get { contains(.location) }
        set { set(.location, newValue) }
    }
    /// A position from satellites.
    public var usesGPS: Bool {
        get { contains(.gps) }
        set { set(.gps, newValue) }
    }
    /// The accelerometer.
    public var sensesMotion: Bool {
        get { contains(.accelerometer) }
        set { set(.accelerometer, newValue) }
    }

    private mutating func set(_ part: WakeHardware, _ isUsed: Bool) {
        if isUsed { formUnion(part) } else { subtract(part) }
    }
}
