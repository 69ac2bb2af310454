// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// The memory-pressure level, and how long it has been above normal.
///
/// Levels depend on the share of pages outside the compressor among all unwired pages, not on available memory. Levels
/// and kills therefore change independently (`kern_memorystatus_notify.c`, `vm_compressor_xnu.h`).
struct PressureWatch: Sendable {
    private let warningBelow: Double
    private let normalAbove: Double
    private let criticalBelow: Double
    private let warningAbove: Double
    private let sustainedAfter: SimDuration
    private let sustainedSpacing: SimDuration
    private(set) var level = PressureLevel.normal
    /// When the next idle process is killed because of sustained pressure.
    private(set) var nextKill = SimTime.distantFuture
    /// Number of processes that sustained pressure may still kill; nil before the first kill.
    private var killsLeft: Int?

    init(_ profile: OSProfile) {
        warningBelow = profile.warningBelow
        normalAbove = profile.normalAbove
        criticalBelow = profile.criticalBelow
        warningAbove = profile.warningAbove
        sustainedAfter = profile.sustainedAfter
        sustainedSpacing = profile.sustainedSpacing
    }

    /// Updates the level from the share of pages outside the compressor; returns the previous level.
    mutating func update(share: Double, isCompressorFull: Bool) -> PressureLevel {
        let old = level
        level = level(share, isCompressorFull)
        return old
    }

    /// Sets a level that follows from tasks that wait for memory, instead of from a share of pages.
    mutating func follow(_ level: PressureLevel) { self.level = level }

    /// The level, with hysteresis.
    private func level(_ share: Double, _ isCompressorFull: Bool) -> PressureLevel {
        if share < criticalBelow || isCompressorFull { return .critical }
        switch level {
        case .normal: return share < warningBelow ? .warning : .normal
        case .warning: return share > normalAbove ? .normal : .warning
        case .critical:
            guard share > warningAbove else { return .critical }
            return share > normalAbove ? .normal : .warning
        }
    }

    /// Starts or stops the timer of sustained pressure after a change of level.
    mutating func armTimer(from old: PressureLevel, at now: SimTime) {
        if level == .normal {
            nextKill = .distantFuture
        } else if old == .normal {
            nextKill = now + sustainedAfter
            killsLeft = nil
        }
    }

    mutating func disarmTimer() { nextKill = .distantFuture }

    /// Whether another idle process may be killed; the limit is twice the number of idle processes at the first kill.
    mutating func mayKill(idle: Int) -> Bool {
        let left = killsLeft ?? 2 * idle
        killsLeft = left
        return left > 0
    }

    mutating func recordKill(at now: SimTime) {
        killsLeft = (killsLeft ?? 0) - 1
        nextKill = now + sustainedSpacing
    }
}
