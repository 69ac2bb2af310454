// SPDX-License-Identifier: GPL-3.0-or-later
import Vocabulary

/// Why a process ended with unsaved work.
enum LossCause: Int, CaseIterable {
    case eviction, crash, limit, order, battery

    /// Cause of the loss in definitions of metrics.
    var meaning: String {
        switch self {
        case .eviction: "lost to jetsam for lack of memory (memory_pressure)"
        case .crash: "lost to crashes (abnormal, bad_access, illegal_instruction)"
        case .limit:
            "lost to a limit: memory_limit, cpu_limit, watchdog, task_timeout, locked_file"
        case .order: "lost to a normal end (normal): the user's swipe, a purge, an update"
        case .battery: "lost to an empty battery (normal, at the instant at which the phone dies)"
        }
    }

    init(_ category: ExitCategory, isDead: Bool) {
        switch category {
        case .normal: self = isDead ? .battery : .order
        case .abnormal, .badAccess, .illegalInstruction: self = .crash
        case .memoryPressure: self = .eviction
        case .watchdog, .cpuLimit, .memoryLimit, .lockedFile, .taskTimeout: self = .limit
        }
    }
}
