// SPDX-License-Identifier: GPL-3.0-or-later
import Vocabulary

// Names in tables for values that have no names of their own.

extension ProcessState {
    /// Name of the state in tables.
    public var tableName: String {
        switch self {
        case .notRunning: "not_running"
        case .inactive: "inactive"
        case .active: "active"
        case .background: "background"
        case .suspended: "suspended"
        case .prewarmed: "prewarmed"
        }
    }
}

extension LaunchKind {
    /// Name of the kind in tables.
    public var tableName: String {
        switch self {
        case .resume: "resume"
        case .warm: "warm"
        case .cold: "cold"
        }
    }
}

extension RequestKind {
    /// Name of the kind in tables.
    var tableName: String {
        switch self {
        case .refresh: "refresh"
        case .processing: "processing"
        }
    }
}
