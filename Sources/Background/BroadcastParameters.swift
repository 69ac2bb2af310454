// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Limits of Android for broadcasts (AOSP `BroadcastConstants.java`, Android 14 and later).
public struct BroadcastParameters: Sendable {
    /// Whether apps get broadcasts: iOS has none.
    public var areSent = false
    /// Time that a broadcast waits for others of its kind (`DELAY_NORMAL_MILLIS`).
    public var delay = SimDuration.milliseconds(500)
    /// Additional wait if the app is cached and registered for the broadcast in its manifest (`DELAY_CACHED_MILLIS`).
    public var cachedDelay = SimDuration.seconds(120)
    /// Time that a receiver in the background may run (`BROADCAST_BG_TIMEOUT` of `ActivityManagerService.java`).
    public var runtime = SimDuration.minute

    /// Creates the figures of a phone without broadcasts.
    public init() {}

    /// The keys of the figures in files, with the values allowed.
    public static let keys: [FileKey<BroadcastParameters>] = [
        .flag(\.areSent, "sent"),
        .time(\.delay, "delay", 0...3600),
        .time(\.cachedDelay, "cached_delay"),
        .time(\.runtime, "runtime", 0.001...3600),
    ]
}
