// SPDX-License-Identifier: GPL-3.0-or-later
import Experiments
import PhoneCore
import Quantities
import Recording
import Vocabulary

/// What a flipped decision changed, as people read it and for programs.
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

    /// What was done, in words.
    private var what: String {
        let at = study.instant.dayAndClock
        let work = study.request.kind == .refresh ? "refresh" : "processing task"
        switch study.request.change {
        case .spare: return "\(name) is spared at \(at), where it died by \(study.kill?.reason?.name ?? "")"
        case .kill: return "\(name) is killed at \(at)"
        case .grant: return "the pending \(work) of \(name) starts at \(at)"
        case .deny:
            return "the \(work) of \(name) that started at \(at) may start \(Moment.length(FlipStudy.denial)) later"
        }
    }

    var text: String {
        var text = "\(what); everything else is as it was, until \(study.end.dayAndClock)\n\n"
        guard !effects.steps.isEmpty else { return text + "nothing else comes out otherwise\n" }
        let sum = effects.sum
        text += "in sum: kills \(signed(sum.kills)), relaunches \(signed(sum.relaunches)), "
        text += "waiting \(seconds(sum.waitSeconds)), background runs \(signed(sum.runs)), energy "
        text += "\(Figures.signed(effects.joules)) J\n\n"
        text += "what follows:\n"
        var path = TextTable([.left, .left])
        for step in effects.steps.prefix(Self.mostSteps) { path.add(["  " + step.time.dayAndClock, step.text]) }
        text += path.text
        let rest = effects.steps.count - Self.mostSteps
        if rest > 0 { text += "  and \(rest) more\n" }
        text += "\nwhom it cost:\n"
        var table = TextTable([.left, .right, .right, .right, .right])
        table.add(["  app", "kills", "relaunches", "waiting", "background runs"])
        for cost in effects.costs {
            table.add(
                [
                    "  " + cost.app, signed(cost.kills), signed(cost.relaunches), seconds(cost.waitSeconds),
                    signed(cost.runs),
                ])
        }
        return text + table.text
    }

    private func signed(_ number: Int) -> String { number > 0 ? "+\(number)" : "\(number)" }

    private func seconds(_ value: Double) -> String {
        let rounded = (value * 100).rounded() / 100
        return (rounded > 0 ? "+" : "") + Figures.short(rounded, digits: 3) + " s"
    }

    var json: JSONValue {
        .object([
            "flip": .string(study.request.change.rawValue), "app": .string(name),
            "t_s": .number(study.instant.seconds), "until_s": .number(study.end.seconds),
            "energy_j": .number(effects.joules),
            "steps": .array(
                effects.steps.map { .object(["t_s": .number($0.time.seconds), "what": .string($0.text)]) }),
            "costs": .array(
                effects.costs.map {
                    .object([
                        "app": .string($0.app), "kills": .integer($0.kills), "relaunches": .integer($0.relaunches),
                        "wait_s": .number($0.waitSeconds), "background_runs": .integer($0.runs),
                    ])
                }),
        ])
    }
}
