// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// The OS's limits for continued processing.
public struct ContinuedParameters: Sendable {
    /// Number of tasks that may run at once; assumption: Apple states no number.
    public var limit = 2
    /// Longest time without a report of progress.
    ///
    /// Assumption: Apple requires reports but states no interval.
    public var patience = SimDuration.minutes(1)
    /// Whether the phone lets background work use the graphics processor.
    ///
    /// Assumption: not all devices do (Apple, BGTaskRequest.h), and Apple does not say which.
    public var hasGPU = false

    /// Creates the rules of a current phone.
    public init() {}
}

/// Why a request for background work was refused, with the numbers of Apple's `BGTaskScheduler.Error.Code`.
///
/// Tables contain the raw value.
public enum RequestError: String, Sendable, CaseIterable, BitwiseCopyable {
    /// Switched off by the user, or not available on this phone.
    case unavailable
    /// Too many requests of the kind are pending.
    case tooManyPendingTaskRequests
    /// The app lacks the mode, the permitted identifier or the entitlement.
    case notPermitted
    /// A continued-processing request with the strategy `fail` cannot start at once.
    case immediateRunIneligible

    /// The number of the error in Apple's interface.
    public var code: Int {
        switch self {
        case .unavailable: 1
        case .tooManyPendingTaskRequests: 2
        case .notPermitted: 3
        case .immediateRunIneligible: 4
        }
    }
}

/// One continued-processing task: work that the user began and that continues after the app leaves the screen (iOS 26).
public struct ContinuedTask: Sendable, Equatable, BitwiseCopyable {
    /// The app that the task belongs to.
    public var app: AppID
    /// Identifier of the task within the app; a new task replaces a queued one with the same identifier.
    public var identifier: UInt8
    /// When the task was submitted.
    public var submitted: SimTime
    /// When the task started; `distantFuture` while it is queued.
    public var started = SimTime.distantFuture
    /// Share of the work that is done, 0 to 1.
    public var progress = 0.0
    /// When the task last reported progress.
    public var reported = SimTime.distantFuture
    /// Factor that multiplies the length of the task.
    public var spread = 1.0
    /// Whether the task reports progress, which Apple requires.
    public var reports = true

    /// Creates a task that was submitted and has not started.
    public init(app: AppID, identifier: UInt8, submitted: SimTime) {
        self.app = app
        self.identifier = identifier
        self.submitted = submitted
    }
}

/// Result of submitting or ending a task.
public enum ContinuedAnswer: Sendable, Equatable, BitwiseCopyable {
    /// The task is running now.
    case started
    /// The task waits until a running task ends.
    case queued
    /// The task was refused.
    case refused(RequestError)
}

/// The continued-processing tasks of a phone.
///
/// An app on screen submits a task after an action of the user; the earliest begin is ignored. A limited number of
/// tasks runs at once. Other tasks are queued in order of submission or refused, according to their strategy. A running
/// task that does not report progress is ended. Under pressure, the task with the least progress is ended first. If the
/// user removes an app from the app switcher, its queued tasks are cancelled and its running tasks end. Source: Apple,
/// BGTaskRequest.h and the documentation of BGContinuedProcessingTask.
public struct ContinuedTasks: Sendable {
    /// Number of tasks that may run at once.
    public var limit: Int
    /// Longest time for which a running task may go without reporting progress.
    public var patience: SimDuration

    /// Running tasks in the order of their start.
    public private(set) var running: [ContinuedTask] = []
    /// Waiting tasks in the order of their submission.
    public private(set) var queued: [ContinuedTask] = []

    /// Creates an empty list of tasks.
    public init(_ parameters: ContinuedParameters = ContinuedParameters()) {
        limit = parameters.limit
        patience = parameters.patience
    }

    /// Submits a task that the user began in the app on screen.
    ///
    /// A queued task with the same identifier is replaced. If a task with that identifier runs, the new task waits or
    /// fails.
    public mutating func submit(
        _ app: AppID, identifier: UInt8 = 0, strategy: ContinuedStrategy = .queue, spread: Double = 1,
        reports: Bool = true, isForeground: Bool, at now: SimTime
    ) -> ContinuedAnswer {
        guard isForeground else { return .refused(.notPermitted) }
        var task = ContinuedTask(app: app, identifier: identifier, submitted: now)
        task.spread = spread
        task.reports = reports
        queued.removeAll { $0.app == app && $0.identifier == identifier }
        let isDuplicate = running.contains { $0.app == app && $0.identifier == identifier }
        if !isDuplicate, running.count < limit, queued.isEmpty {
            start(task, at: now)
            return .started
        }
        guard strategy == .queue else { return .refused(.immediateRunIneligible) }
        queued.append(task)
        return .queued
    }

    private mutating func start(_ task: ContinuedTask, at now: SimTime) {
        var task = task
        task.started = now
        task.reported = now
        running.append(task)
    }

    /// Starts the task that has waited longest, if another one may run; call this until it returns nil.
    public mutating func startNext(at now: SimTime) -> ContinuedTask? {
        guard running.count < limit else { return nil }
        let next = queued.firstIndex { task in
            !running.contains { $0.app == task.app && $0.identifier == task.identifier }
        }
        guard let next else { return nil }
        start(queued.remove(at: next), at: now)
        return running.last
    }

    /// Sets the progress of a running task; progress never decreases.
    public mutating func report(_ progress: Double, of app: AppID, identifier: UInt8 = 0, at now: SimTime) {
        guard let index = index(of: app, identifier), progress > running[index].progress else { return }
        running[index].progress = min(1, progress)
        running[index].reported = now
    }

    /// Ends a running task that is done, has failed, or was cancelled by the user on its Live Activity.
    @discardableResult
    public mutating func finish(_ app: AppID, identifier: UInt8 = 0) -> ContinuedTask? {
        index(of: app, identifier).map { running.remove(at: $0) }
    }

    /// Ends the running task with the least progress; of tasks with equal progress, the one started last.
    ///
    /// Returns nil if no task runs.
    public mutating func shed() -> ContinuedTask? {
        let least = running.indices.min {
            (running[$0].progress, running[$1].started) < (running[$1].progress, running[$0].started)
        }
        return least.map { running.remove(at: $0) }
    }

    /// Ends the first running task that has not reported progress for too long; call this until it returns nil.
    public mutating func endStalled(at now: SimTime) -> ContinuedTask? {
        let stalled = running.firstIndex { now - $0.reported > patience }
        return stalled.map { running.remove(at: $0) }
    }

    /// Removes an app from the app switcher: its queued tasks are cancelled, and its running tasks end.
    public mutating func remove(_ app: AppID) -> (cancelled: [ContinuedTask], ended: [ContinuedTask]) {
        let mine = (queued.filter { $0.app == app }, running.filter { $0.app == app })
        queued.removeAll { $0.app == app }
        running.removeAll { $0.app == app }
        return mine
    }

    private func index(of app: AppID, _ identifier: UInt8) -> Int? {
        running.firstIndex { $0.app == app && $0.identifier == identifier }
    }
}

extension ContinuedParameters {
    /// The keys of these parameters in files, with their allowed values.
    public static let keys: [FileKey<ContinuedParameters>] = [
        .integer(\.limit, "limit", 1...1000, example: "2"),
        .time(\.patience, "patience", 1...86400),
        .flag(\.hasGPU, "gpu"),
    ]
}
