import Quantities
import Vocabulary

/// Levels look at pages outside the compressor against all pages that are not wired, not at available memory, so
/// levels and kills move independently (`kern_memorystatus_notify.c`, `vm_compressor_xnu.h`).
extension ProcessTable {
    /// Tells executing apps of the present level once more; the kernel does so every 30 min while a level lasts.
    public mutating func repeatWarning(at now: SimTime) {
        begin(at: now)
        guard pressure > .normal else { return }
        warn(at: now)
        settle(at: now)
    }

    mutating func updatePressure(at now: SimTime) {
        guard isLevelStale else { return }
        isLevelStale = false
        let old = pressure
        pressure = level(after: old)
        if isGoverned, pressure != old { notePressure(from: old, at: now) }
        if pressure > old { warn(at: now) }
    }

    /// The level with its hysteresis; a phone whose memory grows without end is never under pressure.
    private func level(after old: PressureLevel) -> PressureLevel {
        if isUnbounded { return .normal }
        let pageable = memory.visible.bytes - memory.wired.bytes - ballast
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

    /// Tells every process that executes, is large enough and stands in a band from 20 on; each drops its share.
    ///
    /// All are told at once; the kernel leaves up to 250 ms between two of them.
    private mutating func warn(at now: SimTime) {
        if isGoverned { return warnInOrder(at: now) }
        for place in executing.indices {
            let index = Int(executing[place])
            let record = processes[index]
            guard record.band >= profile.warnedBand, record.footprint >= profile.warnedFootprint.bytes else {
                continue
            }
            tell(index, at: now)
        }
    }

    /// The lowest band first, and in a band the largest process first; frozen processes hear nothing.
    private mutating func warnInOrder(at now: SimTime) {
        governance.scratch.removeAll(keepingCapacity: true)
        for place in executing.indices {
            let index = Int(executing[place])
            let record = processes[index]
            guard record.band >= profile.warnedBand, record.footprint >= profile.warnedFootprint.bytes,
                !governance.controls[index].isFrozen
            else { continue }
            governance.scratch.append(
                VictimHeap.Entry(
                    rank: Double(record.band), sequence: UInt64(Int64.max - record.footprint), process: Int32(index)))
        }
        governance.scratch.sort { $0 < $1 }
        for place in governance.scratch.indices { tell(Int(governance.scratch[place].process), at: now) }
    }

    private mutating func tell(_ index: Int, at now: SimTime) {
        let footprint = processes[index].footprint
        let dropped = Int64((Double(footprint) * facts[index].warningDrop).rounded())
        resize(index, to: footprint - dropped)
        totals.warnings += 1
        if recordsCallbacks { note(.didReceiveMemoryWarning, of: index, window: nil, at: now) }
        warnings.append(
            PressureWarning(time: now, app: AppID(index), level: pressure, dropped: ByteCount(dropped)))
    }
}
