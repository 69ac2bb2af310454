// SPDX-License-Identifier: GPL-3.0-or-later

/// Family of operating systems, for rules that do not depend on figures in files.
public enum SystemFamily: Sendable {
    /// Apple's iOS.
    case ios
    /// Google's Android, as in the Android Open Source Project.
    case android

    /// Name of a phone with this system.
    public var phone: String { self == .ios ? "iPhone" : "Android phone" }
}
