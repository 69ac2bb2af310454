// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Rates of crashes, hangs and other faults of an app's code.
///
/// By default, an app has no faults. Catalogues set rates, which are assumptions.
public struct AppFaults: Sendable, BitwiseCopyable, Equatable {
    /// Crashes per hour on screen.
    public var crashesPerHour = 0.0
    /// Share of crashes that are accesses to bad memory, 0 to 1.
    public var badAccessShare = 0.5
    /// Share of crashes that are illegal instructions, traps included; the rest are aborts and uncaught exceptions.
    public var illegalInstructionShare = 0.2
    /// Probability that a run of background work crashes.
    public var workCrashes = 0.0
    /// Times per hour on screen that the app stops answering until the watchdog ends it.
    public var hangsPerHour = 0.0
    /// Probability that the app is suspended after a visit while it holds a lock on a shared file.
    public var holdsLock = 0.0
    /// Probability that the app never ends the task assertion of a visit.
    public var leaksTask = 0.0
    /// Whether the app's expiration handler ends a task whose time is over; otherwise the system kills the app.
    public var handlesExpiration = true

    /// Creates an app without faults.
    public init() {}

    /// Whether any fault on screen or after a visit is possible, so that each visit needs random draws.
    public var arise: Bool {
        crashesPerHour > 0 || hangsPerHour > 0 || holdsLock > 0 || leaksTask > 0
    }

    /// The kind of a crash, for a number drawn uniformly from 0 to 1.
    public func crash(at draw: Double) -> ExitCategory {
        if draw < badAccessShare { return .badAccess }
        return draw < badAccessShare + illegalInstructionShare ? .illegalInstruction : .abnormal
    }
}

extension AppFaults {
    /// The keys of the fault rates in files, with their allowed values.
    public static let keys: [FileKey<AppFaults>] = [
        .number(\.crashesPerHour, "crashes_per_hour", 0...3600, example: "0.02"),
        .share(\.badAccessShare, "bad_access"),
        .share(\.illegalInstructionShare, "illegal_instruction"),
        .share(\.workCrashes, "work_crashes"),
        .number(\.hangsPerHour, "hangs_per_hour", 0...3600, example: "0.02"),
        .share(\.holdsLock, "holds_lock"),
        .share(\.leaksTask, "leaks_task"),
        .flag(\.handlesExpiration, "handles_expiration"),
    ]
}
