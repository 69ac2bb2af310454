// SPDX-License-Identifier: GPL-3.0-or-later
import Experiments
import PhoneCore
import Quantities
import Recording
import Vocabulary

/// Effects of a flipped decision, for people and for programs.
struct FlipText {
    let study: FlipStudy
    let effects: FlipEffects
    let name: String

    private static let mostSteps = 24

    init(_ study: FlipStudy, names: [String]) {
        self.study = study
        effects = FlipEffects(study, names: names)
        name = names[Int(study.request.app.index)]
    }

    /// The change in words.
    private var what: String {
        let at = study.instant.dayAndClock
        let work = study.request.kind == .refresh ? "refresh" : "processing task"
        switch study.request.change {
        case .spare: return "the kill of \(name) at \(at) (\(study.kill?.reason?.name ?? "")) is undone"
        case .kill: return "\(name) is killed at \(at)"
        case .grant: return "the pending \(work) of \(name) starts at \(at)"
        case .deny:
            return "the \(work) of \(name) that started at \(at) is delayed by \(Moment.length(FlipStudy.denial))"
        }
    }

    var report: Report {
        var report = Report()
        report.give([
            "flip": .string(study.request.change.rawValue), "app": .string(name),
            "t_s": .number(study.instant.seconds), "until_s": .number(study.end.seconds),
            "energy_j": .number(effects.joules),
        ])
        report.say("\(what); no other decision is changed; effects until \(study.end.dayAndClock)\n\n")
        let isSame = effects.steps.isEmpty
        let sum = effects.sum
        report.say(
            isSame
                ? "nothing else changes\n"
                : "in total: kills \(signedText(sum.kills)), relaunches \(signedText(sum.relaunches)), "
                    + "waiting \(seconds(sum.waitSeconds)), background runs \(signedText(sum.runs)), energy "
                    + "\(Figures.signed(effects.joules)) J\n\nconsequences:\n")
        report.table(
            "steps", effects.steps, most: Self.mostSteps, isHeaded: false,
            [
                .left("", "t_s") { Report.Cell("  " + $0.time.dayAndClock, $0.time.seconds) },
                .left("", "what") { Report.Cell($0.text) },
            ])
        let rest = effects.steps.count - Self.mostSteps
        if rest > 0 { report.say("  and \(rest) more\n") }
        if !isSame { report.say("\ncosts by app:\n") }
        report.table(
            "costs", effects.costs, most: isSame ? 0 : .max, isHeaded: !isSame,
            [
                .left("  app", "app") { Report.Cell("  " + $0.app, .string($0.app)) },
                .right("kills", "kills") { .signed($0.kills) },
                .right("relaunches", "relaunches") { .signed($0.relaunches) },
                .right("waiting", "wait_s") { Report.Cell(seconds($0.waitSeconds), $0.waitSeconds) },
                .right("background runs", "background_runs") { .signed($0.runs) },
            ])
        return report
    }

    private func seconds(_ value: Double) -> String {
        let rounded = (value * 100).rounded() / 100
        return (rounded > 0 ? "+" : "") + Figures.short(rounded, digits: 3) + " s"
    }
}
