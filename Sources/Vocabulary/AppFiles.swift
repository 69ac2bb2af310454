// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Files of an app on the phone's storage, and their growth with use.
///
/// Few sizes of today's apps are published. A figure without a source is an assumption.
public struct AppFiles: Sendable {
    /// Size of the app itself, which an update replaces; the ten most installed have 1.9 GB together (Sensor Tower
    /// 2017).
    public var bundle = ByteCount(190_000_000)
    /// Size of `Documents` and `Application Support` at the start of a run; never purged; assumption.
    public var documents = ByteCount(20_000_000)
    /// Growth of the documents in an hour on screen, saved at the end of each visit; assumption.
    public var documentsPerHour = ByteCount(2_000_000)
    /// Size of `Library/Caches` at the start of a run; the system may purge it; assumption.
    public var caches = ByteCount(100_000_000)
    /// Bytes written to the caches in an hour on screen; assumption: half a megabyte a minute.
    ///
    /// A trace of a social app found 1.2 GB in two hours. Source: Liang et al., "Differentiating Cache Files for
    /// Fine-grain Management to Improve Mobile Performance and Lifetime".
    public var cachesPerHour = ByteCount(30_000_000)
    /// Size above which the app itself deletes its oldest caches; zero for no limit; assumption.
    public var cachesLimit = ByteCount(500_000_000)
    /// Bytes that an hour on screen leaves in `tmp`; assumption.
    public var temporaryPerHour = ByteCount(5_000_000)
    /// New versions of the app in 30 days; assumption.
    public var updatesPerMonth = 2.0

    /// Creates the files of an ordinary app.
    public init() {}
}

extension AppFiles {
    /// The keys in `files`, with their allowed values.
    public static let keys: [FileKey<AppFiles>] = [
        .bytes(\.bundle, "bundle"),
        .bytes(\.documents, "documents"),
        .bytes(\.documentsPerHour, "documents_per_hour"),
        .bytes(\.caches, "caches"),
        .bytes(\.cachesPerHour, "caches_per_hour"),
        .bytes(\.cachesLimit, "caches_limit"),
        .bytes(\.temporaryPerHour, "temporary_per_hour"),
        .number(\.updatesPerMonth, "updates_per_month", 0...30, example: "2"),
    ]
}
