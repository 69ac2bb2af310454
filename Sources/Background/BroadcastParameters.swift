// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// What Android fixes about broadcasts (AOSP `BroadcastConstants.java`, Android 14 and later).
public struct BroadcastParameters: Sendable {
    /// Whether apps get any: iOS has none.
    public var areSent = false
    /// How long one waits for others of its kind (`DELAY_NORMAL_MILLIS`).
    public var delay = SimDuration.milliseconds(500)
    /// How much longer one waits whose app is cached and has asked for it in its manifest (`DELAY_CACHED_MILLIS`).
    public var cachedDelay = SimDuration.seconds(120)
    /// Time a receiver in the background may run (`BROADCAST_BG_TIMEOUT` of `ActivityManagerService.java`).
    public var runtime = SimDuration.minute

    /// Creates the figures of a phone without broadcasts.
    public init() {}

    /// The keys of the figures in files, with what is allowed.
    public static let keys: [FileKey<BroadcastParameters>] = [
        .flag(\.areSent, "sent"),
        .time(\.delay, "delay", 0...3600),
        .time(\.cachedDelay, "cached_delay"),
        .time(\.runtime, "runtime", 0.001...3600),
    ]
}
