// SPDX-License-Identifier: GPL-3.0-or-later

/// A part of what happens to a phone, which a recording may hold or lack.
public enum WorkloadPart: String, Sendable, CaseIterable {
    /// When the screen goes on and off.
    case sessions
    /// Which apps are opened.
    case apps
    /// Calls and the like.
    case interruptions
    /// Apps swiped away.
    case forceQuits = "force-quits"
    /// Plugging in and out.
    case charging
    /// Wi-Fi and cellular.
    case network
    /// Pushes, or the notifications they caused.
    case pushes
    /// New content at the apps' servers.
    case content
    /// The phone switched off and on again.
    case restarts
    /// Pushes that show nothing; without any they are drawn, as they come with what the app declares.
    case silentPushes = "silent-pushes"
    /// Apps installed, and new versions of them.
    case installs

    /// Whether what happens now and then may be missing from a recording without a word.
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
