// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Processes
import Quantities

/// The parts of a system profile that may be absent: the reaper (`reaper_share: 0 %`) and the freezer.
extension SystemReader {
    static func readKillerOptions(_ map: MapReader, into os: inout OSProfile) {
        if let share = map.optional("reaper_share", .share) { os.reaperShare = share > 0 ? share : nil }
        map.set(&os.reapedAfter, "reaped_after", .duration())
        map.set(&os.reaperRescan, "reaper_rescan", .duration())
        readAppSwap(map, into: &os)
        readFreezer(map, into: &os)
    }

    /// `app_swap: none`, or a map of what differs from the swap of iOS 18; a freezer gets the rules that go with it.
    static func readAppSwap(_ parent: MapReader, into os: inout OSProfile) {
        guard let cursor = parent.cursor("app_swap") else { return }
        if cursor.node.scalar == "none" {
            os.appSwap = nil
            return
        }
        let map = MapReader(cursor, expected: "the word \"none\" or a map such as {space: 4 GiB}")
        var rules = os.appSwap ?? AppSwapRules()
        map.set(&rules.space, "space", .bytes())
        map.set(&rules.lowShare, "low_share", .share)
        map.set(&rules.killsWhenLow, "kills_when_low", .flag)
        map.finish()
        guard map.isMap else { return }
        os.appSwap = rules
        if os.freezer != nil { os.freezer = .withAppSwap }
    }

    /// `freezer: none`, or a map of what differs from the profile's freezer, or from that of iOS 18 without one.
    static func readFreezer(_ parent: MapReader, into os: inout OSProfile) {
        guard let cursor = parent.cursor("freezer") else { return }
        if cursor.node.scalar == "none" {
            os.freezer = nil
            return
        }
        let map = MapReader(cursor, expected: "the word \"none\" or a map such as {slots: 20}")
        var rules = os.freezer ?? FreezerRules()
        map.set(&rules.slots, "slots", .integer(0...1000, example: "20"))
        map.set(&rules.belowShare, "below_share", .share)
        map.set(&rules.spared, "spared", .integer(0...1000, example: "4"))
        map.set(&rules.spacing, "spacing", .duration())
        map.set(&rules.minimum, "minimum", .bytes())
        if let largest = map.optional("largest", .bytes()) { rules.largest = largest }
        map.set(&rules.dailyBudget, "daily_budget", .bytes())
        map.set(&rules.demotionsPerDay, "demotions_per_day", .integer(0...1000, example: "2"))
        map.finish()
        if map.isMap { os.freezer = rules }
    }
}
