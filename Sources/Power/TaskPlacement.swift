// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// What an app works at in the background, as far as the system tells it apart when it chooses cores.
public enum TaskKind: Int, Sendable, CaseIterable, BitwiseCopyable {
    /// A process comes up, whatever for.
    case launch
    /// A push, a position, a call: somebody waits for what comes of it.
    case event
    /// A refresh.
    case refresh
    /// A processing task, or work that the user began and left.
    case processing
}

/// Which cores a piece of work runs on.
public enum CoreChoice: String, Sendable, CaseIterable, BitwiseCopyable {
    /// Those that the frequency policy chooses for all background work.
    case policy
    case efficiency, performance
}

/// Where one kind of background work runs.
public struct TaskCores: Sendable, BitwiseCopyable {
    /// The cores.
    public var cores = CoreChoice.policy
    /// The highest clock that it gets, as a share of the cores' highest; nothing where the policy chooses.
    public var clock = 1.0

    /// Creates what the policy chooses.
    public init() {}
}

/// Where each kind of background work runs.
///
/// Apple's systems choose cores by the quality of service that the work was given: the lowest runs on efficiency cores
/// alone, at about half of their clock on a chip with four of them, all others prefer performance cores and go over to
/// efficiency cores when those are taken (H. Oakley, eclecticlight.co, 2022-05-26 and 2022-10-17; xnu,
/// doc/scheduler/sched_clutch_edge.md). What quality an app's work has is its own choice, so none is placed unless a
/// file says so.
public struct TaskPlacement: Sendable, BitwiseCopyable {
    /// Processes that come up in the background.
    public var launch = TaskCores()
    /// Work for pushes, positions and calls.
    public var event = TaskCores()
    /// Refreshes.
    public var refresh = TaskCores()
    /// Processing tasks.
    public var processing = TaskCores()

    /// Creates a placement that leaves all to the frequency policy.
    public init() {}

    /// Where a kind runs.
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
    /// The keys of the figures in files, with what is allowed.
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
