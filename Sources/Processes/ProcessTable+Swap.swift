// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures
import Vocabulary

/// App swap, on tablets with fast storage: compressed memory of suspended apps goes to storage before anybody dies.
///
/// Source: `memorystatus_pick_action` (xnu-11417.101.15) and `osfmk/vm/vm_compressor_backing_store.c`: 4 GiB of swap,
/// 16 to 64 on large configurations; kills for want of swap exist and are off (`jetsam_kill_on_low_swap`).
public struct AppSwapRules: Sendable, Equatable {
    /// How much memory storage takes, before compression.
    public var space: ByteCount = .gibibytes(4)
    /// Below this share of free space the swap is low (assumption).
    public var lowShare = 0.1
    /// Whether apps die when it is low or full.
    public var killsWhenLow = false
    /// Up to this band suspended apps die when it is low.
    public var lowBand: Int16 = 29

    /// Creates the rules of iOS 18.
    public init() {}

    /// The keys of the rules in files, with what is allowed.
    public static let keys: [FileKey<AppSwapRules>] = [
        .bytes(\.space, "space"), .share(\.lowShare, "low_share"), .flag(\.killsWhenLow, "kills_when_low"),
    ]
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
    /// Allows the memory of a whole coalition to go to storage; its leader must be named, and it cannot be undone.
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

    /// Memory written to storage since the start, before compression.
    public var written: ByteCount { totals.written }
    /// Whether a process's memory may go to storage.
    public func isSwappable(_ app: AppID) -> Bool { controls[Int(app.index)].isSwappable }
    /// Memory on storage, of frozen and of swapped processes, before compression.
    public var swapUsed: ByteCount { ByteCount(book.swapped) }
}
