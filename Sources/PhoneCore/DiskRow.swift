// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Quantities
import Vocabulary

/// What happened on the storage.
public enum DiskEvent: String, Sendable, CaseIterable {
    /// What was free when the run began.
    case begin
    /// Files written by an app, or photos of the user.
    case write
    /// The save at the end of a visit failed for want of room.
    case saveFailed
    /// A download, a refresh or a processing task failed for want of room.
    case workFailed
    /// The system took an app's caches, or what it left in `tmp`.
    case purgeCaches, purgeTemporary
    /// The first visit after a purge fetched what it needs of the caches.
    case fetchAgain
    /// A new version of an app was installed, or found no room.
    case update, updatePutOff
    /// An app that was not used for long was removed, or came back because the user wanted it.
    case offload, install
    /// An app that its user installs took its room, or found none.
    case bring, installRefused
    /// Memory that the system wrote out uses more, or less.
    case swap
}

/// One write, purge or failure on the storage.
public struct DiskRow: Sendable {
    /// When.
    public var time = SimTime.zero
    /// Whose files; `system` for the user's photos.
    public var app = AppID.system
    /// What.
    public var event = DiskEvent.write
    /// How much was written, purged, fetched or removed; what was to be written for failures; by how much swap grew.
    public var bytes = ByteCount.zero
    /// What is free from now on.
    public var free = ByteCount.zero

    /// Creates an empty row.
    public init() {}
}

extension DiskRow: TableRow {
    /// One row per write, purge and failure on the storage.
    public static let table = PhoneTables.table(
        "disk", "one row per write, purge and failure on the storage, where the phone has it in its model",
        time: "t_s", columns)

    private static let columns: [TableColumn<DiskRow>] = [
        .time("t_s", "time since the run's first midnight", \.time),
        .app("app", "whose files; system for the user's photos", \.app),
        .text("event", DiskEvent.allCases.map(\.rawValue).joined(separator: ", ")) { $0.event.rawValue },
        .integer(
            "bytes", "B",
            "how much was written, purged, fetched again or removed, or was to be written; by how much swap grew, "
                + "negative when it shrank", \.bytes.bytes),
        .integer("free_bytes", "B", "free from now on", \.free.bytes),
    ]
}

extension TableSet {
    /// One row per write, purge and failure on the storage.
    public static let disk = DiskRow.table.set
}
