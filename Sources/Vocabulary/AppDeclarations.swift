// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// What an app declares in its `Info.plist`, and when it registers: what it asks for without the declaration is refused
/// (Apple, "Choosing Background Strategies for Your App"; `UIBackgroundModes`; `BGTaskSchedulerPermittedIdentifiers`).
///
/// A new app has declared all that it does.
public struct AppDeclarations: Sendable, Equatable {
    /// The mode `fetch`, without which a refresh may not be asked for.
    public var fetch = true
    /// The mode `processing`, without which no processing may be asked for.
    public var processing = true
    /// The mode `remote-notification`, without which a silent push launches nobody.
    public var remoteNotification = true
    /// The mode `voip`, without which no VoIP push arrives.
    public var voip = true
    /// The mode `location`, without which movements launch nobody.
    public var location = true
    /// The mode `audio`, without which playback ends when the app is left.
    public var audio = true
    /// The mode `bluetooth-central`, without which accessories launch nobody.
    public var bluetooth = true
    /// Whether the identifier of its refresh is permitted.
    public var refreshIdentifier = true
    /// How many identifiers of processing are permitted: its requests take them in turn, and one with an identifier
    /// that is pending replaces it.
    public var processingIdentifiers = 1
    /// The entitlement to use the graphics processor in the background, without which who asks for it is refused.
    public var backgroundGPU = true
    /// Whether it registers its handlers after its launch has ended, which is an exception.
    public var registersLate = false

    /// Creates the declarations of an app that forgets nothing.
    public init() {}

    /// Whether it may ask for refreshes.
    public var mayRefresh: Bool { fetch && refreshIdentifier }
    /// Whether it may ask for processing.
    public var mayProcess: Bool { processing && processingIdentifiers > 0 }
}

extension AppDeclarations {
    /// The keys in `declares`, with what is allowed.
    public static let keys: [FileKey<AppDeclarations>] = [
        .flag(\.fetch, "fetch"),
        .flag(\.processing, "processing"),
        .flag(\.remoteNotification, "remote_notification"),
        .flag(\.voip, "voip"),
        .flag(\.location, "location"),
        .flag(\.audio, "audio"),
        .flag(\.bluetooth, "bluetooth"),
        .flag(\.refreshIdentifier, "refresh_identifier"),
        .integer(\.processingIdentifiers, "processing_identifiers", 0...100, example: "1"),
        .flag(\.backgroundGPU, "background_gpu"),
        .flag(\.registersLate, "registers_late"),
    ]
}
