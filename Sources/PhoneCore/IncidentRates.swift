// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Number of kills per day for causes that the model does not simulate.
///
/// `memorystatus_pick_action` and its callers kill for each of these causes, none of which is a shortage of memory.
/// Source: xnu `bsd/kern/kern_memorystatus.c`, `bsd/sys/kern_memorystatus.h`. No source states the rates on a phone.
/// They are zero unless a device file sets them, as an assumption.
public struct IncidentRates: Sendable, Equatable {
    /// A daemon is killed by name (`jettisoned`).
    public var jettisons = 0.0
    /// No vnode can be recycled (`vnode-limit`); one of 4 complete published reports contains such a kill.
    public var vnodeLimits = 0.0
    /// File pages are read again soon after they were dropped (`fc-thrashing`).
    public var fileThrashing = 0.0
    /// Storage is short, so the freezer is switched off and on again, and all frozen processes are killed
    /// (`disk-space-shortage`).
    public var diskShortages = 0.0
    /// The kernel's zone map is 95 % full, mostly with zones other than that of map entries (`zone-map-exhaustion`).
    public var zoneExhaustions = 0.0
    /// Pages are compressed and decompressed repeatedly (`vm-compressor-thrashing`).
    public var compressorThrashing = 0.0
    /// The pageout thread was stuck and had to be freed by a kill (`vm-pageout-starvation`).
    public var pageoutStarvation = 0.0

    /// Creates the rates of a phone without incidents.
    public init() {}

    /// The rates in a fixed order.
    package var all: [Double] {
        [
            jettisons, vnodeLimits, fileThrashing, diskShortages, zoneExhaustions, compressorThrashing,
            pageoutStarvation,
        ]
    }
}

extension IncidentRates {
    /// The keys of these rates in files, with their allowed values.
    public static let keys: [FileKey<IncidentRates>] = [
        .number(\.jettisons, "jettisons_per_day", 0...1e4, example: "1"),
        .number(\.vnodeLimits, "vnode_limits_per_day", 0...1e4, example: "1"),
        .number(\.fileThrashing, "file_thrashing_per_day", 0...1e4, example: "1"),
        .number(\.diskShortages, "disk_shortages_per_day", 0...1e4, example: "1"),
        .number(\.zoneExhaustions, "zone_exhaustions_per_day", 0...1e4, example: "1"),
        .number(\.compressorThrashing, "compressor_thrashing_per_day", 0...1e4, example: "1"),
        .number(\.pageoutStarvation, "pageout_starvation_per_day", 0...1e4, example: "1"),
    ]
}
