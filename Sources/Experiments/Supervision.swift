// SPDX-License-Identifier: GPL-3.0-or-later
import Recording
import Scenario

/// How a session watches its workers, and what follows when a run fails.
public struct Supervision: Sendable {
    /// What follows when a run fails.
    public var onError: FailureRule
    /// How long a run may take.
    public var patience: Patience

    /// Creates rules of watching.
    public init(onError: FailureRule = .proceed, patience: Patience = .standard) {
        self.onError = onError
        self.patience = patience
    }
}

/// How long a run may take before its worker counts as stalled and is ended.
public struct Patience: Sendable, Equatable {
    /// Ten times the median, a minute at least; the median is that of the runs at the same sweep point.
    public static let standard = Patience(multiple: 10, floor: 60)
    /// A worker that reads its experiment, or was told to go, has this long, in seconds.
    static let aroundRuns = 60.0
    /// And so much longer for each policy of a library or a process, which it asks what it is: as long as a program may
    /// take over that on a busy machine.
    private static let aroundPolicy = 300.0

    /// How long a worker may take before it is ready for the runs of a plan, in seconds.
    static func start(_ plan: Plan) -> Double {
        aroundRuns + aroundPolicy * Double(plan.policies.count { !$0.code.isEmpty })
    }

    /// Multiple of the median; nil for a fixed time.
    private let multiple: Double?
    /// Least time, or the fixed one, in seconds.
    private let floor: Double

    /// A multiple of the median, and the least time, in seconds.
    public init(multiple: Double, floor: Double) {
        self.multiple = multiple
        self.floor = floor
    }

    /// A fixed time, in seconds.
    public init(seconds: Double) {
        multiple = nil
        floor = seconds
    }

    /// The most seconds that a run may take; nil while no run tells what is usual.
    func limit(median: Double?) -> Double? {
        guard let multiple else { return floor }
        return median.map { max(floor, multiple * $0) }
    }

    /// Why a run was ended that took longer than the limit.
    func reason(limit: Double) -> String {
        let time = limit < 1 ? "\(Int((1000 * limit).rounded(.up))) ms" : Progress.duration(limit)
        guard let multiple else { return "it took longer than \(time) and was ended" }
        return limit > floor
            ? "it took longer than \(time), \(Int(multiple)) times the median at its sweep point, and was ended"
            : "it took longer than \(time), far above the median at its sweep point, and was ended"
    }
}

/// The times that finished runs took, by sweep point.
struct RunTimes {
    /// In seconds, ascending.
    private var sorted: [[Double]]

    init(points: Int) { sorted = Array(repeating: [], count: points) }

    /// The times of the runs that a store holds.
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

    /// The upper of the two middle times; nil when no run has finished.
    func median(point: Int) -> Double? {
        sorted[point].isEmpty ? nil : sorted[point][sorted[point].count / 2]
    }
}
