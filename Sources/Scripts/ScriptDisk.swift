// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// The folders of an app, as scenarios name them.
public enum ScriptFolder: String, Sendable, CaseIterable {
    case documents, caches, tmp
}

/// What the user's files and the system's night do to the storage of a scenario.
public enum ScriptDiskAction: Sendable, Equatable {
    /// Photos and films grow by so much, as far as there is room.
    case photos(ByteCount)
    /// The system empties `tmp` of apps without a process.
    case night
}

/// What must be true of the storage, or of the files of one app.
public enum ScriptDiskCheck: Sendable, Equatable {
    case free(ByteCount), purged([ScriptPurge])
    case caches(ByteCount), temporary(ByteCount), missing(ByteCount), rebuilds(Bool), isInstalled(Bool)
}

/// What the system took, in order, since a scenario last named that.
public struct ScriptPurge: Sendable, Equatable {
    /// What can be taken: an app's caches, what it left in `tmp`, or the app itself.
    public enum Part: String, Sendable, CaseIterable {
        case caches, tmp, app
    }

    /// Whose.
    public var process: Int
    /// What.
    public var part: Part
    /// How much.
    public var size: ByteCount
}
