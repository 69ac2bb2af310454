// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Processes
import Quantities
import Testing

/// Holds the table of constants in `docs/memory.md` to the code.
@Suite struct MemoryPageTests {
    /// The values of the code under the names of the page.
    private static var values: [String: String] {
        let ram = ByteCount.gibibytes(4)
        let os = OSProfile.ios18Point4(ram: ram)
        let memory = MemoryParameters(ram: ram)
        let freezer = FreezerRules()
        func share(_ value: Double?) -> String { UnitText.format(value ?? .nan, as: .fraction) }
        func ofRAM(_ size: ByteCount) -> String { share((size / ram * 1e6).rounded() / 1e6) }
        func time(_ value: SimDuration) -> String { UnitText.format(value.seconds, as: .time) }
        func size(_ value: ByteCount) -> String { UnitText.format(Double(value.bytes), as: .bytes) }
        return [
            "critical_share": share(os.criticalShare), "idle_share": share(os.idleShare),
            "soft_share": share(os.softShare), "reaper_share": share(os.reaperShare),
            "reaped_after": time(os.reapedAfter), "reaper_rescan": time(os.reaperRescan),
            "aging_delay": time(os.agingDelay), "daemon_aging_low": time(os.daemonAging[0]),
            "daemon_aging_medium": time(os.daemonAging[1]), "daemon_aging_high": time(os.daemonAging[2]),
            "stuck_delay": time(os.stuckDelay), "aggressive_share": share(os.aggressiveShare),
            "aggressive_candidates": "\(os.aggressiveCandidates)", "aggressive_window": time(os.aggressiveWindow),
            "sustained_after": time(os.sustainedAfter), "sustained_spacing": time(os.sustainedSpacing),
            "warning_below": share(os.warningBelow), "normal_above": share(os.normalAbove),
            "critical_below": share(os.criticalBelow), "warning_above": share(os.warningAbove),
            "warned_footprint": size(os.warnedFootprint), "warned_band": "\(os.warnedBand)",
            "notice_spacing": time(os.noticeSpacing), "notice_rest": time(os.noticeRest),
            "notice_repeat": time(os.noticeRepeat), "notice_drop_delay": time(os.noticeDropDelay),
            "freezer_slots": "\(freezer.slots)", "freezer_below_share": share(freezer.belowShare),
            "freezer_spacing": time(freezer.spacing), "freezer_minimum": size(freezer.minimum),
            "freezer_daily_budget": size(freezer.dailyBudget),
            "freezer_demotions_per_day": "\(freezer.demotionsPerDay)", "compressor_ratio": "\(memory.compressorRatio)",
            "suspended_compressed_share": share(memory.suspendedCompressedShare),
            "idle_compressed_share": share(memory.idleCompressedShare), "reserved": ofRAM(memory.reserved),
            "wired": ofRAM(memory.wired), "system_footprint": ofRAM(memory.systemFootprint),
            "compress_below_share": share(memory.compressBelowShare),
            "foreground_decompressed_share": share(memory.foregroundDecompressedShare),
            "background_decompressed_share": share(memory.backgroundDecompressedShare),
            "decompressed_per_second": size(memory.decompressedPerSecond),
            "swap_read_per_second": size(memory.swapReadPerSecond),
            "file_cache_minimum": ofRAM(memory.fileCacheMinimum), "free_target": ofRAM(memory.freeTarget),
            "warm_share": share(memory.warmShare), "resume_files_share": share(memory.resumeFilesShare),
            "camera_wired": size(memory.cameraWired), "per_process_limit": size(memory.perProcessLimit),
        ]
    }

    @Test func `the page gives the constants of the code`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: root.appendingPathComponent("docs/memory.md"), encoding: .utf8)
        var found: [String: String] = [:]
        let rows = page.split(separator: "\n").drop { $0 != "## Constants" }.filter { $0.hasPrefix("| `") }
        for cell in rows.compactMap({ $0.split(separator: "|").first }) {
            for match in cell.matches(of: #/`([^`]+)` ([^,]+)/#) {
                found[String(match.1)] = match.2.trimmingCharacters(in: .whitespaces)
            }
        }
        let values = Self.values
        #expect(found.keys.sorted() == values.keys.sorted())
        for (name, value) in values.sorted(by: { $0.key < $1.key }) { #expect(found[name] == value, "\(name)") }
    }

    @Test(arguments: [
        (2.0, "5 %", "10 %", "15 %", "20 %"), (6, "4 %", "9 %", "15 %", "18 %"), (8, "4 %", "8 %", "12 %", "16 %"),
    ])
    func `thresholds follow the table`(gibibytes: Double, critical: String, idle: String, soft: String, reaper: String)
    {
        let os = OSProfile.ios18Point4(ram: .gibibytes(gibibytes))
        let found = [os.criticalShare, os.idleShare, os.softShare, os.reaperShare ?? 0].map {
            UnitText.format($0, as: .fraction)
        }
        #expect(found == [critical, idle, soft, reaper])
    }
}
