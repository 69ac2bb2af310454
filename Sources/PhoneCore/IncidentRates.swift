// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// How often the kernel wants a kill for a cause that the model does not simulate, per day.
///
/// Each cause is one of those at which `memorystatus_pick_action` and its callers kill besides a shortage of memory
/// (xnu `bsd/kern/kern_memorystatus.c`, `bsd/sys/kern_memorystatus.h`). How often they come on a phone is published
/// nowhere, so none does unless a device file says so: an assumption.
public struct IncidentRates: Sendable, Equatable {
    /// Somebody ends a daemon by name (`jettisoned`).
    public var jettisons = 0.0
    /// No vnode can be recycled (`vnode-limit`); one of 4 whole published reports shows it.
    public var vnodeLimits = 0.0
    /// File pages are read again as soon as they were dropped (`fc-thrashing`).
    public var fileThrashing = 0.0
    /// Storage is short: the freezer is switched off and on again, and all that is frozen dies (`disk-space-shortage`).
    public var diskShortages = 0.0
    /// The kernel's zone map is 95 % full with zones other than that of map entries (`zone-map-exhaustion`).
    public var zoneExhaustions = 0.0
    /// Pages are compressed and decompressed over and over (`vm-compressor-thrashing`).
    public var compressorThrashing = 0.0
    /// The pageout thread had to be freed by force (`vm-pageout-starvation`).
    public var pageoutStarvation = 0.0

    /// Creates the rates of a phone without such incidents.
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
    /// The keys of the figures in files, with what is allowed.
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
