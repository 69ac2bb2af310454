// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Quantities
import Vocabulary

/// An event on the storage.
public enum DiskEvent: String, Sendable, CaseIterable {
    /// The start of the run, with its free space.
    case begin
    /// An app wrote files, or the user added photos.
    case write
    /// The save at the end of a visit failed for lack of space.
    case saveFailed
    /// A download, a refresh or a processing task failed for lack of space.
    case workFailed
    /// The system purged an app's caches, or its files in `tmp`.
    case purgeCaches, purgeTemporary
    /// The first visit after a purge fetched the needed part of the caches again.
    case fetchAgain
    /// A new version of an app was installed, or there was no space for it.
    case update, updatePutOff
    /// A long-unused app was removed, or it was installed again because the user wanted it.
    case offload, install
    /// An app that the user wants was installed, or there was no space for it.
    case bring, installRefused
    /// The size of the system's swap changed.
    case swap
}

/// One write, purge or failure on the storage.
public struct DiskRow: Sendable {
    /// Time of the event.
    public var time = SimTime.zero
    /// App that owns the files; `system` for the user's photos.
    public var app = AppID.system
    /// Kind of event.
    public var event = DiskEvent.write
    /// Bytes written, purged, fetched or removed; for a failure, the bytes not written; for swap, the growth.
    public var bytes = ByteCount.zero
    /// Free space after the event.
    public var free = ByteCount.zero

    /// Creates an empty row.
    public init() {}
}

extension DiskRow: TableRow {
    /// One row per write, purge and failure on the storage.
    public static let table = PhoneTables.table(
        "disk", "one row per write, purge and failure on the storage; none if the phone's model has no disk",
        time: "t_s", columns)

    private static let columns: [TableColumn<DiskRow>] = [
        .time("t_s", "time since the run's first midnight", \.time),
        .app("app", "app that owns the files; system for the user's photos", \.app),
        .text("event", DiskEvent.allCases.map(\.rawValue).joined(separator: ", ")) { $0.event.rawValue },
        .integer(
            "bytes", "B",
            "bytes written, purged, fetched again or removed, or bytes of a failed write; for swap: its growth, "
                + "negative when it shrank", \.bytes.bytes),
        .integer("free_bytes", "B", "free space after the event", \.free.bytes),
    ]
}

extension TableSet {
    /// One row per write, purge and failure on the storage.
    public static let disk = DiskRow.table.set
}
