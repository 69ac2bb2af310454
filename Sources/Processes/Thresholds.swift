// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Available memory, in bytes, below which the killer, the compressor or the reaper acts.
struct Thresholds: Sendable {
    /// Threshold below which any process can be killed.
    var critical: Int64
    /// Threshold below which idle processes are killed.
    var idle: Int64
    /// Threshold below which processes above their own limits are killed.
    var soft: Int64
    /// Threshold below which long idle processes are killed.
    var reaper: Int64
    /// Threshold below which suspended apps are compressed.
    let compress: Int64

    init(_ profile: OSProfile, _ memory: MemoryParameters) {
        critical = (memory.visible * profile.criticalShare).bytes
        idle = (memory.visible * profile.idleShare).bytes
        soft = (memory.visible * profile.softShare).bytes
        reaper = (memory.visible * (profile.reaperShare ?? 0)).bytes
        compress = (memory.visible * memory.compressBelowShare).bytes
    }
}
