// SPDX-License-Identifier: GPL-3.0-or-later
import CPolicies
import Platform
import Synchronization

/// Ends processes below this process that foreign code left running and whose parent has ended.
///
/// A process that adopts orphans is their parent, whatever their group or session, and can end them. Only a program
/// that owns its process adopts orphans (`isOurs`). In any other program, the children belong to that program.
public enum Offspring {
    private struct State {
        var isOurs = false
        var isAdopting = false
        /// Children that existed before the process became this program.
        var earlier: Set<pid_t> = []
        /// Children that must continue to run: workers and processes of policies.
        var kept: Set<pid_t> = []
    }

    private static let state = Mutex(State())
    /// Largest number of checks of the list of children, at intervals of a millisecond.
    private static let mostLooks = 2000

    /// Declares that the program owns this process, so that it may end all its children.
    public static func own() { state.withLock { $0.isOurs = true } }

    /// Starts to adopt orphans.
    ///
    /// Call this before the first process that may leave children is started.
    public static func adopt() {
        state.withLock { state in
            guard state.isOurs, !state.isAdopting else { return }
            state.isAdopting = policy_adopt_orphans() == 0
            state.earlier = Set(children(of: [getpid()]))
        }
    }

    /// Starts a child that continues to run and is never ended as an orphan.
    ///
    /// - Parameter start: Starts the child and returns its process number; 0 if it did not start.
    public static func start(_ start: () -> pid_t) {
        state.withLock { state in
            let child = start()
            if child > 0 { state.kept.insert(child) }
        }
    }

    /// Allows a child to be ended as an orphan.
    ///
    /// Call this after waiting for the child.
    public static func release(_ child: pid_t) { _ = state.withLock { $0.kept.remove(child) } }

    /// File descriptor that is readable after a child has ended; -1 if the system has none.
    public static func watch(_ child: pid_t) -> Int32 { policy_watch(child) }

    /// Ends adopted orphans and all processes below them.
    public static func endOrphans() { end { $0.earlier.union($0.kept) } }

    /// Ends all children and all processes below them.
    ///
    /// Call this before this process ends.
    public static func endAll() { end { $0.earlier } }

    /// Ends all processes below a child, but not the child.
    static func end(below parent: pid_t) {
        for process in descendants(of: [parent]) { kill(process, SIGKILL) }
    }

    private static func end(sparing spared: (State) -> Set<pid_t>) {
        for look in 0..<mostLooks {
            let left = state.withLock { state -> [pid_t] in
                guard state.isAdopting else { return [] }
                let spared = spared(state)
                let left = children(of: [getpid()]).filter { !spared.contains($0) }
                // Descendants end first. If a parent ended first, they would be adopted and found only at the next
                // check.
                for process in descendants(of: left) + left { kill(process, SIGKILL) }
                return left
            }
            if left.isEmpty { return }
            for process in left { waitpid(process, nil, WNOHANG) }
            if look > 0 { usleep(1000) }
        }
    }

    private static func descendants(of parents: [pid_t]) -> [pid_t] {
        var found: [pid_t] = []
        var next = parents
        while !next.isEmpty {
            next = children(of: Set(next)).filter { !found.contains($0) }
            found += next
        }
        return found
    }

    /// Processes whose parent is one of the given processes.
    private static func children(of parents: Set<pid_t>) -> [pid_t] {
        OperatingSystem.processes.filter { parents.contains($0.parent) }.map(\.process)
    }
}
