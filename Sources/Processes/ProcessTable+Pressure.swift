import Quantities
import Vocabulary

/// Levels look at pages outside the compressor against all pages that are not wired, not at available memory, so
/// levels and kills move independently (`kern_memorystatus_notify.c`, `vm_compressor_xnu.h`).
extension ProcessTable {
    mutating func updatePressure(at now: SimTime) {
        guard isLevelStale else { return }
        isLevelStale = false
        let old = pressure
        pressure = level(after: old)
        if isGoverned, pressure != old { notePressure(from: old, at: now) }
        if pressure != old || pressure != notices.level { noteLevel(at: now) }
    }

    /// The level with its hysteresis; a phone whose memory grows without end is never under pressure.
    private func level(after old: PressureLevel) -> PressureLevel {
        if isUnbounded { return .normal }
        let pageable = memory.visible.bytes - memory.wired.bytes - ballast - zoneGrowth
        let uncompressed = Double(pageable - systemPool - compressorBallastPool - appPool)
        let share = pageable > 0 ? uncompressed / Double(pageable) : 0
        if share < profile.criticalBelow || isCompressorFull { return .critical }
        switch old {
        case .normal: return share < profile.warningBelow ? .warning : .normal
        case .warning: return share > profile.normalAbove ? .normal : .warning
        case .critical:
            guard share > profile.warningAbove else { return .critical }
            return share > profile.normalAbove ? .normal : .warning
        }
    }
}
