// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

extension FileKey {
    /// A distribution of lengths of time; without a cap, none exceeds a year, so that no sum of lengths can overflow.
    static func spread(_ path: Path<LogNormal>, _ name: String) -> FileKey {
        .record(path, name, .spread) { numbers in
            let median = SimDuration.seconds(numbers[0] ?? 0)
            let cap = numbers[2].map { SimDuration.seconds($0) } ?? max(median, .seconds(SimDuration.longestStated))
            return LogNormal(median: median, sigma: numbers[1] ?? 0, cap: cap)
        }
    }

    /// A time of day with its spread.
    static func clock(_ path: Path<ClockHour>, _ name: String) -> FileKey {
        .record(path, name, .clock) { numbers in
            func hours(_ index: Int) -> Double { SimDuration.seconds(numbers[index] ?? 0) / .hour }
            return ClockHour(mean: hours(0), deviation: hours(1))
        }
    }

    /// Spans of a day, in clock hours.
    static func spans(_ path: Path<[ClosedRange<Double>]>, _ name: String) -> FileKey {
        .records(path, name, .span) { numbers in
            func hours(_ index: Int) -> Double { SimDuration.seconds(numbers[index] ?? 0) / .hour }
            return hours(0)...hours(1)
        }
    }
}

extension FileRecord {
    fileprivate static let spread = FileRecord(
        "a spread", example: "{median: 12 s, sigma: 1.8}",
        fields: [
            .quantity("median", .time, 1e-9...3e7), .number("sigma", 0...10, example: "0.5"),
            .quantity("cap", .time, 1e-9...3.2e7, isOptional: true),
        ]
    ) { numbers in
        guard let median = numbers[0], let cap = numbers[2], cap < median else { return nil }
        return FileFieldProblem("cap", expected: "a cap that is not below the median")
    }

    fileprivate static let clock = FileRecord(
        "a time of day", example: "{mean: 23.3 h, deviation: 48 min}",
        fields: [.quantity("mean", .time, 0...172_800), .quantity("deviation", .time, 0...86400)])

    fileprivate static let span = FileRecord(
        "a span", example: "{from: 9 h, to: 17 h}",
        fields: [.quantity("from", .time, 0...172_800), .quantity("to", .time, 0...172_800)]
    ) { numbers in
        guard let from = numbers[0], let to = numbers[1], from > to else { return nil }
        return FileFieldProblem(
            "to", expected: "an end after the beginning", hint: "hours above 24 belong to the next day")
    }
}
