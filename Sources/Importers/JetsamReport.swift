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
    /// Keys that this reader has no use for, as paths, with the number of times each stands there.
    public internal(set) var unknown: [(path: String, count: Int)] = []

    /// Whether rows say their band, as they do since iOS 13.
    public var hasBands: Bool { processes.contains { $0.priority != nil } }
    /// Whether rows say how much of a process is compressed.
    public var hasCompressedSplit: Bool { processes.contains { $0.internalPages != nil } }
    /// Rows of processes that lived when the snapshot began, in the order of the report.
    public internal(set) var atStart: [Int] = []
    /// Indices of those of them that were killed, first killed first.
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
    /// What dies later than it was launched, and was launched after the snapshot, is written behind all others
    /// (`memorystatus_update_jetsam_snapshot_entry_locked` in xnu `bsd/kern/kern_memorystatus.c`). So its row stands
    /// out of the order of bands, or behind launchd where there are none, and it was younger than the snapshot.
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

    /// The footprint of a row.
    public func footprint(of row: Int) -> ByteCount { size(processes[row].footprintPages) }
    /// The band of a row on the scale of today, estimated where the report has none.
    public func band(ofRow row: Int) -> Int { Int(bands[row]) }

    /// The report as JSON: the header line, then the body; reading it gives the same report.
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
    /// Pages with nothing in them.
    public internal(set) var free = 0
    /// Pages that cannot be taken away.
    public internal(set) var wired = 0
    /// Pages of processes on a queue of their own; nearly always none.
    public internal(set) var throttled = 0
    /// Pages whose content stands in a file; nil in reports that do not say.
    public internal(set) var fileBacked: Int?
    /// Pages whose content stands nowhere else; nil in reports that do not say.
    public internal(set) var anonymous: Int?
    /// Whether the report leaves the inactive pages out, so that they follow from the others.
    public internal(set) var inactiveFollows = false
    /// Pages that the compressor's pool takes.
    public internal(set) var compressor = 0
    /// Pages that the data in the pool would take.
    public internal(set) var uncompressed = 0

    /// Pages on the queues of the pager.
    public var queued: Int { active + inactive + speculative }
    /// All pages that a counter of the report holds.
    public var counted: Int { queued + throttled + free + wired + compressor }
}

/// A process in a report.
public struct JetsamProcess: Sendable {
    /// Its name, cut after 32 bytes by the kernel.
    public internal(set) var name = ""
    /// Its number.
    public internal(set) var pid: Int?
    /// Its footprint in pages; not what is resident.
    public internal(set) var footprintPages = 0
    /// Anonymous pages: resident ones and compressed ones at full size.
    public internal(set) var internalPages: (resident: Int, compressed: Int)?
    /// Words for what it does.
    public internal(set) var states: [String] = []
    /// Its band on the scale of its system.
    public internal(set) var priority: Int?
    /// Its coalition.
    public internal(set) var coalition: Int?
    /// Time since its start in ticks.
    public internal(set) var age: Int?
    /// Time between snapshot and kill in ticks.
    public internal(set) var killDelta: Int?
    /// Why it was killed; nil when it was not.
    public internal(set) var reason: String?

    /// Whether it is a daemon, which is a process without states that come from assertions.
    public var isDaemon: Bool { states.contains("daemon") }
    /// Whether it executes nothing.
    public var isSuspended: Bool { states.contains("suspended") }
    /// Whether it may go at any time and is doing nothing.
    public var isIdle: Bool { states.contains("idle") }
    /// Whether the user sees it.
    public var isFrontmost: Bool { states.contains("frontmost") }
    /// Whether it cannot be killed: launchd and the kernel stand in reports for completeness.
    public var isUntouchable: Bool { name == "launchd" || name == "kernel_task" }
    /// Whether its own limit, not the order of the bands, chose it.
    public var diedAtItsLimit: Bool { reason == "highwater" || reason == "per-process-limit" }

    /// Whether it was killed less time after its own start than after that of the snapshot.
    var isYoungerThanSnapshot: Bool {
        guard reason != nil, let killDelta else { return false }
        return age ?? 0 < killDelta
    }

    /// Its age: ticks of 24 MHz on devices of today.
    public var runningTime: SimDuration { SimDuration(nanoseconds: Int64((age ?? 0) / 3 * 125)) }
}
