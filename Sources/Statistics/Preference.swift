// SPDX-License-Identifier: GPL-3.0-or-later

/// Which change of a metric its reader wishes for.
public enum Preference: Sendable, Equatable {
    /// Less is better, as with energy.
    case lower
    /// More is better, as with resumes.
    case higher
    /// The metric describes and does not judge.
    case neither
}
