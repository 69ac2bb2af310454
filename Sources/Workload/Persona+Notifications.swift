// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

extension Persona {
    /// Notifications and the user's answers to them (models/recordings.md, sections 2.4 and 5.5).
    ///
    /// Without these habits, notifications come at random and do not cause opens.
    public struct Notifications: Sendable {
        /// Share of the notifications that come to apps in use, such as replies and others that follow a visit.
        public var inUseShare = 0.0
        /// Time from the beginning of a visit to a notification that follows it.
        public var replyDelay = LogNormal(mu: 0, sigma: 0)
        /// Share of notifications that are followed by another notification of the app within five seconds.
        public var burstShare = 0.0
        /// Share of notifications that are followed by another notification of the app some time later.
        public var followShare = 0.0
        /// Time until that later notification comes.
        public var followDelay = LogNormal(mu: 0, sigma: 0)
        /// Standard deviation of the logarithm of a day's factor, in addition to the factor of activity; it multiplies
        /// the notifications that are independent of use.
        public var daySigma = 0.0
        /// Zipf exponent over the apps that notify.
        public var zipf = 0.0
        /// How much the order of the apps that notify follows their use.
        ///
        /// With 0, the order does not follow use. With 1, it follows the inverse of the rank in use. Below 0, the least
        /// used apps come first, as with the system's own apps.
        public var favourites = 0.0
        /// Share of the apps that the user has muted.
        public var mutedShare = 0.0
        /// Share of notifications that the user intends to answer.
        public var answerShare = 0.0
        /// Time until the user answers.
        public var answerDelay = LogNormal(mu: 0, sigma: 0)
        /// Time after which an unanswered notification is forgotten.
        public var forgetting = SimDuration.hours(1)

        /// Creates habits without clusters or answers.
        public init() {}
    }
}

extension Persona.Notifications {
    /// The keys of these values in files, with their allowed ranges.
    public static let keys: [FileKey<Persona.Notifications>] = [
        .share(\.inUseShare, "in_use_share"), .spread(\.replyDelay, "reply_delay"),
        .quantity(\.burstShare, "burst_share", .fraction, 0...0.45),
        .quantity(\.followShare, "follow_share", .fraction, 0...0.45), .spread(\.followDelay, "follow_delay"),
        .number(\.daySigma, "day_sigma", 0...3, example: "0.2"),
        .number(\.zipf, "zipf", 0...10, example: "1.4"),
        .number(\.favourites, "favourites", -3...3, example: "0.5"),
        .share(\.mutedShare, "muted_share"),
        .share(\.answerShare, "answer_share"), .spread(\.answerDelay, "answer_delay"),
        .time(\.forgetting, "forgetting", 0...864_000),
    ]
}
