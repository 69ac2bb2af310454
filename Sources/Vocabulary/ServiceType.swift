// SPDX-License-Identifier: GPL-3.0-or-later

/// Android's type of work that the user began and that continues after the user leaves the app.
///
/// The types are those of foreground services, and user-initiated jobs. Source: developer.android.com, "Foreground
/// service types", "Foreground service timeouts", "User-initiated data transfer jobs".
public enum ServiceType: String, Sendable, CaseIterable, BitwiseCopyable {
    /// The two types with a limit of 6 h a day each, from Android 15 on.
    case dataSync = "data-sync"
    case mediaProcessing = "media-processing"
    /// Limited to three minutes from its start, from Android 14 on.
    case shortService = "short-service"
    /// A user-initiated data transfer job, from Android 14 on; it is not a service and lacks the time limit of
    /// services.
    case userJob = "user-job"
    /// The types without a time limit.
    case camera, health, location, microphone
    case connectedDevice = "connected-device"
    case mediaPlayback = "media-playback"
    case mediaProjection = "media-projection"
    case phoneCall = "phone-call"
    case remoteMessaging = "remote-messaging"
    case specialUse = "special-use"
    case systemExempted = "system-exempted"

    /// Whether the time limit applies to the total time of a day instead of each start.
    public var sharesDay: Bool { self == .dataSync || self == .mediaProcessing }
}
