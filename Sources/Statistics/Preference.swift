// SPDX-License-Identifier: GPL-3.0-or-later

/// Direction in which a metric improves.
public enum Preference: Sendable, Equatable {
    /// Less is better, as with energy.
    case lower
    /// More is better, as with resumes.
    case higher
    /// The metric only describes; neither direction is better.
    case neither
}
