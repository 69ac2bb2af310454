// SPDX-License-Identifier: GPL-3.0-or-later

/// Family of operating systems of a phone, for rules that no figure of a file decides.
public enum SystemFamily: Sendable {
    /// Apple's iOS.
    case ios
    /// Google's Android, as in the Android Open Source Project.
    case android

    /// Name of such a phone.
    public var phone: String { self == .ios ? "iPhone" : "Android phone" }
}
