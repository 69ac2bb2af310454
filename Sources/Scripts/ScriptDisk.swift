// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// The folders of an app, as scenarios name them.
public enum ScriptFolder: String, Sendable, CaseIterable {
    case documents, caches, tmp
}

/// Changes of a scenario's storage, made by the user's files or by the system at night.
public enum ScriptDiskAction: Sendable, Equatable {
    /// Photos and films grow by this size, as far as there is space.
    case photos(ByteCount)
    /// The system empties `tmp` of apps without a process.
    case night
}

/// Expectations about the storage, or about the files of one app.
public enum ScriptDiskCheck: Sendable, Equatable {
    case free(ByteCount), purged([ScriptPurge])
    case caches(ByteCount), temporary(ByteCount), missing(ByteCount), rebuilds(Bool), isInstalled(Bool)
}

/// Data that the system removed since the last expectation about removals.
public struct ScriptPurge: Sendable, Equatable {
    /// Removable parts: an app's caches, its files in `tmp`, or the app itself.
    public enum Part: String, Sendable, CaseIterable {
        case caches, tmp, app
    }

    /// Index of the process.
    public var process: Int
    /// Removed part.
    public var part: Part
    /// Removed size.
    public var size: ByteCount
}
