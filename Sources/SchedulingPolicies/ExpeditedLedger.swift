// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Time that each app used for expedited jobs in the last 24 hours, minus the time that use by the user gave back.
///
/// Source: AOSP QuotaController: `ShrinkableDebits`, `TopAppTimer`. Time on screen reduces the used time, but never
/// below zero: no app earns time in advance. While an app is on screen, and for a minute after, nothing is charged.
/// Rewards for notifications that were seen are zero in AOSP; rewards for other interactions are omitted.
struct ExpeditedLedger: Sendable {
    /// Jobs that begin within this time after the app was left are free (`EJ_GRACE_PERIOD_TOP_APP_MS`).
    private static let grace = SimDuration.minute
    /// Time that each piece of screen time gives back (`EJ_REWARD_TOP_APP_MS`).
    private static let reward = SimDuration.seconds(10)
    /// Length below which the last piece gives nothing back.
    private static let least = SimDuration.seconds(1)

    private struct Account: BitwiseCopyable {
        var earned = SimDuration.zero
        var left = SimTime(nanoseconds: .min / 2)
    }

    /// The length of a piece of screen time (`EJ_TOP_APP_TIME_CHUNK_SIZE_MS`).
    private let piece: SimDuration
    private var day = DayLedger()
    private var accounts: [Account] = []

    /// Creates a ledger.
    ///
    /// - Parameter isPresent: Whether the constants are those of Android 16, rather than those of 12 to 15.
    init(isPresent: Bool) { piece = isPresent ? .minutes(5) : .seconds(30) }

    /// Adds a run of an expedited job.
    mutating func record(_ app: AppID, from start: SimTime, to end: SimTime) {
        forgetEarned(app, at: end)
        day.record(app, from: start, to: end)
    }

    /// Adds a visit to an app; the visit ends when the user leaves the app.
    mutating func recordUse(of app: AppID, from start: SimTime, to end: SimTime) {
        let index = Int(app.index)
        if index >= accounts.count {
            let count = max(index + 1, accounts.count * 2)
            accounts.append(contentsOf: repeatElement(Account(), count: count - accounts.count))
        }
        let length = end - start
        let whole = (length / piece).rounded(.down)
        let pieces = whole + (length - piece * whole >= Self.least ? 1 : 0)
        accounts[index].earned += Self.reward * pieces
        accounts[index].left = end
    }

    /// Time that an app has used, minus the time given back.
    func used(_ app: AppID, at now: SimTime) -> SimDuration {
        let used = day.used(app, at: now)
        guard Int(app.index) < accounts.count else { return used }
        return max(.zero, used - accounts[Int(app.index)].earned)
    }

    /// Whether the user left an app so recently that jobs beginning now are free.
    func isFree(_ app: AppID, at now: SimTime) -> Bool {
        Int(app.index) < accounts.count && now - accounts[Int(app.index)].left <= Self.grace
    }

    /// Limits the time given back to the run time of the last day.
    private mutating func forgetEarned(_ app: AppID, at now: SimTime) {
        let index = Int(app.index)
        guard index < accounts.count else { return }
        accounts[index].earned = min(accounts[index].earned, day.used(app, at: now))
    }
}
