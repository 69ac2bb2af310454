// SPDX-License-Identifier: GPL-3.0-or-later
import Platform
import Recording

/// Names of the files that an attempt at a shard (a part of the runs) writes: `exec-2of8-HOST-PID-TIME-RUNS`, followed
/// by `-1.seg`.
///
/// The name shows which runs a file can contain, so a shard in a large directory reads only the files that it needs.
struct ShareName {
    let text: String

    init(_ text: String) { self.text = text }

    /// Creates the common beginning of the names of an attempt's files.
    init(attempt label: String, of plan: Plan) {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let stamp = hexadecimal(UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec))
        text = "exec-\(label)-\(HostDescription.name)-\(getpid())-\(stamp)-\(plan.runs.count)"
    }

    /// Whether a file with this name can contain a selected run; true if the name has no range.
    func mayHold(_ selection: RunSelection, of total: Int) -> Bool {
        guard let own = range else { return true }
        switch selection {
        case .all, .meeting: return true
        case .shard(let index, let count): return own.overlaps(RunSelection.part(index, of: count, total))
        case .ranges(let ranges): return ranges.contains { own.overlaps(Range($0)) }
        }
    }

    /// Range of the shard's run numbers; nil if the name has no range.
    private var range: Range<Int>? {
        let words = text.split(separator: "-", omittingEmptySubsequences: false)
        guard words.count > 3, words[0] == "exec", words.last?.hasSuffix(".seg") == true,
            let total = Int(words[words.count - 2]), PlannedRuns.isNumber(total),
            case .shard(let index, let count) = RunSelection(shard: String(words[1]).replacing("of", with: "/")),
            PlannedRuns.isNumber(count)
        else { return nil }
        return RunSelection.part(index, of: count, total)
    }
}
