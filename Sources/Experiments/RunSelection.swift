// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Files

/// Selection of runs of a plan, as the user writes it.
public enum RunSelection: Sendable, Equatable {
    /// All runs.
    case all
    /// One of several parts of nearly equal size; parts are numbered from 1.
    case shard(Int, of: Int)
    /// Runs whose numbers are in these ranges, which ascend and do not overlap.
    case ranges([ClosedRange<Int>])
    /// Runs that meet a condition.
    case meeting(RunCondition)

    /// Reads a part such as `2/8`; nil for any other text.
    public init?(shard text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let index = parts[0], let count = parts[1], count > 0, (1...count).contains(index),
            PlannedRuns.isNumber(count)
        else { return nil }
        self = .shard(index, of: count)
    }

    /// Reads a list such as `3,7-9`, or a file that contains such a list on any number of lines.
    ///
    /// - Throws: `Diagnostics` about an invalid word, with its file and line.
    public init(runs text: String) throws {
        guard FilePath.exists(text) else {
            self = try .init(numbers: text)
            return
        }
        self = try .init(numbers: String(decoding: try readFile(text, upTo: 16 << 20), as: UTF8.self), of: text)
    }

    /// Reads a list such as `3,7-9`.
    ///
    /// - Parameter file: file that contains the words; nil for the command line.
    /// - Throws: `Diagnostics` about an invalid word, with its file and line.
    init(numbers words: String, of file: String? = nil) throws(Diagnostics) {
        var ranges: [ClosedRange<Int>] = []
        for (line, content) in words.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            for word in content.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
                let ends = word.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
                guard ends.count <= 2, let low = ends[0], let high = ends[ends.count - 1], low >= 0, low <= high
                else {
                    let origin = file.map { "\($0):\(line + 1): " } ?? "--runs: "
                    throw Diagnostics(
                        "\(origin)expected numbers of runs, found \"\(word)\"", hint: "for instance 3,7-9")
                }
                ranges.append(low...high)
            }
        }
        self = .ranges(Self.joined(ranges))
    }

    /// Sorts ranges and joins those that overlap or touch.
    ///
    /// Memory and time do not depend on the size of the ranges.
    private static func joined(_ ranges: [ClosedRange<Int>]) -> [ClosedRange<Int>] {
        var joined: [ClosedRange<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = joined.last, range.lowerBound - 1 <= last.upperBound {
                joined[joined.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
        return joined
    }

    /// The selected runs of a plan.
    ///
    /// A part is a contiguous piece of the plan, so most replications are in one part with all their policies. All
    /// parts take about the same time.
    ///
    /// - Throws: `Diagnostics` when the plan does not have a selected run.
    public func runs(of plan: Plan) throws(Diagnostics) -> ArraySlice<PlannedRun> {
        switch self {
        case .all: return Array(plan.runs)[...]
        case .shard(let index, let count):
            return Array(plan.runs[Self.part(index, of: count, plan.runs.count)])[...]
        case .ranges(let ranges):
            if let last = ranges.last?.upperBound, last >= plan.runs.count {
                throw Diagnostics("the plan has no run \(last)", hint: "its runs are 0 to \(plan.runs.count - 1)")
            }
            return ranges.flatMap { plan.runs[$0] }[...]
        case .meeting(let condition): return try condition.runs(of: plan)[...]
        }
    }

    /// Numbers of the runs in a part.
    static func part(_ index: Int, of count: Int, _ total: Int) -> Range<Int> {
        total * (index - 1) / count..<total * index / count
    }

    /// Word for the names of files: `2of8`, `runs` or `all`.
    var label: String {
        switch self {
        case .all: "all"
        case .shard(let index, let count): "\(index)of\(count)"
        case .ranges, .meeting: "runs"
        }
    }

    /// Numbers as text for `--runs`, with ranges for consecutive numbers: `3,7-9`.
    public static func text(_ numbers: some Sequence<Int>) -> String {
        var ranges: [(low: Int, high: Int)] = []
        for number in numbers {
            if let last = ranges.indices.last, ranges[last].high + 1 == number {
                ranges[last].high = number
            } else {
                ranges.append((number, number))
            }
        }
        return ranges.map { $0.low == $0.high ? "\($0.low)" : "\($0.low)-\($0.high)" }.joined(separator: ",")
    }
}
