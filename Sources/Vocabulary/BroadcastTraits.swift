// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// How an app has asked for broadcasts on Android.
public enum BroadcastReceiver: String, Sendable, CaseIterable, BitwiseCopyable {
    /// In its manifest: a broadcast starts it.
    case manifest
    /// While it runs (`Context.registerReceiver`): without a process it gets none.
    case context
}

/// The broadcasts of the system and of other apps that an app gets on Android; other systems have nothing of the kind.
public struct BroadcastTraits: Sendable, BitwiseCopyable {
    /// How many are sent to it per day; nobody has published how many an app gets.
    public var perDay = 0.0
    /// How it has asked for them.
    public var receiver = BroadcastReceiver.context

    /// Creates the traits of an app that gets none.
    public init() {}

    /// The keys in `broadcasts` of an app, with what is allowed.
    public static let keys: [FileKey<BroadcastTraits>] = [
        .number(\.perDay, "per_day", 0...1e5, example: "40"),
        .choice(\.receiver, "registered", "kind of receiver"),
    ]
}
