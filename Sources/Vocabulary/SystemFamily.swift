// SPDX-License-Identifier: GPL-3.0-or-later

/// Whose system a phone has: which rules hold where no figure of a file says it.
public enum SystemFamily: Sendable {
    /// Apple's.
    case ios
    /// Google's, as the Android Open Source Project has it.
    case android

    /// What such a phone is called.
    public var phone: String { self == .ios ? "iPhone" : "Android phone" }
}
