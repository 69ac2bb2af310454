// SPDX-License-Identifier: GPL-3.0-or-later

/// What Android takes work for that the user began and that goes on when they leave: the type of a foreground service,
/// or a job that the user started.
///
/// Source: developer.android.com, "Foreground service types", "Foreground service timeouts", "User-initiated data
/// transfer jobs".
public enum ServiceType: String, Sendable, CaseIterable, BitwiseCopyable {
    /// The two that share out 6 h of a day each from Android 15 on.
    case dataSync = "data-sync"
    case mediaProcessing = "media-processing"
    /// Three minutes from its start, from Android 14 on.
    case shortService = "short-service"
    /// A user-initiated data transfer job, from Android 14 on: no service, and no time of one.
    case userJob = "user-job"
    /// Those that no clock ends.
    case camera, health, location, microphone
    case connectedDevice = "connected-device"
    case mediaPlayback = "media-playback"
    case mediaProjection = "media-projection"
    case phoneCall = "phone-call"
    case remoteMessaging = "remote-messaging"
    case specialUse = "special-use"
    case systemExempted = "system-exempted"

    /// Whether the time of a day counts, and not that of one start.
    public var sharesDay: Bool { self == .dataSync || self == .mediaProcessing }
}
