// SPDX-License-Identifier: GPL-3.0-or-later
import EvictionPolicies
import ForeignPolicies
import Platform
import SchedulingPolicies
import Vocabulary

/// Cost of a decision by the language of its policy: the same rules in Swift, in a C library and in a process.
enum PoliciesCase {
    /// Number of processes that an eviction policy ranks together, as after a sweep over all apps of a phone.
    private static let batch = 100

    static func run(into report: Report) {
        guard let folder = kit() else {
            return report.remark("policies are skipped: no folder for the library could be created")
        }
        defer { _ = system("rm -r '\(folder)'") }
        let swiftRank = rank(EvictionPolicies.all, "lru", into: report)
        let swiftDecision = decision(SchedulingPolicies.all, "periodic", into: report)
        let library = ForeignCode.library(path: folder + "/mine.so")
        let build = PolicyKit.c.build(folder + "/mine.c") ?? "false"
        if system("cd '\(folder)' && \(build)") == 0 {
            let cRank = rank(library, "c", into: report)
            let cDecision = decision(library, "c", into: report)
            if let swiftRank, let cRank { report.add("policies", "c-rank-over-swift", 1, cRank - swiftRank, "ns") }
            if let swiftDecision, let cDecision {
                report.add("policies", "c-decision-over-swift", 1, cDecision - swiftDecision, "ns")
            }
        } else {
            report.remark("policies in C are skipped, because this command failed: \(build)")
        }
        let process = ForeignCode.process(words: ["python3", "mine.py"], folder: folder, reads: [])
        _ = decision(process, "python", into: report)
        _ = rank(.process(words: ["python3", "rank.py"], folder: folder, reads: []), "python", into: report)
    }

    /// A folder with the policies that `flotsam new --policy` writes, and an eviction policy in Python.
    private static func kit() -> String? {
        var template = Array("/tmp/flotsam-bench-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { return nil }
        let folder = String(cString: made)
        let lru = """
            from flotsam_policy import EvictionPolicy, serve


            class LRU(EvictionPolicy):
                def rank(self, candidate, now):
                    return candidate.last_foreground / 1e9


            serve(LRU)

            """
        let files = PolicyKit.c.files(folder + "/mine.c") + PolicyKit.python.files(folder + "/mine.py")
        for (path, text) in files.map({ ($0.path, $0.text) }) + [(folder + "/rank.py", lru)] {
            guard let file = fopen(path, "w") else { return nil }
            fputs(text, file)
            fclose(file)
        }
        return folder
    }

    private static func rank(_ entries: [EvictionPolicyEntry], _ name: String, into report: Report) -> Double? {
        guard let entry = entries.first(where: { $0.descriptor.name == name }) else { return nil }
        return rank(entry, "swift", into: report)
    }

    private static func decision(_ entries: [SchedulingPolicyEntry], _ name: String, into report: Report) -> Double? {
        guard let entry = entries.first(where: { $0.descriptor.name == name }) else { return nil }
        return decision(entry, "swift", into: report)
    }

    /// Permission for foreign code, because the benchmark starts only code that it has just written.
    private static var foreign: ForeignPolicies {
        var gate = ForeignGate()
        gate.allowsAll = true
        return ForeignPolicies(gate)
    }

    private static func rank(_ code: ForeignCode, _ language: String, into report: Report) -> Double? {
        do throws(ForeignPolicyError) {
            return rank(try foreign.eviction(code, namedIn: "").entry, language, into: report)
        } catch {
            report.remark("policies: \(error.message)")
            return nil
        }
    }

    private static func decision(_ code: ForeignCode, _ language: String, into report: Report) -> Double? {
        do throws(ForeignPolicyError) {
            return decision(try foreign.scheduling(code, namedIn: "").entry, language, into: report)
        } catch {
            report.remark("policies: \(error.message)")
            return nil
        }
    }

    private static func rank(_ entry: EvictionPolicyEntry, _ language: String, into report: Report) -> Double {
        var policy = entry.make(entry.descriptor.defaultArguments(seed: 1))
        let alone = Measurement.medianOfFive {
            var price = PolicyPrice(candidates: batch)
            return price.rank(&policy)
        }
        report.add("policies", language + "-rank", 1, alone, "ns/rank")
        let together = Measurement.medianOfFive {
            var price = PolicyPrice(candidates: batch)
            return price.batchedRank(&policy)
        }
        report.add("policies", language + "-rank", batch, together, "ns/rank")
        return alone
    }

    private static func decision(_ entry: SchedulingPolicyEntry, _ language: String, into report: Report) -> Double {
        var policy = entry.make(entry.descriptor.defaultArguments(seed: 1))
        let figure = Measurement.medianOfFive {
            var price = PolicyPrice()
            return price.decision(&policy)
        }
        report.add("policies", language + "-decision", 1, figure, "ns/decision")
        return figure
    }
}
