// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Android's limits for broadcasts (AOSP `BroadcastConstants.java`, Android 14 and later).
public struct BroadcastParameters: Sendable {
    /// Whether apps get broadcasts; on iOS they do not.
    public var areSent = false
    /// Time that a broadcast waits for others of its kind (`DELAY_NORMAL_MILLIS`).
    public var delay = SimDuration.milliseconds(500)
    /// Additional wait if the app is cached and registered for the broadcast in its manifest (`DELAY_CACHED_MILLIS`).
    public var cachedDelay = SimDuration.seconds(120)
    /// Time for which a receiver in the background may run (`BROADCAST_BG_TIMEOUT` of `ActivityManagerService.java`).
    public var runtime = SimDuration.minute

    /// Creates the figures of a phone without broadcasts.
    public init() {}

    /// The keys of these parameters in files, with their allowed values.
    public static let keys: [FileKey<BroadcastParameters>] = [
        .flag(\.areSent, "sent"),
        .time(\.delay, "delay", 0...3600),
        .time(\.cachedDelay, "cached_delay"),
        .time(\.runtime, "runtime", 0.001...3600),
    ]
}
