// SPDX-License-Identifier: GPL-3.0-or-later
import CPolicies
import Platform
import Synchronization

/// Processes that foreign code left running below this one, without a parent that waits for them.
///
/// A process that adopts orphans finds all of them among its children and ends them, in any group or session. Only a
/// program that owns its process does so (`isOurs`). In another program the other children belong to that program.
public enum Offspring {
    private struct State {
        var isOurs = false
        var isAdopting = false
        /// Earlier children, from before the process became this program.
        var earlier: Set<pid_t> = []
        /// Children that continue to run: workers, and the processes of policies.
        var kept: Set<pid_t> = []
    }

    private static let state = Mutex(State())
    /// Number of checks of the list of children, a millisecond apart.
    private static let mostLooks = 2000

    /// Marks all children of this process as its own to end.
    public static func own() { state.withLock { $0.isOurs = true } }

    /// Begins to adopt orphans, before the first process is started that may leave children.
    public static func adopt() {
        state.withLock { state in
            guard state.isOurs, !state.isAdopting else { return }
            state.isAdopting = policy_adopt_orphans() == 0
            state.earlier = Set(children(of: [getpid()]))
        }
    }

    /// Starts a child that continues to run; it never counts as an orphan.
    ///
    /// - Parameter start: Starts it and returns its number, 0 where it did not start.
    public static func start(_ start: () -> pid_t) {
        state.withLock { state in
            let child = start()
            if child > 0 { state.kept.insert(child) }
        }
    }

    /// Removes a child from the list; call this after waiting for the child.
    public static func release(_ child: pid_t) { _ = state.withLock { $0.kept.remove(child) } }

    /// A descriptor that is readable when a child has ended; -1 where the system has none.
    public static func watch(_ child: pid_t) -> Int32 { policy_watch(child) }

    /// Ends adopted orphans, and everything below them.
    public static func endOrphans() { end { $0.earlier.union($0.kept) } }

    /// Ends all children, and everything below them, before this process ends.
    public static func endAll() { end { $0.earlier } }

    /// Ends everything below a process that this one started, and leaves the process itself.
    static func end(below parent: pid_t) {
        for process in descendants(of: [parent]) { kill(process, SIGKILL) }
    }

    private static func end(sparing spared: (State) -> Set<pid_t>) {
        for look in 0..<mostLooks {
            let left = state.withLock { state -> [pid_t] in
                guard state.isAdopting else { return [] }
                let spared = spared(state)
                let left = children(of: [getpid()]).filter { !spared.contains($0) }
                // Those below end first: if killed after their parent, they would be found at the next look.
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

    /// The processes whose parent is one of these.
    private static func children(of parents: Set<pid_t>) -> [pid_t] {
        OperatingSystem.processes.filter { parents.contains($0.parent) }.map(\.process)
    }
}
