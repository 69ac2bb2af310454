// SPDX-License-Identifier: GPL-3.0-or-later
import Experiments
import Measures
import PhoneCore
import Quantities
import Recording
import Vocabulary

/// The most influential decisions of a run, for people and for programs.
struct DecisionText {
    private let study: DecisionStudy
    private let names: [String]
    private let shown: [DecisionStudy.Trial]
    /// Name of the run, for use in commands.
    private let reference: String

    init(_ study: DecisionStudy, names: [String], most: Int, reference: String) {
        self.study = study
        self.reference = reference
        self.names = names
        shown = Array(study.trials.prefix(most))
    }

    private func name(_ trial: DecisionStudy.Trial) -> String { RowNames(apps: names).name(of: trial.request.app) }

    /// The decision in words.
    private func what(_ trial: DecisionStudy.Trial) -> String {
        if let kill = trial.kill { return "\(name(trial)) is killed (\(kill.reason?.name ?? ""))" }
        return "\(trial.request.kind == .refresh ? "a refresh" : "a processing task") of \(name(trial)) starts"
    }

    var report: Report {
        var report = Report()
        report.give([
            "kills": .integer(study.kills), "starts": .integer(study.starts), "tried": .integer(study.trials.count),
        ])
        let all = study.kills + study.starts
        let tried = study.trials.count
        let sample = tried < all ? "\(tried) of \(count(all, "decision"))" : "all \(count(all, "decision"))"
        report.say(
            sentence: "Tried: \(sample) (\(count(study.kills, "kill")) of apps, "
                + "\(count(study.starts, "start")) of background work), each alone. Kills were undone, and starts "
                + "delayed by \(Moment.length(FlipStudy.denial)). Changes until the end of the day:")
        report.say(shown.isEmpty ? "nothing\n" : "\n")
        report.table(
            "decisions", Array(shown.enumerated()), isHeaded: !shown.isEmpty,
            [
                .right { "\($0.offset + 1)" },
                .left("when", "t_s") {
                    Report.Cell($0.element.request.time.dayAndClock, $0.element.request.time.seconds)
                },
                .left("decided", "what") { Report.Cell(what($0.element)) },
                .right("waiting", "wait_s") {
                    let wait = $0.element.effects.sum.waitSeconds
                    return Report.Cell(Figures.signed(wait) + " s", wait)
                },
                .right("relaunches", "relaunches") { .signed($0.element.effects.sum.relaunches) },
                .right("kills", "kills") { .signed($0.element.effects.sum.kills) },
                .right("energy", "energy_j") {
                    Report.Cell(Figures.signed($0.element.effects.joules) + " J", $0.element.effects.joules)
                },
                .data("app") { .string(name($0.element)) },
                .data("flip") { .string($0.element.request.change.rawValue) },
            ])
        guard let one = shown.first else { return report }
        let command =
            "--\(one.request.change.rawValue) \(shellWord(name(one))) --at \(one.request.time.dayAndClock)"
            + (one.kill == nil && one.request.kind == .processing ? " --kind processing" : "")
        report.say("\nThe first decision in full: flotsam repeat \(shellWord(reference)) \(command)\n")
        return report
    }
}
