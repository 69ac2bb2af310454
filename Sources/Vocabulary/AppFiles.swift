// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// What an app keeps on the phone's storage, and how it grows with use.
///
/// Sizes of today's apps are published for few: where no source stands, the figure is an assumption.
public struct AppFiles: Sendable {
    /// Size of the app itself, which an update replaces; 1.9 GB for the ten most installed (Sensor Tower 2017).
    public var bundle = ByteCount(190_000_000)
    /// `Documents` and `Application Support` at the start of a run: kept, whatever happens; assumption.
    public var documents = ByteCount(20_000_000)
    /// By how much they grow in an hour on screen; what a visit adds is saved when it ends; assumption.
    public var documentsPerHour = ByteCount(2_000_000)
    /// `Library/Caches` at the start of a run: the system may purge it; assumption.
    public var caches = ByteCount(100_000_000)
    /// What an hour on screen writes to it; assumption: half a megabyte a minute.
    ///
    /// A social app was traced at 1.2 GB in two hours (Liang et al., "Differentiating Cache Files for Fine-grain
    /// Management to Improve Mobile Performance and Lifetime").
    public var cachesPerHour = ByteCount(30_000_000)
    /// The size at which the app itself drops the oldest of its caches; none when zero; assumption.
    public var cachesLimit = ByteCount(500_000_000)
    /// What an hour on screen leaves in `tmp`; assumption.
    public var temporaryPerHour = ByteCount(5_000_000)
    /// New versions of the app in 30 days; assumption.
    public var updatesPerMonth = 2.0

    /// Creates the files of an ordinary app.
    public init() {}
}

extension AppFiles {
    /// The keys in `files`, with what is allowed.
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
