// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Victims whose memory is not free yet, and how long lmkd waits for the last of them.
///
/// Source: `lmkd.cpp` (`is_kill_pending`, `ro.lmk.kill_timeout_ms`). No process is killed until the last victim is gone
/// or the timeout is over. Then lmkd checks memory again, without the memory of victims that are still dying. The
/// simulated phone returns the memory of a victim at once, so it is subtracted here.
///
/// In the model, memory use grows at one instant. When so little is free that tasks must reclaim memory themselves,
/// these tasks wait until lmkd checks again.
struct DyingVictims: Sendable {
    private let timeout: SimDuration
    private let deathTime: SimDuration
    private var victims: [(dead: SimTime, memory: ByteCount)] = []
    private var looksAgain = SimTime(nanoseconds: .min / 2)
    /// The present instant, or the later instant until which tasks have waited for memory.
    private var clock = SimTime(nanoseconds: .min / 2)

    init(timeout: SimDuration, deathTime: SimDuration) {
        (self.timeout, self.deathTime) = (timeout, deathTime)
    }

    mutating func add(_ memory: ByteCount, at now: SimTime) {
        guard deathTime > .zero else { return }
        clock = max(clock, now)
        victims.append((clock + deathTime, memory))
        looksAgain = clock + min(timeout, deathTime)
    }

    /// The free memory that lmkd sees; nil while lmkd waits.
    ///
    /// - Parameters:
    ///   - free: Free memory, including the memory of all victims.
    ///   - least: Free memory below which tasks wait.
    mutating func seen(_ free: ByteCount, least: ByteCount, at now: SimTime) -> ByteCount? {
        guard !victims.isEmpty else { return free }
        clock = max(clock, now)
        if clock < looksAgain {
            guard left(of: free) < least else { return nil }
            clock = looksAgain
        }
        return left(of: free)
    }

    private mutating func left(of free: ByteCount) -> ByteCount {
        victims.removeAll { $0.dead <= clock }
        return max(.zero, victims.reduce(free) { $0 - $1.memory })
    }
}
