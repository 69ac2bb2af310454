// SPDX-License-Identifier: GPL-3.0-or-later
import Vocabulary

/// Why a process ended whose user lost work with it.
enum LossCause: Int, CaseIterable {
    case eviction, crash, limit, order, battery

    /// What the loss is to, as definitions of metrics say it.
    var meaning: String {
        switch self {
        case .eviction: "that jetsam took for want of memory (memory_pressure)"
        case .crash: "that crashes took (abnormal, bad_access, illegal_instruction)"
        case .limit:
            "that a limit took: memory_limit, cpu_limit, watchdog, task_timeout, locked_file"
        case .order: "that an end in order took (normal): the user's swipe, a purge, an update"
        case .battery: "that an empty battery took (normal, at the instant at which the phone dies)"
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
