// SPDX-License-Identifier: GPL-3.0-or-later

/// Why jetsam killed a process, in the words of JetsamEvent reports.
///
/// Source: `bsd/sys/kern_memorystatus.h` and the names in `bsd/kern/kern_memorystatus.c` of Apple's published kernel.
public enum KillReason: UInt8, Sendable, CaseIterable, BitwiseCopyable {
    case highwater, pageShortage, perProcessLimit, idleExit, longIdleExit, compressorSpaceShortage
    case jettisoned, vnodeLimit, processThrashing, fileCacheThrashing, diskSpaceShortage, zoneMapExhaustion
    case compressorThrashing, sustainedPressure, pageoutStarvation, lowSwap

    /// The name in device reports, and the words of `flotsam why`.
    public var text: RuleText {
        switch self {
        case .highwater: RuleText("highwater", "the process was above its high-water mark when memory became short")
        case .pageShortage: RuleText("vm-pageshortage", "memory ran out, so the process lowest in rank died")
        case .perProcessLimit: RuleText("per-process-limit", "the process went above its own limit")
        case .idleExit: RuleText("idle-exit", "memory became short, so the idle process lowest in rank died")
        case .longIdleExit: RuleText("long-idle-exit", "the process had been idle for long")
        case .compressorSpaceShortage: RuleText("vm-compressor-space-shortage", "the compressor was full")
        case .jettisoned: RuleText("jettisoned", "something asked the kernel to kill this very process")
        case .vnodeLimit: RuleText("vnode-limit", "the kernel had no entry left for an open file")
        case .processThrashing:
            RuleText("proc-thrashing", "kills had not helped, so whole bands of idle processes died")
        case .fileCacheThrashing:
            RuleText("fc-thrashing", "file pages were read again as soon as they had been dropped")
        case .diskSpaceShortage:
            RuleText("disk-space-shortage", "storage was full, so frozen processes had to free their space")
        case .zoneMapExhaustion: RuleText("zone-map-exhaustion", "the kernel's own memory was nearly used up")
        case .compressorThrashing:
            RuleText("vm-compressor-thrashing", "pages were needed again as soon as they had been compressed")
        case .sustainedPressure:
            RuleText("sustained-memory-pressure", "memory had been under pressure for ten minutes")
        case .pageoutStarvation: RuleText("vm-pageout-starvation", "the kernel could no longer free pages in time")
        case .lowSwap: RuleText("low-swap", "swap space ran out")
        }
    }

    /// The string that device reports use.
    public var name: String { text.name }
    /// Name of the metric that counts kills for this reason.
    public var metricName: String {
        "kills_\(String(name.map { $0 == "-" ? "_" : $0 }))_per_day"
    }
    /// Whether the eviction policy chooses the victim: the lowest rank among idle processes or among all.
    ///
    /// The other reasons fix the victim: a process above a limit, idle for long, frozen, or in a band that is killed as
    /// a whole. If file entries are lacking, the lowest process other than the caller is killed. A full zone map kills
    /// the process with the most entries, but only scripts create entries. A shortage of swap kills swappable processes
    /// only where that is enabled; the default is off.
    public var isChosenByPolicy: Bool {
        switch self {
        case .pageShortage, .idleExit, .compressorSpaceShortage, .fileCacheThrashing, .compressorThrashing,
            .sustainedPressure, .pageoutStarvation, .zoneMapExhaustion, .lowSwap:
            true
        case .highwater, .perProcessLimit, .longIdleExit, .jettisoned, .vnodeLimit, .processThrashing,
            .diskSpaceShortage:
            false
        }
    }
    /// The cause in words, as part of a sentence.
    public var sentence: String { text.sentence }
}
