import Processes
import Quantities
import Vocabulary

/// What a scenario knows of an app with windows besides its process: what it waits for, and how it ended.
struct ScriptLife {
    /// What happens at the deadline.
    enum Wait {
        case nothing
        /// A launch is complete, or has taken too long.
        case launch(window: Int, isTooLong: Bool)
        case suspension
        /// The time of its task assertions is over.
        case expiration
        /// The time of its expiration handler is over.
        case timeout
        /// It has not answered for too long.
        case watchdog
    }

    var wait = Wait.nothing
    var deadline = SimTime.distantFuture
    /// Task assertions it holds, and when their common time is over; it runs in the background only.
    var tasks = 0
    var tasksEnd = SimTime.distantFuture
    var leftAt = SimTime.zero
    var load = 0.0
    var monitor = ProcessorMonitor()
    var processorLimit = SimTime.distantFuture
    var isHung = false
    var holdsLock = false
    /// How its process ended last.
    var exit: ExitCategory?

    /// When it must be looked at next.
    var next: SimTime { min(deadline, processorLimit) }

    /// The process is gone.
    mutating func end(_ category: ExitCategory) {
        self = ScriptLife()
        exit = category
    }
}
