// SPDX-License-Identifier: GPL-3.0-or-later
// This file: a JetsamEvent report of iOS 9 to 18, which the phone writes when memory ran short, as values.
// In: two JSON values, a header line and the body; the layout follows `jetsam_snapshot`, `jetsam_snapshot_entry` and
// `memorystatus_kernel_stats` in xnu's `bsd/sys/kern_memorystatus.h`, names as real reports have them.
// Out: pages, processes, kills in order, checks that a true report passes. `text` writes the whole file back.

import ConfigText
import Diagnostics
import Quantities

/// A report of processes that jetsam killed, with all processes and the pages of the machine at that time.
public struct JetsamReport: Sendable {
    /// The header line; nil when the file begins with the body.
    public internal(set) var header: Node?
    /// The body as written.
    public internal(set) var body: Node
    /// Model of the device, such as `iPhone12,1`.
    public internal(set) var product: String?
    /// Version of the system, such as `iPhone OS 14.2 (18B5061e)`.
    public internal(set) var system: String?
    /// Date and time.
    public internal(set) var date: String?
    /// Size of a page in bytes.
    public internal(set) var pageSize = 0
    /// Pages of the machine when the snapshot began.
    public internal(set) var pages = JetsamPages()
    /// Name of the process with the largest footprint.
    public internal(set) var largestProcess: String?
    /// The processes in the order of the report: bands upwards, in each band the head of its queue first.
    public internal(set) var processes: [JetsamProcess] = []
    /// Keys that this reader does not use, as paths, with their number in the report.
    public internal(set) var unknown: [(path: String, count: Int)] = []

    /// Whether rows contain their band, as they do since iOS 13.
    public var hasBands: Bool { processes.contains { $0.priority != nil } }
    /// Whether rows contain the compressed part of a process.
    public var hasCompressedSplit: Bool { processes.contains { $0.internalPages != nil } }
    /// Rows of processes that existed when the snapshot began, in the order of the report.
    public internal(set) var atStart: [Int] = []
    /// Indices of the processes of `atStart` that were killed, first killed first.
    public var kills: [Int] { inOrderOfDeath(atStart) }
    /// Indices of the processes that were launched and killed after the snapshot had begun, first killed first.
    public var laterKills: [Int] {
        let alive = Set(atStart)
        return inOrderOfDeath(processes.indices.filter { !alive.contains($0) })
    }

    private func inOrderOfDeath(_ rows: [Int]) -> [Int] {
        rows.filter { processes[$0].reason != nil }.sorted {
            (processes[$0].killDelta ?? .max, $0) < (processes[$1].killDelta ?? .max, $1)
        }
    }

    /// Finds the rows that the kernel did not append after the snapshot had begun.
    ///
    /// The row of a process that was launched and died after the snapshot is after all others
    /// (`memorystatus_update_jetsam_snapshot_entry_locked` in xnu `bsd/kern/kern_memorystatus.c`). Its row is
    /// therefore
    /// out of the order of bands, or after launchd in reports without bands. The process was also younger than the
    /// snapshot.
    mutating func findRowsAtStart() {
        var highest = Int.min
        var isBehindLaunchd = false
        for (row, process) in processes.enumerated() {
            let isOutOfOrder = process.priority.map { $0 < highest } ?? isBehindLaunchd
            if isOutOfOrder, process.isYoungerThanSnapshot { continue }
            atStart.append(row)
            highest = max(highest, process.priority ?? highest)
            isBehindLaunchd = isBehindLaunchd || process.isUntouchable
        }
    }

    /// Footprint of the process in a row.
    public func footprint(of row: Int) -> ByteCount { size(processes[row].footprintPages) }
    /// Band of the process in a row on the present scale, estimated for a report without bands.
    public func band(ofRow row: Int) -> Int { Int(bands[row]) }

    /// Report as JSON: the header line, then the body; reading it back gives the same report.
    public var text: String { (header.map { JSONText.text(of: $0) + "\n" } ?? "") + JSONText.text(of: body) + "\n" }
}

/// Pages of the machine.
public struct JetsamPages: Sendable, Equatable {
    /// Pages used recently.
    public internal(set) var active = 0
    /// Pages not used for a while.
    public internal(set) var inactive = 0
    /// Pages read ahead.
    public internal(set) var speculative = 0
    /// Empty pages.
    public internal(set) var free = 0
    /// Pages that cannot be reclaimed.
    public internal(set) var wired = 0
    /// Pages of processes on the throttled queue; nearly always none.
    public internal(set) var throttled = 0
    /// Pages whose content is in a file; nil in reports without this number.
    public internal(set) var fileBacked: Int?
    /// Pages whose content is nowhere else; nil in reports without this number.
    public internal(set) var anonymous: Int?
    /// Whether the report omits the inactive pages, so that they are computed from the others.
    public internal(set) var inactiveFollows = false
    /// Pages that the compressor's pool uses.
    public internal(set) var compressor = 0
    /// Size in pages of the data in the pool before compression.
    public internal(set) var uncompressed = 0

    /// Pages on the queues of the pager.
    public var queued: Int { active + inactive + speculative }
    /// All pages that a counter of the report contains.
    public var counted: Int { queued + throttled + free + wired + compressor }
}

/// A process in a report.
public struct JetsamProcess: Sendable {
    /// Name of the process, cut after 32 bytes by the kernel.
    public internal(set) var name = ""
    /// Process number.
    public internal(set) var pid: Int?
    /// Footprint in pages; not the resident size.
    public internal(set) var footprintPages = 0
    /// Anonymous pages: resident ones and compressed ones at full size.
    public internal(set) var internalPages: (resident: Int, compressed: Int)?
    /// Words for the state of the process.
    public internal(set) var states: [String] = []
    /// Band on the scale of the report's system.
    public internal(set) var priority: Int?
    /// Number of the coalition.
    public internal(set) var coalition: Int?
    /// Time since the start of the process, in ticks.
    public internal(set) var age: Int?
    /// Time between snapshot and kill, in ticks.
    public internal(set) var killDelta: Int?
    /// Reason of the kill; nil for a process that was not killed.
    public internal(set) var reason: String?

    /// Whether the process is a daemon, that is, a process without states from assertions.
    public var isDaemon: Bool { states.contains("daemon") }
    /// Whether the process executes nothing.
    public var isSuspended: Bool { states.contains("suspended") }
    /// Whether the process may be killed at any time and does nothing.
    public var isIdle: Bool { states.contains("idle") }
    /// Whether the process is in view of the user.
    public var isFrontmost: Bool { states.contains("frontmost") }
    /// Whether the process cannot be killed: launchd and the kernel are in reports for completeness.
    public var isUntouchable: Bool { name == "launchd" || name == "kernel_task" }
    /// Whether the process died at its own limit, not by the order of the bands.
    public var diedAtItsLimit: Bool { reason == "highwater" || reason == "per-process-limit" }

    /// Whether the process was killed sooner after its start than after the start of the snapshot.
    var isYoungerThanSnapshot: Bool {
        guard reason != nil, let killDelta else { return false }
        return age ?? 0 < killDelta
    }

    /// Age of the process, from ticks of 24 MHz as on present devices.
    public var runningTime: SimDuration { SimDuration(nanoseconds: Int64((age ?? 0) / 3 * 125)) }
}
