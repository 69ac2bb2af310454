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

    /// Whether a row of a workload file belongs to this part.
    package func includes(_ kind: WorkloadEventKind) -> Bool {
        switch kind {
        case .unlock, .lock: self == .sessions
        case .open, .switch: self == .sessions || self == .apps
        case .home, .lowPowerMode: false
        case .interrupt: self == .interruptions
        case .forceQuit: self == .forceQuits
        case .plug, .unplug, .topUp: self == .charging
        case .network: self == .network
        case .push, .notification: self == .pushes
        case .content: self == .content
        }
    }
}
