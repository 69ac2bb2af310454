// SPDX-License-Identifier: GPL-3.0-or-later
import Platform
import Synchronization

/// Counts the calls into a library.
///
/// The count is odd during a call, and different for each call.
///
/// A thread reads all counts once a second, and ends the process if a call lasts too long. A call costs two stores.
final class CallWatch: Sendable {
    private let count = Atomic<UInt64>(0)
    /// Name of the policy, for messages.
    private let name: String

    init(_ name: String) {
        self.name = name
        Watchdog.shared.add(self)
    }

    @inline(__always)
    func enter() { count.store(count.load(ordering: .relaxed) | 1, ordering: .relaxed) }

    @inline(__always)
    func leave() { count.store((count.load(ordering: .relaxed) | 1) &+ 1, ordering: .relaxed) }

    /// Number of the current call; nil if there is no call.
    fileprivate var current: UInt64? {
        let now = count.load(ordering: .relaxed)
        return now & 1 == 1 ? now : nil
    }

    fileprivate func fail() -> Never {
        PolicyFailure.end("the policy \(name) did not return within \(ForeignLimits.seconds) s")
    }
}

/// The thread that reads the counts of all libraries.
private final class Watchdog: Sendable {
    /// A weak reference to a watch, its call at the last check, and the number of checks during this call.
    private struct Watched {
        weak var watch: CallWatch?
        var call: UInt64?
        var looks = 0
    }

    static let shared = Watchdog()
    private let watched = Mutex<[Watched]>([])

    private init() {
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { _ in
                while true {
                    sleep(1)
                    Watchdog.shared.look()
                }
            }, nil)
        pthread_detach(thread)
    }

    func add(_ watch: CallWatch) { watched.withLock { $0.append(Watched(watch: watch)) } }

    private func look() {
        let late = watched.withLock { list -> CallWatch? in
            list.removeAll { $0.watch == nil }
            for index in list.indices {
                let call = list[index].watch?.current
                list[index].looks = call != nil && call == list[index].call ? list[index].looks + 1 : 0
                list[index].call = call
                if list[index].looks >= ForeignLimits.seconds { return list[index].watch }
            }
            return nil
        }
        late?.fail()
    }
}
