// SPDX-License-Identifier: GPL-3.0-or-later
// This file represents a JetsamEvent report of iOS 9 to 18, which the phone writes when it runs short of memory.
// In: two JSON values, a header line and the body. The layout follows `jetsam_snapshot`, `jetsam_snapshot_entry` and
// `memorystatus_kernel_stats` in xnu's `bsd/sys/kern_memorystatus.h`. The key names are from real reports.
// Out: pages, processes, kills in order, and checks that a real report passes. `text` is the whole file again.

import ConfigText
import Diagnostics
import Quantities

/// A report of processes that jetsam killed, with all processes and the machine's pages at that time.
public struct JetsamReport: Sendable {
    /// The header line; nil when the file starts with the body.
    public internal(set) var header: Node?
    /// The body as it is in the file.
    public internal(set) var body: Node
    /// Model of the device, such as `iPhone12,1`.
    public internal(set) var product: String?
    /// Version of the system, such as `iPhone OS 14.2 (18B5061e)`.
    public internal(set) var system: String?
    /// Date and time of the report.
    public internal(set) var date: String?
    /// Size of a page in bytes.
    public internal(set) var pageSize = 0
    /// Pages of the machine when the snapshot began.
    public internal(set) var pages = JetsamPages()
    /// Name of the process with the largest footprint.
    public internal(set) var largestProcess: String?
    /// Processes in the order of the report: by ascending band, and in each band from the head of its queue.
    public internal(set) var processes: [JetsamProcess] = []
    /// Paths of keys that this reader does not use, with the number of their occurrences in the report.
    public internal(set) var unknown: [(path: String, count: Int)] = []

    /// Whether rows contain the band of the process, which is the case since iOS 13.
    public var hasBands: Bool { processes.contains { $0.priority != nil } }
    /// Whether rows contain the size of the compressed part of the process.
    public var hasCompressedSplit: Bool { processes.contains { $0.internalPages != nil } }
    /// Rows of the processes that existed when the snapshot began, in the order of the report.
    public internal(set) var atStart: [Int] = []
    /// Rows of the processes of `atStart` that were killed, in the order of the kills.
    public var kills: [Int] { inOrderOfDeath(atStart) }
    /// Rows of the processes that were launched and killed after the beginning of the snapshot, in the order of the
    /// kills.
    public var laterKills: [Int] {
        let alive = Set(atStart)
        return inOrderOfDeath(processes.indices.filter { !alive.contains($0) })
    }

    private func inOrderOfDeath(_ rows: [Int]) -> [Int] {
        rows.filter { processes[$0].reason != nil }.sorted {
            (processes[$0].killDelta ?? .max, $0) < (processes[$1].killDelta ?? .max, $1)
        }
    }

    /// Fills `atStart` with all rows except those that the kernel appended after the beginning of the snapshot.
    ///
    /// If a process is launched and dies after the beginning of the snapshot, the kernel appends its row
    /// (`memorystatus_update_jetsam_snapshot_entry_locked` in xnu `bsd/kern/kern_memorystatus.c`). Such a row breaks
    /// the order of bands, or follows launchd in reports without bands, and its process is younger than the snapshot.
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
    /// Band of the process in a row on the scale of iOS 16 and later.
    ///
    /// In a report without bands, the band is an estimate.
    public func band(ofRow row: Int) -> Int { Int(bands[row]) }

    /// The report as JSON: the header line, then the body.
    ///
    /// A reader of this text gets an equal report.
    public var text: String { (header.map { JSONText.text(of: $0) + "\n" } ?? "") + JSONText.text(of: body) + "\n" }
}

/// Counts of the machine's pages.
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
    /// Number of pages of processes on the throttled queue; nearly always 0.
    public internal(set) var throttled = 0
    /// Pages whose content is also in a file; nil in reports without this number.
    public internal(set) var fileBacked: Int?
    /// Pages whose content is not in a file; nil in reports without this number.
    public internal(set) var anonymous: Int?
    /// Whether the report omits the inactive pages.
    ///
    /// If so, the inactive pages are computed from the other pages.
    public internal(set) var inactiveFollows = false
    /// Pages that the compressor's pool uses.
    public internal(set) var compressor = 0
    /// Size of the pool's data before compression, in pages.
    public internal(set) var uncompressed = 0

    /// Pages on the active, inactive and speculative queues.
    public var queued: Int { active + inactive + speculative }
    /// Sum of all pages that the report counts.
    public var counted: Int { queued + throttled + free + wired + compressor }
}

/// A process in a report.
public struct JetsamProcess: Sendable {
    /// Name of the process, cut after 32 bytes by the kernel.
    public internal(set) var name = ""
    /// Process number.
    public internal(set) var pid: Int?
    /// Footprint in pages, which is not the resident size.
    public internal(set) var footprintPages = 0
    /// Anonymous pages: the resident pages, and the compressed pages at full size.
    public internal(set) var internalPages: (resident: Int, compressed: Int)?
    /// Words for the state of the process.
    public internal(set) var states: [String] = []
    /// Band on the scale of the report's system.
    public internal(set) var priority: Int?
    /// Identifier of the coalition of the process.
    public internal(set) var coalition: Int?
    /// Time since the start of the process, in ticks.
    public internal(set) var age: Int?
    /// Time from the snapshot to the kill, in ticks.
    public internal(set) var killDelta: Int?
    /// Reason of the kill; nil for a process that was not killed.
    public internal(set) var reason: String?

    /// Whether the process is a daemon.
    ///
    /// Daemons have no states from assertions.
    public var isDaemon: Bool { states.contains("daemon") }
    /// Whether the process executes no code.
    public var isSuspended: Bool { states.contains("suspended") }
    /// Whether the process is idle, so that the system may kill it at any time.
    public var isIdle: Bool { states.contains("idle") }
    /// Whether the process is in view of the user.
    public var isFrontmost: Bool { states.contains("frontmost") }
    /// Whether the process is launchd or the kernel.
    ///
    /// Reports contain both, but jetsam cannot kill them.
    public var isUntouchable: Bool { name == "launchd" || name == "kernel_task" }
    /// Whether the process died at its own limit, not because of its band.
    public var diedAtItsLimit: Bool { reason == "highwater" || reason == "per-process-limit" }

    /// Whether the process was killed and had started after the beginning of the snapshot.
    var isYoungerThanSnapshot: Bool {
        guard reason != nil, let killDelta else { return false }
        return age ?? 0 < killDelta
    }

    /// Time since the start of the process.
    ///
    /// The conversion uses the ticks of present devices, which are 24 million per second.
    public var runningTime: SimDuration { SimDuration(nanoseconds: Int64((age ?? 0) / 3 * 125)) }
}
