// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Available memory below which the killer, the compressor or the reaper act, in bytes.
struct Thresholds: Sendable {
    /// Below it anybody dies.
    var critical: Int64
    /// Below it idle processes die.
    var idle: Int64
    /// Below it those above their own limits die.
    var soft: Int64
    /// Below it what was idle for long dies.
    var reaper: Int64
    /// Below it suspended apps are compressed.
    let compress: Int64

    init(_ profile: OSProfile, _ memory: MemoryParameters) {
        critical = (memory.visible * profile.criticalShare).bytes
        idle = (memory.visible * profile.idleShare).bytes
        soft = (memory.visible * profile.softShare).bytes
        reaper = (memory.visible * (profile.reaperShare ?? 0)).bytes
        compress = (memory.visible * memory.compressBelowShare).bytes
    }
}
