// SPDX-License-Identifier: GPL-3.0-or-later

/// A part of the events of a phone, which a recording may have or lack.
public enum WorkloadPart: String, Sendable, CaseIterable {
    /// The screen goes on and off.
    case sessions
    /// Opens of apps.
    case apps
    /// Calls and the like.
    case interruptions
    /// Apps swiped away.
    case forceQuits = "force-quits"
    /// Plugging in and unplugging.
    case charging
    /// Wi-Fi and cellular.
    case network
    /// Pushes, or the notifications they caused.
    case pushes
    /// New content at the apps' servers.
    case content
    /// The phone switched off and on again.
    case restarts
    /// Pushes that show nothing; if none are recorded, they are drawn from the app's declared rate.
    case silentPushes = "silent-pushes"
    /// Apps installed, and new versions of them.
    case installs

    /// Whether a recording may lack these occasional events without a message.
    package var isRare: Bool { self == .restarts || self == .silentPushes || self == .installs }

    /// Whether a row of a workload file belongs to this part.
    package func includes(_ kind: WorkloadEventKind) -> Bool {
        switch kind {
        case .unlock, .lock: self == .sessions
        case .open, .switch: self == .sessions || self == .apps
        case .home, .lowPowerMode: false
        case .interrupt: self == .interruptions
        case .forceQuit: self == .forceQuits
        case .plug, .unplug, .topUp: self == .charging
        case .network, .signal, .location: self == .network
        case .restart: self == .restarts
        case .push, .notification: self == .pushes
        case .content: self == .content
        case .silentPush: self == .silentPushes
        case .install, .update: self == .installs
        }
    }
}
