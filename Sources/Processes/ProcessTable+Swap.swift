import Quantities
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
        govern()
        begin(at: now)
        let index = Int(app.index)
        guard processes[index].isAlive, profile.appSwap != nil else { return .notFound }
        let traits = governance.controls[index].traits
        guard traits.role == .leader else { return .invalid }
        governance.controls[index].isSwappable = true
        var members: [Int] = []
        governance.coalitions.forEach(in: traits.coalition) { members.append($0) }
        for member in members { governance.controls[member].isSwappable = true }
        for member in members + [index] { noteSwappable(member) }
        settle(at: now)
        return nil
    }

    /// Whether a process's memory may go to storage.
    public func isSwappable(_ app: AppID) -> Bool { isGoverned && governance.controls[Int(app.index)].isSwappable }
    /// Memory on storage, of frozen and of swapped processes, before compression.
    public var swapUsed: ByteCount { isGoverned ? ByteCount(governance.swapUsed) : .zero }
}

extension ProcessTable {
    private var swapLeft: Int64 { (profile.appSwap?.space.bytes ?? 0) - governance.swapUsed }

    /// Whether little swap is left, which then names the kills of an unhealthy system.
    var isSwapLow: Bool {
        guard let rules = profile.appSwap else { return false }
        return Double(swapLeft) < rules.lowShare * Double(rules.space.bytes)
    }

    /// Keeps the list of suspended processes with memory that could go to storage.
    mutating func noteSwappable(_ index: Int) {
        guard profile.appSwap != nil else { return }
        let control = governance.controls[index]
        if control.isSwappable, processes[index].state == .suspended, processes[index].compressed > control.swapped {
            if !governance.swappable.contains(index) { governance.swappable.moveToTail(index) }
        } else {
            governance.swappable.remove(index)
        }
    }

    /// One step of the swapper, or a kill for want of swap where those are on; false when neither is possible.
    mutating func swapOrKill(at now: SimTime) -> Bool {
        guard let rules = profile.appSwap else { return false }
        if rules.killsWhenLow, isSwapLow {
            let isOut = swapLeft <= 0
            let victim = governance.queues.first(through: isOut ? 210 : rules.lowBand) { index in
                governance.controls[index].isSwappable && (isOut || processes[index].state == .suspended)
            }
            if let victim {
                kill(entry(victim), .lowSwap, idleOnly: false, at: now)
                return true
            }
        }
        while swapLeft > 0, governance.swappable.head >= 0 {
            let index = Int(governance.swappable.head)
            governance.swappable.remove(index)
            let record = processes[index]
            guard record.state == .suspended else { continue }
            let moved = min(swapLeft, record.compressed - governance.controls[index].swapped)
            setSwapped(index, governance.controls[index].swapped + moved)
            setMemory(index, resident: record.resident, compressed: record.compressed)
            return true
        }
        return false
    }

    /// The only place where memory on storage changes.
    mutating func setSwapped(_ index: Int, _ size: Int64) {
        governance.swapUsed += size - governance.controls[index].swapped
        governance.controls[index].swapped = size
    }
}
