// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures
import Vocabulary

/// App swap, on tablets with fast storage: compressed memory of suspended apps is written to storage before any kill.
///
/// Source: `memorystatus_pick_action` (xnu-11417.101.15) and `osfmk/vm/vm_compressor_backing_store.c`. The swap space
/// is 4 GiB, or 16 to 64 GiB on large configurations. Kills for lack of swap exist but are off
/// (`jetsam_kill_on_low_swap`).
public struct AppSwapRules: Sendable, Equatable {
    /// Memory that the swap space can store, before compression.
    public var space: ByteCount = .gibibytes(4)
    /// The swap is low if less than this share of the swap space is free; assumption.
    public var lowShare = 0.1
    /// Whether apps are killed when the swap is low or full.
    public var killsWhenLow = false
    /// Highest band of suspended apps that are killed when the swap is low.
    public var lowBand: Int16 = 29

    /// Creates the rules of iOS 18.
    public init() {}

    /// The keys of the rules in files, with their allowed values.
    public static let keys: [FileKey<AppSwapRules>] = [
        .bytes(\.space, "space"), .share(\.lowShare, "low_share"), .flag(\.killsWhenLow, "kills_when_low"),
    ]
}

/// Write-back of zram: compressed pages that were not touched for some time are written to storage, once a day.
///
/// Source: AOSP `ZramWriteback.java`. It marks pages as idle, waits, and writes those that are still idle. The times
/// are those of Pixels (`hardware/google/pixel/mm/device.mk`: `ro.zram.mark_idle_delay_mins=60`,
/// `first_wb_delay_mins=1440`, `periodic_wb_delay_hours=24`). Without these settings, the first write-back comes after
/// 180 min. The vendor decides how much storage is reserved. The default of 512 MiB is an assumption; 0 to 4 GiB are
/// plausible.
public struct WritebackRules: Sendable, Equatable {
    /// Time for which pages must be untouched before they are written.
    public var idle = SimDuration.minutes(60)
    /// Time from the start to the first write-back.
    public var first = SimDuration.hours(24)
    /// Time from one write-back to the next.
    public var every = SimDuration.hours(24)
    /// Memory that the reserved storage can store, before compression.
    public var space = ByteCount.mebibytes(512)

    /// Creates the rules of a Pixel.
    public init() {}

    /// The keys of the rules in files, with their allowed values.
    public static let keys: [FileKey<WritebackRules>] = [
        .time(\.idle, "idle"), .time(\.first, "first"), .time(\.every, "every", 60...(30 * 86400)),
        .bytes(\.space, "space"),
    ]
}

/// Memory that was brought back when the user resumed an app.
public struct ResumeFaults: Sendable, Equatable {
    /// Memory that was compressed in the pool.
    public var pool = ByteCount.zero
    /// Memory on storage, before compression.
    public var storage = ByteCount.zero

    /// Creates faults of these sizes, none by default.
    public init(pool: ByteCount = .zero, storage: ByteCount = .zero) { (self.pool, self.storage) = (pool, storage) }
}

extension MemoryParameters {
    /// Time for which a resumed app waits for its memory; a rate of zero means no time.
    public func wait(for faults: ResumeFaults) -> SimDuration {
        func time(_ size: ByteCount, at rate: ByteCount) -> SimDuration {
            rate > .zero ? .seconds(Double(size.bytes) / Double(rate.bytes)) : .zero
        }
        return time(faults.pool + faults.storage, at: decompressedPerSecond)
            + time(faults.storage * (1 / compressorRatio), at: swapReadPerSecond)
    }
}

extension FreezerRules {
    /// The freezer of a device with app swap: 36 slots, all candidates per run, no budget, four demotions a day.
    public static var withAppSwap: FreezerRules {
        var rules = FreezerRules()
        rules.slots = 36
        rules.takesAll = true
        rules.dailyBudget = ByteCount(Int64(UInt32.max) * 16384)
        rules.demotionsPerDay = 4
        return rules
    }
}

extension ProcessTable {
    /// Allows the memory of a whole coalition, given by its leader, to be written to storage; this cannot be undone.
    public mutating func markSwappable(_ app: AppID, at now: SimTime) -> RequestError? {
        change(app, at: now) { table, index in
            guard table.profile.appSwap != nil else { return .refused(.notFound) }
            guard table.controls[index].role == .leader else { return .refused(.invalid) }
            var members: [Int] = []
            table.coalitions.forEach(in: table.controls[index].coalition) { members.append($0) }
            for member in members + [index] {
                table.controls[member].isSwappable = true
                table.updateSwappable(member)
            }
            return .made
        }
    }

    /// Writes compressed pages of long suspended processes to storage, the longest suspended first, while there is
    /// space.
    mutating func writeBack(at now: SimTime) {
        guard let rules = profile.writeback else { return }
        nextWriteback = now + rules.every
        let idle = processes.indices.filter { index in
            let record = processes[index]
            return record.isAlive && !record.state.executes && record.compressed > record.swapped
                && record.bandSet <= now - rules.idle
        }
        for index in idle.sorted(by: { (processes[$0].bandSet, $0) < (processes[$1].bandSet, $1) }) {
            let record = processes[index]
            let moved = min(rules.space.bytes - book.swapped, record.compressed - record.swapped)
            guard moved > 0 else { return }
            totals.written += ByteCount(moved)
            setMemory(index, resident: record.resident, compressed: record.compressed, swapped: record.swapped + moved)
        }
    }

    /// Memory written to storage since the start, before compression.
    public var written: ByteCount { totals.written }
    /// Whether a process's memory may be written to storage.
    public func isSwappable(_ app: AppID) -> Bool { controls[Int(app.index)].isSwappable }
    /// Memory of frozen and swapped processes on storage, before compression.
    public var swapUsed: ByteCount { ByteCount(book.swapped) }
}
