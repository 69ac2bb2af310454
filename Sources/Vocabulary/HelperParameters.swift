// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Figures of a process that runs when an app or the user needs it: an extension, a service, a child.
public struct HelperParameters: Sendable {
    /// Share of opens, of any app, in which the user also starts this process.
    public var openShare = 0.0
    /// Number of further uses per day, independent of the user.
    public var perDay = 0.0
    /// Median memory of the process while it works.
    public var memory = ByteCount.zero
    /// Standard deviation of ln(memory) between starts of the process.
    public var sigma = 0.0
    /// Memory above which the process is killed at once; zero for no limit, nil for the system's limit of its kind.
    public var limit: ByteCount?
    /// Time for which the process works.
    public var time = SimDuration.seconds(20)
    /// Number of processors that the process keeps busy while it works.
    public var load = 0.3
    /// Time for which the process stays idle between its work and its end.
    public var stays = SimDuration.zero
    /// Bytes that the process reads from storage when it starts.
    public var files = ByteCount.mebibytes(20)
    /// Number of equal processes.
    public var count = 1
    /// Whether the app ends with the process, like an Android app that uses a content provider of the process
    /// (`ApplicationExitInfo.REASON_DEPENDENCY_DIED`).
    public var endsApp = false

    /// Creates a helper that is never needed.
    public init() {}
}

extension HelperParameters {
    /// The keys of a helper, with the allowed values.
    public static let keys: [FileKey<HelperParameters>] = [
        .share(\.openShare, "open_share"),
        .number(\.perDay, "per_day", 0...1e5, example: "20"),
        .bytes(\.memory, "memory"),
        .number(\.sigma, "sigma", 0...3, example: "0.5"),
        .bytes(\.limit, "limit"),
        .time(\.time, "time", 0.1...86400),
        .number(\.load, "load", 0...16, example: "0.3"),
        .time(\.stays, "stays", 0...86400),
        .bytes(\.files, "files"),
    ]
}
