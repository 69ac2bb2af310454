// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Quantities
import Vocabulary

/// What goes wrong in an app, `faults`.
extension AppReader {
    static func readFaults(_ map: MapReader, into faults: inout AppFaults) {
        let rate = ValueReader<Double>.number(0...3600, example: "0.02")
        map.set(&faults.crashesPerHour, "crashes_per_hour", rate)
        map.set(&faults.badAccessShare, "bad_access", .share)
        map.set(&faults.illegalInstructionShare, "illegal_instruction", .share)
        map.set(&faults.workCrashes, "work_crashes", .share)
        map.set(&faults.hangsPerHour, "hangs_per_hour", rate)
        map.set(&faults.holdsLock, "holds_lock", .share)
        map.set(&faults.leaksTask, "leaks_task", .share)
        map.set(&faults.handlesExpiration, "handles_expiration", .flag)
    }
}
