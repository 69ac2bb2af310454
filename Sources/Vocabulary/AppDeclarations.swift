// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Declarations of an app in its `Info.plist`, and its registration of handlers at launch.
///
/// Requests without the declaration are refused (Apple, "Choosing Background Strategies for Your App";
/// `UIBackgroundModes`; `BGTaskSchedulerPermittedIdentifiers`). By default, an app has all declarations.
public struct AppDeclarations: Sendable, Equatable {
    /// The mode `fetch`, without which refresh requests are refused.
    public var fetch = true
    /// The mode `processing`, without which processing requests are refused.
    public var processing = true
    /// The mode `remote-notification`, without which a silent push does not launch the app.
    public var remoteNotification = true
    /// The mode `voip`, without which no VoIP push arrives.
    public var voip = true
    /// The mode `location`, without which movements do not launch the app.
    public var location = true
    /// The mode `audio`, without which playback ends when the user leaves the app.
    public var audio = true
    /// The mode `bluetooth-central`, without which accessories do not launch the app.
    public var bluetooth = true
    /// Whether the identifier of the app's refresh is among the permitted identifiers.
    public var refreshIdentifier = true
    /// Number of permitted identifiers for processing requests.
    ///
    /// The app's requests use them in turn, and a request replaces the pending one with the same identifier.
    public var processingIdentifiers = 1
    /// The entitlement to the graphics processor in the background, without which requests that need it are refused.
    public var backgroundGPU = true
    /// Whether the app registers its handlers after its launch has ended, which raises an exception.
    public var registersLate = false

    /// Creates the declarations of an app that declares everything.
    public init() {}

    /// Whether the app may submit refresh requests.
    public var mayRefresh: Bool { fetch && refreshIdentifier }
    /// Whether the app may submit processing requests.
    public var mayProcess: Bool { processing && processingIdentifiers > 0 }
}

extension AppDeclarations {
    /// The keys in `declares`, with their allowed values.
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
