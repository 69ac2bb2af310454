// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// What can be set of a prediction from the user's own past, with its defaults.
public struct PredictionParameters: Sendable {
    /// How far ahead it looks.
    public var horizon = SimDuration.hours(6)
    /// After which time an open counts half.
    public var halfLife = SimDuration.days(14)

    /// Creates the defaults.
    public init() {}
}

extension Parameter {
    /// How far ahead a prediction looks.
    static func horizon(_ path: any WritableKeyPath<Settings, SimDuration> & Sendable) -> Parameter {
        Parameter(path, "horizon", .duration, 60...(7 * 86400), "how far ahead the prediction looks; assumption")
    }

    /// How fast a prediction forgets.
    static func halfLife(_ path: any WritableKeyPath<Settings, SimDuration> & Sendable) -> Parameter {
        Parameter(
            path, "half-life", .duration, 3600...(365 * 86400), "after which time an open counts half; assumption")
    }
}
