// SPDX-License-Identifier: GPL-3.0-or-later
import Recording
import Scenario

/// Rules for the supervision of workers and for failed runs.
public struct Supervision: Sendable {
    /// Reaction to a failed run.
    public var onError: FailureRule
    /// Time limit of a run.
    public var patience: Patience

    /// Creates rules.
    public init(onError: FailureRule = .proceed, patience: Patience = .standard) {
        self.onError = onError
        self.patience = patience
    }
}

/// Time limit of a run.
///
/// A worker that exceeds the limit counts as stalled and is ended.
public struct Patience: Sendable, Equatable {
    /// Ten times the median time of the runs at the same sweep point, but at least a minute.
    public static let standard = Patience(multiple: 10, floor: 60)
    /// Time limit in seconds for a worker that reads its experiment, or that was dismissed.
    static let aroundRuns = 60.0
    /// Additional start time, in seconds, for each policy in a library or a process.
    ///
    /// The worker starts and queries the policy, and a foreign program may take that long on a busy machine.
    private static let aroundPolicy = 300.0

    /// Time limit in seconds until a worker is ready for the runs of a plan.
    static func start(_ plan: Plan) -> Double {
        aroundRuns + aroundPolicy * Double(plan.policies.count { !$0.code.isEmpty })
    }

    /// Multiple of the median; nil for a fixed limit.
    private let multiple: Double?
    /// Smallest limit, or the fixed limit, in seconds.
    private let floor: Double

    /// Creates a limit that is a multiple of the median, but at least `floor` seconds.
    public init(multiple: Double, floor: Double) {
        self.multiple = multiple
        self.floor = floor
    }

    /// Creates a fixed limit, in seconds.
    public init(seconds: Double) {
        multiple = nil
        floor = seconds
    }

    /// Time limit of a run in seconds; nil for a multiple of the median before any run has finished.
    func limit(median: Double?) -> Double? {
        guard let multiple else { return floor }
        return median.map { max(floor, multiple * $0) }
    }

    /// Reason for ending a run that exceeded the limit.
    func reason(limit: Double) -> String {
        let time = limit < 1 ? "\(Int((1000 * limit).rounded(.up))) ms" : Progress.duration(limit)
        guard let multiple else { return "the run took longer than \(time) and was ended" }
        return limit > floor
            ? "the run took longer than \(time), \(Int(multiple)) times the median at its sweep point, and was ended"
            : "the run took longer than \(time), far above the median at its sweep point, and was ended"
    }
}

/// Times of finished runs, by sweep point.
struct RunTimes {
    /// Times in seconds by sweep point, in ascending order.
    private var sorted: [[Double]]

    init(points: Int) { sorted = Array(repeating: [], count: points) }

    /// Reads the times of the runs in a store.
    init(_ plan: Plan, _ store: RunStore) {
        self.init(points: plan.points.count)
        for number in store.done where number < plan.runs.count {
            if let seconds = store.seconds(number) { sorted[plan.runs[number].point].append(seconds) }
        }
        for point in sorted.indices { sorted[point].sort() }
    }

    mutating func add(_ seconds: Double, point: Int) {
        var low = 0
        var high = sorted[point].count
        while low < high {
            let middle = (low + high) / 2
            if sorted[point][middle] < seconds { low = middle + 1 } else { high = middle }
        }
        sorted[point].insert(seconds, at: low)
    }

    /// Median, or the upper of the two middle values; nil when no run has finished.
    func median(point: Int) -> Double? {
        sorted[point].isEmpty ? nil : sorted[point][sorted[point].count / 2]
    }
}
