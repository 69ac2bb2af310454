// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Kinds of background work that the system distinguishes when it chooses cores.
public enum TaskKind: Int, Sendable, CaseIterable, BitwiseCopyable {
    /// Start of a process, for any reason.
    case launch
    /// A push, a position or a call: work with a result that the user or the app waits for.
    case event
    /// A refresh.
    case refresh
    /// A processing task, or work that the user began and left.
    case processing
}

/// The cores on which a piece of work runs.
public enum CoreChoice: String, Sendable, CaseIterable, BitwiseCopyable {
    /// The cores that the frequency policy chooses for all background work.
    case policy
    case efficiency, performance
}

/// Cores and clock of one kind of background work.
public struct TaskCores: Sendable, BitwiseCopyable {
    /// The cores.
    public var cores = CoreChoice.policy
    /// The highest clock of the work, as a share of the cores' highest clock; unused if the policy chooses.
    public var clock = 1.0

    /// Creates the policy's choice.
    public init() {}
}

/// Cores of each kind of background work.
///
/// Apple's systems choose cores by the quality of service of the work. Work of the lowest quality runs only on
/// efficiency cores, at about half of their clock on a chip with four of them. All other work prefers performance
/// cores, and uses efficiency cores when the performance cores are taken. Source: H. Oakley, eclecticlight.co,
/// 2022-05-26 and 2022-10-17; xnu, doc/scheduler/sched_clutch_edge.md.
///
/// Each app chooses the quality of its work, so no kind has a placement by default.
public struct TaskPlacement: Sendable, BitwiseCopyable {
    /// Start of processes in the background.
    public var launch = TaskCores()
    /// Work for pushes, positions and calls.
    public var event = TaskCores()
    /// Refreshes.
    public var refresh = TaskCores()
    /// Processing tasks.
    public var processing = TaskCores()

    /// Creates a placement that leaves every kind to the frequency policy.
    public init() {}

    /// Cores of a kind.
    subscript(kind: TaskKind) -> TaskCores {
        switch kind {
        case .launch: launch
        case .event: event
        case .refresh: refresh
        case .processing: processing
        }
    }
}

extension TaskPlacement {
    /// The keys of these values in files, with their allowed ranges.
    public static let keys: [FileKey<TaskPlacement>] = [
        .map("launch", cores(\.launch.cores, \.launch.clock)),
        .map("event", cores(\.event.cores, \.event.clock)),
        .map("refresh", cores(\.refresh.cores, \.refresh.clock)),
        .map("processing", cores(\.processing.cores, \.processing.clock)),
    ]

    private static func cores(
        _ cores: FileKey<TaskPlacement>.Path<CoreChoice>, _ clock: FileKey<TaskPlacement>.Path<Double>
    ) -> [FileKey<TaskPlacement>] {
        [.choice(cores, "cores", "choice of cores"), .share(clock, "clock")]
    }
}
