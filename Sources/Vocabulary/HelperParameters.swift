// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// The figures of a process that runs when an app or the user needs it: an extension, a service, a child.
public struct HelperParameters: Sendable {
    /// Share of the opens of apps in which the user has it started.
    public var openShare = 0.0
    /// How often it is needed in a day besides, whatever the user does.
    public var perDay = 0.0
    /// Median of its memory while it works.
    public var memory = ByteCount.zero
    /// Standard deviation of ln(memory) between its starts.
    public var sigma = 0.0
    /// Memory above which it dies at once; none when zero, that of the system for its kind when not stated.
    public var limit: ByteCount?
    /// How long it works.
    public var time = SimDuration.seconds(20)
    /// How many processors it keeps busy meanwhile.
    public var load = 0.3
    /// How long it stays afterwards, idle, until it ends of itself.
    public var stays = SimDuration.zero
    /// Bytes that it reads from storage when it starts.
    public var files = ByteCount.mebibytes(20)
    /// How many alike there are of it.
    public var count = 1
    /// Whether its app ends when it ends, as an Android app does that reads from a content provider in it
    /// (`ApplicationExitInfo.REASON_DEPENDENCY_DIED`).
    public var endsApp = false

    /// Creates a helper that is never needed.
    public init() {}
}

extension HelperParameters {
    /// The keys of one helper, with what is allowed.
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
