// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Processes
import Quantities

/// Reads the optional parts of a system profile: the reaper (off with `reaper_share: 0 %`), the freezer, app swap and
/// the write-back.
extension SystemReader {
    static func readKillerOptions(_ map: MapReader, into os: inout OSProfile) {
        map.set(&os, OSProfile.reaperKeys)
        readSwapAndFreezer(map, into: &os)
        _ = readRules(map, "writeback", &os.writeback, WritebackRules(), WritebackRules.keys, "{space: 512 MiB}")
    }

    /// Reads `app_swap` and `freezer`; with app swap, a freezer starts from `FreezerRules.withAppSwap`.
    static func readSwapAndFreezer(_ map: MapReader, into os: inout OSProfile) {
        let swaps = readRules(map, "app_swap", &os.appSwap, AppSwapRules(), AppSwapRules.keys, "{space: 4 GiB}")
        if swaps, os.freezer != nil { os.freezer = .withAppSwap }
        _ = readRules(map, "freezer", &os.freezer, FreezerRules(), FreezerRules.keys, "{slots: 20}")
    }

    /// Reads `none`, or a map of differences from the profile's rules or from the default rules.
    ///
    /// Returns whether the value is a map.
    private static func readRules<Rules>(
        _ parent: MapReader, _ key: String, _ rules: inout Rules?, _ usual: Rules, _ keys: [FileKey<Rules>],
        _ example: String
    ) -> Bool {
        guard let cursor = parent.cursor(key) else { return false }
        if cursor.node.scalar == "none" {
            rules = nil
            return false
        }
        let map = MapReader(cursor, expected: "the word \"none\" or a map such as \(example)")
        var changed = rules ?? usual
        map.set(&changed, keys)
        map.finish()
        if map.isMap { rules = changed }
        return map.isMap
    }
}
