// SPDX-License-Identifier: GPL-3.0-or-later
import Dispatch
import Synchronization

/// Calls a closure for 0, 1, … in this process, with one thread for each processor, and returns the results in order.
///
/// This is for runs that are not stored. Stored runs use worker processes, whose crashes do not affect each other.
package func inParallel<Result: Sendable>(_ count: Int, _ body: @Sendable (Int) -> Result) -> [Result] {
    let results = Mutex([Result?](repeating: nil, count: count))
    DispatchQueue.concurrentPerform(iterations: count) { index in
        let result = body(index)
        results.withLock { $0[index] = result }
    }
    return results.withLock { $0.compactMap { $0 } }
}
