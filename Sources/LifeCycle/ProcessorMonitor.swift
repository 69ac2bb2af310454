// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// The system's limit on the processor time of a process without a visible window.
///
/// A process that uses `processorTime` within `processorWindow` is killed at that instant. Source: crash reports ("48
/// seconds cpu time over 60 seconds, exceeding limit of 80 % cpu over 60 seconds"). A window begins with the first use
/// after a pause, and the next window follows directly. The kernel's ledger refills in the same way (xnu
/// `osfmk/kern/ledger.c`).
public struct ProcessorMonitor: Sendable, BitwiseCopyable, Equatable {
    private var begin = SimTime(nanoseconds: .min / 2)
    private var used = 0.0
    private var since = SimTime.zero
    private var load = 0.0

    /// Creates a monitor of a process that has used no processor time.
    public init() {}

    /// Whether the process uses processors.
    public var isBusy: Bool { load > 0 }

    /// Sets the number of busy processors from now on; returns the instant of the kill that follows if this load
    /// continues.
    public mutating func use(_ load: Double, at now: SimTime, _ rules: LifeCycleRules) -> SimTime {
        pass(to: now, rules)
        if self.load == 0, load > 0, now >= begin + rules.processorWindow {
            begin = now
            used = 0
        }
        self.load = load
        guard load > 0 else { return .distantFuture }
        let limit = rules.processorTime.seconds
        let reached = now + .seconds(max(0, limit - used) / load)
        let next = begin + rules.processorWindow
        if reached <= next { return reached }
        // In the next window, which has load from its start, the limit is reached during the window or never.
        return load * rules.processorWindow.seconds >= limit ? next + .seconds(limit / load) : .distantFuture
    }

    /// Processor time of the present window in seconds.
    public func used(at now: SimTime, _ rules: LifeCycleRules) -> Double {
        var copy = self
        copy.pass(to: now, rules)
        return copy.used
    }

    private mutating func pass(to now: SimTime, _ rules: LifeCycleRules) {
        let window = rules.processorWindow
        if load > 0, now > begin + window {
            let windows = ((now - begin) / window).rounded(.down)
            begin += window * windows
            used = 0
            since = begin
        }
        used += load * (now - since).seconds
        since = now
    }
}
