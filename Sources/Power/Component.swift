// SPDX-License-Identifier: GPL-3.0-or-later

/// A part of the phone that draws power; every joule is booked to one component.
///
/// Each radio has its own component, the `component` of its `Interface`.
@frozen
public struct Component: Hashable, Sendable, CaseIterable, BitwiseCopyable {
    /// Index among all components.
    public let rawValue: UInt8

    @inlinable
    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Suspend floor, memory refresh, and the power of being awake without the cores.
    @inlinable public static var platform: Component { Component(rawValue: 0) }
    /// The cores of the processor.
    @inlinable public static var processor: Component { Component(rawValue: 1) }
    /// The display.
    @inlinable public static var display: Component { Component(rawValue: 2) }
    /// The radio of Wi-Fi.
    @inlinable public static var wifi: Component { Interface.wifi.component }
    /// The modem.
    @inlinable public static var cellular: Component { Interface.cellular.component }
    /// Flash memory.
    @inlinable public static var storage: Component { Component(rawValue: 5) }
    /// Motion, light, microphone.
    @inlinable public static var sensors: Component { Component(rawValue: 6) }
    /// Parts that have no separate component (torch).
    @inlinable public static var other: Component { Component(rawValue: 7) }
    /// Graphics processor.
    @inlinable public static var graphics: Component { Component(rawValue: 8) }
    /// Traffic of the main memory; its refresh is part of the platform.
    @inlinable public static var memory: Component { Component(rawValue: 9) }
    /// Codec, amplifier, and playback while the phone sleeps.
    @inlinable public static var audio: Component { Component(rawValue: 10) }
    /// Decoding and encoding of films.
    @inlinable public static var video: Component { Component(rawValue: 11) }
    /// The camera.
    @inlinable public static var camera: Component { Component(rawValue: 12) }
    /// The location receiver.
    @inlinable public static var location: Component { Component(rawValue: 13) }
    /// Bluetooth.
    @inlinable public static var bluetooth: Component { Component(rawValue: 14) }

    private static let others: [(component: Component, name: String)] = [
        (.platform, "platform"), (.processor, "processor"), (.display, "display"), (.storage, "storage"),
        (.sensors, "sensors"), (.other, "other"), (.graphics, "graphics"), (.memory, "memory"), (.audio, "audio"),
        (.video, "video"), (.camera, "camera"), (.location, "location"), (.bluetooth, "bluetooth"),
    ]

    /// The names in the order of the components.
    private static let names: [String] = {
        let all = others + Interface.allCases.map { ($0.component, $0.name) }
        return all.sorted { $0.component.rawValue < $1.component.rawValue }.map(\.name)
    }()

    /// All components, by index.
    public static let allCases: [Component] = names.indices.map { Component(rawValue: UInt8($0)) }

    /// The name written into tables.
    public var name: String { Self.names[Int(rawValue)] }
}

/// What a joule was spent for.
public enum Cause: UInt8, Sendable, CaseIterable, BitwiseCopyable {
    /// The user looks at the app.
    case foreground
    /// Launching an app that had no process.
    case relaunch
    /// Refresh and processing tasks, task assertions.
    case backgroundTask
    /// Receiving and handling a push.
    case push
    /// A background transfer that the system makes for an app.
    case transfer
    /// Music or navigation after its app was left.
    case playback
    /// Keeping a connection to a server open.
    case connection
    /// A radio waiting in a state of high power after the last byte.
    case tail
    /// No app and no work: suspend floor, paging, standby of an interface.
    case idle

    /// The name written into tables.
    public var name: String {
        switch self {
        case .foreground: "foreground"
        case .relaunch: "relaunch"
        case .backgroundTask: "background_task"
        case .push: "push"
        case .transfer: "transfer"
        case .playback: "playback"
        case .connection: "connection"
        case .tail: "tail"
        case .idle: "idle"
        }
    }

    /// Whether a joule counts as foreground, as background or to no app; a tail has the scope of the traffic before it.
    @inline(__always)
    public var scope: Scope {
        switch self {
        case .foreground, .relaunch: .foreground
        case .backgroundTask, .push, .transfer, .playback, .connection, .tail: .background
        case .idle: .idle
        }
    }
}

/// The side of an app's account to which a joule is booked.
public enum Scope: UInt8, Sendable, CaseIterable, BitwiseCopyable {
    case foreground, background, idle
}
