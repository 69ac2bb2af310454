// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Quantities
import Statistics

/// Design of the points of a sweep, for analyses of all axes together.
public struct SweepDesign: Sendable, Equatable {
    /// Kind of the design.
    public enum Kind: String, Sendable, CaseIterable {
        /// Trajectories, for elementary effects.
        case morris
        /// Groups of points, for Sobol indices.
        case saltelli
    }

    /// Kind of the design.
    public let kind: Kind
    /// Indices of the points in the sweep, in the order of the design.
    ///
    /// A point may occur several times.
    public let rows: [Int]
    /// Ranges of the axes, in the units of their values.
    public let ranges: [ClosedRange<Double>]

    /// Creates a design.
    public init(kind: Kind, rows: [Int], ranges: [ClosedRange<Double>]) {
        self.kind = kind
        self.rows = rows
        self.ranges = ranges
    }
}

/// Range of a swept path; a design draws values from it.
struct SweepRange {
    let path: String
    let location: Node.Location
    let low: WrittenNumber
    let high: WrittenNumber
    /// Whether values are whole numbers; true if both ends are whole numbers.
    let isWhole: Bool

    /// Both ends, in the unit of the lower end.
    var ends: ClosedRange<Double> { low.value...(high.value(in: low) ?? low.value) }

    /// Number of whole numbers in the range; nil if values may be fractions.
    var count: Int? { isWhole ? Int(ends.upperBound - ends.lowerBound) + 1 : nil }

    /// Value at a share of the range, in the form for users.
    ///
    /// The value is rounded to a millionth of the range.
    func text(at share: Double, isOnGrid: Bool) -> String {
        let width = ends.upperBound - ends.lowerBound
        if isWhole {
            let whole = isOnGrid ? (share * width).rounded() : (share * (width + 1)).rounded(.down)
            return UnitText.plain(ends.lowerBound + min(whole, width))
        }
        var scale = 1.0
        while width * scale < 1e6, scale < 1e15 { scale *= 10 }
        let value = ((ends.lowerBound + share * width) * scale).rounded() / scale
        return UnitText.plain(value) + (low.unit.isEmpty ? "" : " " + low.unit)
    }

    /// Reads a range such as `[3 GiB, 8 GiB]`.
    init?(_ entry: Node.Entry, _ cursor: Cursor) {
        guard let items = entry.value.items, items.count == 2, let first = items[0].scalar, let last = items[1].scalar
        else {
            cursor.expected("a range such as [3 GiB, 8 GiB]")
            return nil
        }
        guard let low = WrittenNumber(first), let high = WrittenNumber(last), let end = high.value(in: low) else {
            cursor.fail("expected a range between two numbers of one kind, found [\(first), \(last)]")
            return nil
        }
        guard low.value < end else {
            cursor.fail("expected a range from a smaller to a larger number, found [\(first), \(last)]")
            return nil
        }
        path = entry.key
        location = entry.location
        self.low = low
        self.high = high
        isWhole = Int(first) != nil && Int(last) != nil
    }
}

extension Sweep {
    /// Ways of creating points.
    enum Mode: String, CaseIterable {
        case product, zip, list, lhs, sobol, morris, saltelli

        /// Whether points are drawn from ranges.
        var isDesign: Bool { self != .product && self != .zip && self != .list }
        /// Noun for the items that the key `count` counts.
        var counts: String {
            switch self {
            case .morris: "trajectories"
            case .saltelli: "groups"
            default: "points"
            }
        }
    }

    /// Distinct points of a design, and the order in which the design uses them.
    static func design(
        _ mode: Mode, _ map: MapReader, seed: UInt64
    ) -> (points: [[Setting]], rows: [Int], ranges: [SweepRange])? {
        let count = map.required("count", .integer(1...limit, example: "16"))
        let even = ValueReader<Int>.integer(2...100, example: "4").checked("an even number of levels") {
            $0.isMultiple(of: 2)
        }
        let stated = mode == .morris ? map.optional("levels", even) : nil
        let isWrong = mode == .morris && stated == nil && map.has("levels")
        let levels = stated ?? 4
        guard let ranges = ranges(map), let count, !isWrong else { return nil }
        if mode == .sobol || mode == .saltelli {
            let most = SamplingDesign.mostSobolDimensions / (mode == .saltelli ? 2 : 1)
            guard ranges.count <= most else {
                map.cursor.fail("mode \(mode.rawValue) takes at most \(most) ranges, found \(ranges.count)")
                return nil
            }
        }
        if mode == .morris, let narrow = ranges.first(where: { ($0.count ?? levels) < levels }) {
            map.cursor.report.add(
                narrow.location.problem(
                    "\(levels) levels need a range of at least \(levels) whole numbers",
                    hint: "use fewer levels (at least 2), or a wider range"))
            return nil
        }
        let group = mode == .morris ? ranges.count + 1 : mode == .saltelli ? ranges.count + 2 : 1
        guard count * group <= limit else {
            map.cursor.fail(
                "\(count) \(mode.counts) of \(ranges.count) axes give \(count * group) points, "
                    + "but at most \(limit) are allowed"
            )
            return nil
        }
        let shares = shares(mode, count, ranges.count, levels: levels, seed: seed)
        var points: [[Setting]] = []
        var known: [[String]: Int] = [:]
        let rows = shares.map { point -> Int in
            let texts = zip(ranges, point).map { $0.text(at: $1, isOnGrid: mode == .morris) }
            if let index = known[texts] { return index }
            known[texts] = points.count
            points.append(
                zip(ranges, texts).map { range, text in
                    let value = Node(.scalar(text, quoted: false), at: range.location)
                    return Setting(path: range.path, location: range.location, value: value)
                })
            return points.count - 1
        }
        return (points, rows, ranges)
    }

    private static func shares(
        _ mode: Mode, _ count: Int, _ dimensions: Int, levels: Int, seed: UInt64
    ) -> [[Double]] {
        switch mode {
        case .lhs: SamplingDesign.latinHypercube(count, dimensions: dimensions, seed: seed)
        case .morris: SamplingDesign.morris(count, dimensions: dimensions, levels: levels, seed: seed)
        case .saltelli: SamplingDesign.saltelli(count, dimensions: dimensions)
        default: SamplingDesign.sobol(count, dimensions: dimensions)
        }
    }

    private static func ranges(_ map: MapReader) -> [SweepRange]? {
        let cursor = map.cursor("ranges")
        guard let cursor, let entries = cursor.node.entries, !entries.isEmpty else {
            (cursor ?? map.cursor).fail(
                "expected ranges, a map from paths to [low, high]",
                hint: "for instance \"ranges: {device.memory.ram: [3 GiB, 8 GiB]}\"")
            return nil
        }
        guard areFew(entries, cursor) else { return nil }
        let ranges = entries.compactMap { entry -> SweepRange? in
            let axis = Cursor(Node(.scalar(entry.key, quoted: false), at: entry.location), report: cursor.report)
            guard isAllowed(entry.key, axis) else { return nil }
            return SweepRange(entry, cursor.child(entry.value, key: entry.key))
        }
        return ranges.count == entries.count ? ranges : nil
    }
}
