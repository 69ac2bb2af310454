// SPDX-License-Identifier: GPL-3.0-or-later
import CPolicies
import Platform
import Synchronization

/// What foreign code left running: processes below this one that nobody waits for.
///
/// A process that asked the system to be the parent of orphans finds all of them among its children, in whatever group
/// or session they made for themselves, and ends them. Only a program that has a process of its own does so
/// (`isOurs`): in a program of somebody else the other children are theirs.
public enum Offspring {
    private struct State {
        var isOurs = false
        var isAdopting = false
        /// Children from before: those of whoever became this program.
        var earlier: Set<pid_t> = []
        /// Children that are meant to go on: workers, and the processes of policies.
        var kept: Set<pid_t> = []
    }

    private static let state = Mutex(State())
    /// So many times the list of children is looked at, a millisecond apart.
    private static let mostLooks = 2000

    /// Says that all children of this process are its own to end.
    public static func own() { state.withLock { $0.isOurs = true } }

    /// Begins to take orphans in, before the first process is started whose children may be left.
    public static func adopt() {
        state.withLock { state in
            guard state.isOurs, !state.isAdopting else { return }
            state.isAdopting = policy_adopt_orphans() == 0
            state.earlier = Set(children(of: [getpid()]))
        }
    }

    /// Starts a child that is meant to go on; it is no orphan at any moment.
    ///
    /// - Parameter start: Starts it and returns its number, 0 where it did not start.
    public static func start(_ start: () -> pid_t) {
        state.withLock { state in
            let child = start()
            if child > 0 { state.kept.insert(child) }
        }
    }

    /// No longer keeps a child; call it once the child has been waited for.
    public static func release(_ child: pid_t) { _ = state.withLock { $0.kept.remove(child) } }

    /// A descriptor that is readable when a child has ended; -1 where the system has none.
    public static func watch(_ child: pid_t) -> Int32 { policy_watch(child) }

    /// Ends orphans that were taken in, and everything below them.
    public static func endOrphans() { end { $0.earlier.union($0.kept) } }

    /// Ends all children, and everything below them: this process is about to end.
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
                // Those below end first: killed after their parent, they would be ours at the next look all the same.
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
