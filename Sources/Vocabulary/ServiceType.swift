// SPDX-License-Identifier: GPL-3.0-or-later

/// Android's type of work that the user began and that goes on after they leave the app.
///
/// The type is that of a foreground service, or a job that the user started. Source: developer.android.com, "Foreground
/// service types", "Foreground service timeouts", "User-initiated data transfer jobs".
public enum ServiceType: String, Sendable, CaseIterable, BitwiseCopyable {
    /// The two types with a limit of 6 h a day each, from Android 15 on.
    case dataSync = "data-sync"
    case mediaProcessing = "media-processing"
    /// Limited to three minutes from its start, from Android 14 on.
    case shortService = "short-service"
    /// A user-initiated data transfer job, from Android 14 on: not a service, and without the time limit of one.
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

    /// Whether the limit is for the sum of a day instead of one start.
    public var sharesDay: Bool { self == .dataSync || self == .mediaProcessing }
}
