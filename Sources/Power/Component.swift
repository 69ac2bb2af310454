// SPDX-License-Identifier: GPL-3.0-or-later

/// A part of the phone that draws power; every joule is booked to one of them.
public enum Component: UInt8, Sendable, CaseIterable, BitwiseCopyable {
    /// Suspend floor, memory refresh, and what being awake costs besides the cores.
    case platform
    case processor, display, wifi, cellular, storage
    /// Motion, light, microphone.
    case sensors
    /// Whatever has no component of its own (torch).
    case other
    /// Graphics processor.
    case graphics
    /// Traffic of the main memory; its refresh is part of the platform.
    case memory
    /// Codec, amplifier, and what plays while the phone sleeps.
    case audio
    /// Decoding and encoding of films.
    case video
    case camera, location, bluetooth

    /// The name written into tables.
    public var name: String {
        switch self {
        case .platform: "platform"
        case .processor: "processor"
        case .display: "display"
        case .wifi: "wifi"
        case .cellular: "cellular"
        case .storage: "storage"
        case .sensors: "sensors"
        case .other: "other"
        case .graphics: "graphics"
        case .memory: "memory"
        case .audio: "audio"
        case .video: "video"
        case .camera: "camera"
        case .location: "location"
        case .bluetooth: "bluetooth"
        }
    }
}

/// What a joule was spent for.
public enum Cause: UInt8, Sendable, CaseIterable, BitwiseCopyable {
    /// The user looks at the app.
    case foreground
    /// Bringing an app back that had no process.
    case relaunch
    /// Refresh and processing tasks, task assertions.
    case backgroundTask
    /// Receiving and handling a push.
    case push
    /// A background transfer made by the system for an app.
    case transfer
    /// Music or navigation after its app was left.
    case playback
    /// Keeping a connection to a server alive.
    case connection
    /// A radio waiting in a high state after the last byte.
    case tail
    /// Nobody in particular: suspend floor, paging, standby of an interface.
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

    /// Whether the joule counts as foreground, background or nobody's; a tail follows the traffic before it.
    @inline(__always)
    public var scope: Scope {
        switch self {
        case .foreground, .relaunch: .foreground
        case .backgroundTask, .push, .transfer, .playback, .connection, .tail: .background
        case .idle: .idle
        }
    }
}

/// On which side of an app's account a joule stands.
public enum Scope: UInt8, Sendable, CaseIterable, BitwiseCopyable {
    case foreground, background, idle
}
