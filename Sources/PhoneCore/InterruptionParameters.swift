// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Calls, alarms and assistants that interrupt the user.
///
/// The rate of telephone calls is that of the United States; other countries have a third of this rate.
public struct InterruptionParameters: Sendable {
    /// Incoming telephone calls per day; 114 a month (Hiya, State of the Phone Call 2018).
    public var callsPerDay = 3.75
    /// Share of calls that the user answers; 52 % (same source).
    public var answeredShare = 0.52
    /// Hour of the day from which calls come; assumption.
    public var firstHour = 8
    /// Hour of the day from which there are no calls; assumption.
    public var lastHour = 21
    /// Time for which a call rings before it is answered; assumption.
    public var ringing = SimDuration.seconds(8)
    /// Time for which a call rings before the caller gives up; assumption.
    public var givenUp = SimDuration.seconds(25)
    /// Median length of an answered call.
    ///
    /// With this median and its spread, 60 % of calls last less than 90 s and 84 % less than 5 min. In a study of
    /// 150,000 phones, the two shares are 60 % and over 80 % (Ofcom, Mobile Matters 2019).
    public var callLength = SimDuration.minutes(1)
    /// Standard deviation of ln(length), from the study above.
    public var callSigma = 1.6
    /// Probability that an answered call takes the whole screen instead of a banner; assumption.
    ///
    /// A call in full screen sends the foreground app to the background.
    public var fullScreenShare = 0.75
    /// Alarms, timers and assistants per day that take the focus; assumption.
    public var alertsPerDay = 2.0
    /// Time for which each alarm, timer or assistant takes the focus; assumption.
    public var alertLength = SimDuration.seconds(10)

    /// Whether interruptions silence music in the background until they end.
    ///
    /// Source: Apple, "Handling audio interruptions".
    public var pausesPlayback = true

    /// Creates the interruptions of an American phone.
    public init() {}
}

extension InterruptionParameters {
    /// The keys in `interruptions`, with their allowed values.
    public static let keys: [FileKey<InterruptionParameters>] = [
        .number(\.callsPerDay, "calls_per_day", 0...1e4, example: "3.75"),
        .share(\.answeredShare, "answered_share"),
        .integer(\.firstHour, "first_hour", 0...23, example: "8"),
        .integer(\.lastHour, "last_hour", 1...24, example: "21"),
        .time(\.ringing, "ringing", 0.001...3600),
        .time(\.givenUp, "given_up", 0.001...3600),
        .time(\.callLength, "call_length", 0.001...9e4),
        .number(\.callSigma, "call_sigma", 0...3, example: "1.6"),
        .share(\.fullScreenShare, "full_screen_share"),
        .number(\.alertsPerDay, "alerts_per_day", 0...1e4, example: "2"),
        .time(\.alertLength, "alert_length", 0.001...3600),
        .flag(\.pausesPlayback, "pauses_playback"),
    ]
}
