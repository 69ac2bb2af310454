// SPDX-License-Identifier: GPL-3.0-or-later
// Vocabulary contains the terms that the parts of the phone share: identifiers, states, device conditions, exit
// categories, and the two policy protocols with the read-only views that policies see.
// In: nothing. Out: small value types without behaviour. It depends on no mechanism and no file.
// A policy imports only this module and `Quantities`; `docs/write-a-policy.md` is a tutorial.
// Read first: `EvictionPolicy.swift` and `SchedulingPolicy.swift`.

import Structures

/// An app by its index in the run's table of apps; the same app has the same index under every policy.
@frozen
public struct AppID: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// Index in the table, from 0.
    public var index: Int32

    /// Creates an identifier from an index in the table.
    @inlinable @inline(__always)
    public init(_ index: Int) { self.index = Int32(truncatingIfNeeded: index) }

    /// The identifier of the system, which is not an app.
    @inlinable @inline(__always)
    public static var system: AppID { AppID(-1) }

    /// Orders by value.
    @inlinable @inline(__always)
    public static func < (left: AppID, right: AppID) -> Bool { left.index < right.index }
}

extension AppID: TableIndex {
    /// The index as an `Int`, for tables.
    @inlinable @inline(__always)
    public var tableIndex: Int { Int(index) }
}

/// A table with one value per app of a run.
public typealias AppTable<Value> = IndexedTable<AppID, Value>

/// A table with one value per app that grows as apps are added.
public typealias GrowingAppTable<Value> = GrowingTable<AppID, Value>

/// The life-cycle state of an app's process (Apple, "Managing your app's life cycle", UIKit documentation).
public enum ProcessState: UInt8, Sendable, CaseIterable, BitwiseCopyable {
    /// The app has no process.
    case notRunning
    /// In the foreground, but not receiving events (during launch, an interruption, a switch).
    case inactive
    /// In the foreground, receiving events.
    case active
    /// Executing without being visible.
    case background
    /// In memory, executing nothing.
    case suspended
    /// Started up to `main` before the user opens the app, executing nothing (Apple, "About the app launch sequence").
    case prewarmed

    /// Whether the process can use the processor in this state.
    @inlinable
    public var executes: Bool { self == .inactive || self == .active || self == .background }
    /// Whether the user sees the app in this state.
    @inlinable
    public var isForeground: Bool { self == .inactive || self == .active }
}

/// How much of a launch was needed when the user opened an app.
public enum LaunchKind: UInt8, Sendable, CaseIterable, BitwiseCopyable {
    /// The process exists.
    case resume
    /// No process exists, but the app's file pages are still cached.
    case warm
    /// Neither process nor cached pages exist.
    case cold
}

/// How a process ended: the MetricKit categories (ten in the background, six in the foreground).
public enum ExitCategory: UInt8, Sendable, CaseIterable, BitwiseCopyable {
    case normal, abnormal, watchdog
    case cpuLimit
    case memoryLimit, memoryPressure
    case lockedFile
    case taskTimeout
    case badAccess, illegalInstruction

    /// Name of the category in metrics and tables.
    public var name: String {
        switch self {
        case .normal: "normal"
        case .abnormal: "abnormal"
        case .watchdog: "watchdog"
        case .cpuLimit: "cpu_limit"
        case .memoryLimit: "memory_limit"
        case .memoryPressure: "memory_pressure"
        case .lockedFile: "locked_file"
        case .taskTimeout: "task_timeout"
        case .badAccess: "bad_access"
        case .illegalInstruction: "illegal_instruction"
        }
    }

    /// Whether the category exists for an app that the user sees.
    public var existsInForeground: Bool {
        switch self {
        case .normal, .abnormal, .watchdog, .memoryLimit, .badAccess, .illegalInstruction: true
        case .cpuLimit, .memoryPressure, .lockedFile, .taskTimeout: false
        }
    }
}

/// Level of memory pressure in notifications to apps.
///
/// Source: `bsd/kern/kern_memorystatus_notify.c` and `doc/vm/memorystatus_notify.md` of Apple's published kernel.
public enum PressureLevel: UInt8, Sendable, Comparable, BitwiseCopyable {
    case normal, warning, critical

    /// Orders by value.
    @inlinable
    public static func < (left: PressureLevel, right: PressureLevel) -> Bool { left.rawValue < right.rawValue }
}
