// SPDX-License-Identifier: GPL-3.0-or-later
import Dispatch
import Synchronization

/// Calls a closure for 0, 1, … in this process, with one thread per processor, and returns the results in order.
///
/// Runs that are not stored use this function. Stored runs use worker processes, so a crash affects only one of them.
package func inParallel<Result: Sendable>(_ count: Int, _ body: @Sendable (Int) -> Result) -> [Result] {
    let results = Mutex([Result?](repeating: nil, count: count))
    DispatchQueue.concurrentPerform(iterations: count) { index in
        let result = body(index)
        results.withLock { $0[index] = result }
    }
    return results.withLock { $0.compactMap { $0 } }
}
