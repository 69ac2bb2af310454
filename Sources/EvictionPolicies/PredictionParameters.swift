// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Parameters of a prediction from the user's own past, with their defaults.
public struct PredictionParameters: Sendable {
    /// Horizon of the prediction.
    public var horizon = SimDuration.hours(6)
    /// Half-life of an open's weight.
    public var halfLife = SimDuration.days(14)

    /// Creates the defaults.
    public init() {}
}

extension Parameter {
    /// The parameter for the horizon of a prediction.
    static func horizon(_ path: any WritableKeyPath<Settings, SimDuration> & Sendable) -> Parameter {
        Parameter(path, "horizon", .duration, 60...(7 * 86400), "horizon of the prediction; assumption")
    }

    /// The parameter for the half-life of an open in a prediction.
    static func halfLife(_ path: any WritableKeyPath<Settings, SimDuration> & Sendable) -> Parameter {
        Parameter(
            path, "half-life", .duration, 3600...(365 * 86400), "time after which an open counts half; assumption")
    }
}
