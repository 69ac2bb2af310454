// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Processes
import Quantities

/// The parts of a system profile that may be absent: the reaper (`reaper_share: 0 %`) and the freezer.
extension SystemReader {
    static func readKillerOptions(_ map: MapReader, into os: inout OSProfile) {
        map.set(&os, OSProfile.reaperKeys)
        readAppSwap(map, into: &os)
        readFreezer(map, into: &os)
        readWriteback(map, into: &os)
    }

    /// `writeback: none`, or a map of what differs from the write-back of a Pixel.
    static func readWriteback(_ parent: MapReader, into os: inout OSProfile) {
        guard let cursor = parent.cursor("writeback") else { return }
        if cursor.node.scalar == "none" {
            os.writeback = nil
            return
        }
        let map = MapReader(cursor, expected: "the word \"none\" or a map such as {space: 512 MiB}")
        var rules = os.writeback ?? WritebackRules()
        map.set(&rules, WritebackRules.keys)
        map.finish()
        if map.isMap { os.writeback = rules }
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
        map.set(&rules, AppSwapRules.keys)
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
        map.set(&rules, FreezerRules.keys)
        map.finish()
        if map.isMap { os.freezer = rules }
    }
}
