// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Phone
import Recording

/// Notices, shown before a session begins, about content of the directory that the session does not use.
public struct SessionNotices {
    /// Notices, one sentence each.
    public let texts: [String]
    /// Whether the present tables contain runs that are not in the new plan; these tables are then kept in `earlier`.
    let dropsRuns: Bool

    /// Checks a directory before its runs are carried out or collected.
    ///
    /// The store must belong to the plan with the largest number of replications.
    init(
        plan: Plan, store: RunStore, directory: ResultDirectory, build: UInt64,
        failures: [FailedRun], repeats: Bool
    ) throws {
        var texts: [String] = []
        var dropsRuns = false
        let dropped = repeats ? "are run again" : "do not count"
        let outdated = store.outdated(in: plan)
        if outdated > 0 { texts.append(Self.otherBuilds(outdated, dropped)) }
        if store.tornBytes > 0, !store.missing(in: plan).isEmpty {
            texts.append(
                "\(store.tornBytes == 1 ? "1 byte of segments/ is" : "\(store.tornBytes) bytes of segments/ are") "
                    + "damaged or cut off, so the runs in this part are \(repeats ? "made again" : "missing")"
            )
        }
        let failed = failures.filter { $0.run.number < plan.runs.count && !store.isDone($0.run, in: plan) }.count
        if failed > 0 {
            let isOne = failed == 1
            texts.append(
                "\(isOne ? "1 run" : "\(failed) runs") failed and \(isOne ? "is" : "are") "
                    + (repeats ? "tried again" : "missing"))
        }
        let lacking = store.lackingTables(in: plan)
        if lacking > 0 {
            let who = "\(Self.runs(lacking)) made without a table that is now requested"
            texts.append("\(who), and \(lacking == 1 ? "is" : "are") \(repeats ? "made again" : "missing")")
        }
        if let manifest = try directory.manifest() {
            let done = manifest["status"]?["done"]?.integer.flatMap { PlannedRuns.isNumber($0) ? $0 : nil } ?? 0
            let isSame =
                manifest["versions"]?["build"]?.string == hexadecimal(build)
                && manifest["plan"]?["hash"]?.string == hexadecimal(plan.hash)
            let lost = done - (plan.runs.count - store.missing(in: plan).count)
            if isSame, lost > 0, store.tornBytes == 0 {
                texts.append(
                    "\(Self.runs(lost)) done but \(lost == 1 ? "is" : "are") no longer in segments/, so "
                        + "\(lost == 1 ? "it is" : "they are") \(repeats ? "made again" : "missing")")
            }
            if let model = manifest["versions"]?["model"]?.string, model != modelVersion, done > 0 {
                texts.append("\(Self.runs(done)) made by version \(model) of the model and \(dropped)")
            } else if done > 0, let earlier = Plan(manifest: manifest), earlier.hash != plan.hash {
                let known = RunIndex(earlier.runs)
                let left = store.strangers.count { known[$0] != nil }
                let isOther = manifest["versions"]?["build"]?.string != hexadecimal(Build.current)
                dropsRuns = left > 0
                if dropsRuns { texts.append(Self.dropped(left, directory, isOther: isOther)) }
            }
        }
        self.texts = texts
        self.dropsRuns = dropsRuns
    }

    /// Sentences about the files that were moved to `earlier`, with the reason; empty when there are none.
    static func texts(of aside: FileSet.Aside, in directory: ResultDirectory) -> [String] {
        let folder = directory.file(ResultLayout.earlier)
        func text(_ names: [String], _ words: String) -> String? {
            names.isEmpty
                ? nil
                : "\(names.joined(separator: ", ")) \(words) \(names.count == 1 ? "is" : "are") now in \(folder)"
        }
        let them = aside.changed.count == 1 ? "it" : "them"
        return [
            text(aside.outdated, "of an earlier experiment"),
            text(aside.changed, "(changed after flotsam wrote \(them))"),
        ].compactMap(\.self)
    }

    /// Sentence about runs of another build and what happens with them.
    public static func otherBuilds(_ count: Int, _ consequence: String) -> String {
        "\(runs(count)) made by another build of flotsam and \(consequence)"
    }

    private static func dropped(_ count: Int, _ directory: ResultDirectory, isOther: Bool) -> String {
        let path = directory.path
        let isOne = count == 1
        let other =
            "\(isOne ? "was" : "were") made by another build of flotsam or \(isOne ? "belongs" : "belong") to another "
            + "experiment"
        let reason = isOther ? other : "no longer \(isOne ? "belongs" : "belong") to this experiment"
        return "\(isOne ? "1 run" : "\(count) runs") in \(path) \(reason), so the tables are written anew without "
            + "\(isOne ? "it; segments/ keeps the run" : "them; segments/ keeps the runs"), "
            + "and \(directory.file(ResultLayout.earlier)) keeps the earlier tables"
    }

    private static func runs(_ count: Int) -> String { count == 1 ? "1 run was" : "\(count) runs were" }
}
