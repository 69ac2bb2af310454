// SPDX-License-Identifier: GPL-3.0-or-later
import Experiments
import Measures
import PhoneCore
import Quantities
import Recording
import Vocabulary

/// The decisions of a run that mattered most, as people read them and for programs.
struct DecisionText {
    private let study: DecisionStudy
    private let names: [String]
    private let shown: [DecisionStudy.Trial]
    /// The run, as commands name it.
    private let reference: String

    init(_ study: DecisionStudy, names: [String], most: Int, reference: String) {
        self.study = study
        self.reference = reference
        self.names = names
        shown = Array(study.trials.prefix(most))
    }

    private func name(_ trial: DecisionStudy.Trial) -> String { RowNames(apps: names).name(of: trial.request.app) }

    /// What was decided, in words.
    private func what(_ trial: DecisionStudy.Trial) -> String {
        if let kill = trial.kill { return "\(name(trial)) is killed (\(kill.reason?.name ?? ""))" }
        return "\(trial.request.kind == .refresh ? "a refresh" : "a processing task") of \(name(trial)) starts"
    }

    var text: String {
        let all = study.kills + study.starts
        let tried = study.trials.count
        let sample = tried < all ? "\(tried) of \(count(all, "decision"))" : "all \(count(all, "decision"))"
        let first =
            "Tried: \(sample) (\(count(study.kills, "kill")) of apps, \(count(study.starts, "start")) of background "
            + "work), each alone: the kill taken back, the start put off by \(Moment.length(FlipStudy.denial)). What "
            + "changes until the end of the day:"
        guard !shown.isEmpty else { return wrapped(first, width: 100) + "nothing\n" }
        var table = TextTable([.right, .left, .left, .right, .right, .right, .right])
        table.add(["", "when", "decided", "waiting", "relaunches", "kills", "energy"])
        for (rank, trial) in shown.enumerated() {
            let sum = trial.effects.sum
            table.add(
                [
                    "\(rank + 1)", trial.request.time.dayAndClock, what(trial), Figures.signed(sum.waitSeconds) + " s",
                    signed(sum.relaunches), signed(sum.kills), Figures.signed(trial.effects.joules) + " J",
                ])
        }
        let one = shown[0]
        let command =
            "--\(one.request.change.rawValue) \(shellWord(name(one))) --at \(one.request.time.dayAndClock)"
            + (one.kill == nil && one.request.kind == .processing ? " --kind processing" : "")
        return wrapped(first, width: 100) + "\n" + table.text
            + "\nThe first in full: flotsam replay \(shellWord(reference)) \(command)\n"
    }

    private func signed(_ value: Int) -> String { value > 0 ? "+\(value)" : "\(value)" }

    var json: JSONValue {
        .object([
            "kills": .integer(study.kills), "starts": .integer(study.starts), "tried": .integer(study.trials.count),
            "decisions": .array(
                shown.map { trial in
                    let sum = trial.effects.sum
                    return .object([
                        "t_s": .number(trial.request.time.seconds), "app": .string(name(trial)),
                        "flip": .string(trial.request.change.rawValue), "what": .string(what(trial)),
                        "wait_s": .number(sum.waitSeconds), "relaunches": .integer(sum.relaunches),
                        "kills": .integer(sum.kills), "energy_j": .number(trial.effects.joules),
                    ])
                }),
        ])
    }
}
