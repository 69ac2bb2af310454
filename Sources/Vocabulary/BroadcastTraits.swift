// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// How an app registers for broadcasts on Android.
public enum BroadcastReceiver: String, Sendable, CaseIterable, BitwiseCopyable {
    /// In its manifest: a broadcast starts the app.
    case manifest
    /// At run time (`Context.registerReceiver`): an app without a process receives none.
    case context
}

/// Broadcasts of the system and of other apps to an app on Android; other systems have none.
public struct BroadcastTraits: Sendable, BitwiseCopyable {
    /// Number of broadcasts to the app per day; no source states this number.
    public var perDay = 0.0
    /// How the app has registered for broadcasts.
    public var receiver = BroadcastReceiver.context

    /// Creates the traits of an app that receives no broadcasts.
    public init() {}

    /// The keys in `broadcasts` of an app, with their allowed values.
    public static let keys: [FileKey<BroadcastTraits>] = [
        .number(\.perDay, "per_day", 0...1e5, example: "40"),
        .choice(\.receiver, "registered", "kind of receiver"),
    ]
}
