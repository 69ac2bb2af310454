// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Processes
import Vocabulary

extension JetsamReport {
    /// Name of the rules nearest to the report's system, and a remark if they are the rules of another system.
    public var rules: (name: String, remark: String?) {
        let names = OSProfile.iosGenerations.map(\.name)
        let fallback = "ios-18.5"
        guard let system else { return (fallback, "The report names no system, so the rules of \(fallback) are used.") }
        let isPhone = ["iPhone OS", "iPadOS", "iOS"].contains { system.hasPrefix($0) }
        guard isPhone, let name = generation(among: names) else {
            return (fallback, "There are no rules for \"\(system)\", so the rules of \(fallback) are used.")
        }
        guard let newest = names.last, name == newest, let own = Self.version(system), let last = Self.version(newest),
            own.major > last.major
        else { return (name, nil) }
        return (name, "\"\(system)\" is newer than all known rules, so the rules of \(name) are used.")
    }

    /// Sentences about parts of the report that are missing or not in the form that the kernel writes.
    var remarks: [String] {
        var remarks: [String] = []
        if let remark = rules.remark { remarks.append(remark) }
        let priorities = processes.filter { !$0.isUntouchable }.compactMap(\.priority)
        for (count, what, band) in [
            (priorities.count { $0 > 210 }, "above 210, the highest band", 210),
            (priorities.count { $0 < 0 }, "below 0, the lowest band", 0),
        ] where count > 0 {
            remarks.append("\(count) of the processes are in bands \(what), so they start in band \(band).")
        }
        var known = Set(KillReason.allCases.map(\.name))
        for reason in processes.compactMap(\.reason) where known.insert(reason).inserted {
            remarks.append(
                "The reason \"\(reason.excerpt)\" is unknown, so the victim is treated as the policy's choice.")
        }
        if !laterKills.isEmpty {
            var counts: [String: Int] = [:]
            for row in laterKills { counts[NameTable.plain(processes[row].name), default: 0] += 1 }
            let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            let names = sorted.prefix(5).map { "\($0.key) (\($0.value)×)" }.joined(separator: ", ")
            remarks.append(
                "Processes that started and ended after the snapshot began are left out: \(names)"
                    + (sorted.count > 5 ? " and \(sorted.count - 5) more." : "."))
        }
        if pages.inactiveFollows {
            remarks.append(
                "The report lacks the number of inactive pages, so it is calculated from the anonymous and fileBacked "
                    + "pages.")
        }
        return remarks
    }
}
