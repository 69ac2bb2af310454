// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Experiments
import Files
import Quantities
import Recording
import Scenario
import UserStudies
import Vocabulary
import Workload

/// `flotsam data workload fit`: estimates the persona of a recording, or the population of several.
struct WorkloadFit {
    /// Fewest whole days from which habits can be estimated.
    private static let fewestDays = 3
    private static let mark = "# written by: flotsam data workload fit"

    let base: String
    let name: String?
    let setting: Setting

    /// Whether a twin's recording has enough days with sessions.
    static func canFit(_ model: TwinModel) -> Bool {
        let days = (model.covered.upperBound - model.covered.lowerBound) / .day
        return days >= Double(fewestDays) && model.trace?.events.contains { $0.kind == .unlock } ?? false
    }

    func run(_ paths: [String], to target: OutputTarget) throws -> Int32 {
        Console.out(try fit(paths, to: target))
    }

    /// Writes the persona or the population; returns a summary.
    func fit(_ paths: [String], to target: OutputTarget) throws -> String {
        try target.check(mark: Self.mark)
        let experiment = try experiment(user: "{persona: \(base)}")
        let people = try self.experiment(user: "{population: smartphone-users, size: 1}")
        let persona = experiment.points[0].user.persona
        guard persona.games == nil else {
            throw Diagnostics(
                "--persona: \(base) plays games, which a recording does not contain",
                hint: "use another persona, such as average")
        }
        let categories = Dictionary(
            experiment.points[0].apps.map { ($0.name, $0.category) }, uniquingKeysWith: { first, _ in first })
        let answers = people.points[0].user.persona.notifications ?? Persona.Notifications()
        let fits = try paths.map { path in
            let sample = UserSample(try readWorkload(path))
            guard sample.days.count >= Self.fewestDays else {
                let days = count(sample.days.count, "whole day")
                throw Diagnostics("\(path) covers \(days), but habits need \(Self.fewestDays) or more")
            }
            guard sample.parts.contains(.sessions), sample.days.contains(where: { !$0.sessionStarts.isEmpty }) else {
                throw Diagnostics("\(path) contains no session, so nothing can be fitted")
            }
            return PersonaFit(sample, base: persona, answers: answers, categories: categories)
        }
        let title = name ?? Self.name(of: target.path)
        let text: String
        if let population = PopulationFit(fits) {
            text = population.yaml(name: title, base: base, origin: "\(paths.count) recordings")
        } else {
            text = fits[0].yaml(name: title, base: base, origin: FilePath.name(of: paths[0]))
        }
        try target.write(Array((Self.mark + "\n" + text).utf8), mark: Self.mark)
        return report(fits, paths, target)
    }

    private func report(_ fits: [PersonaFit], _ paths: [String], _ target: OutputTarget) -> String {
        var text = "\(target.path): "
        let days = count(fits[0].days, "day")
        text += fits.count > 1 ? "a population of \(fits.count) users\n" : "a persona fitted to \(days)\n"
        for (fit, path) in zip(fits, paths) {
            let far = fit.goodness.filter { !$0.isNear }
            text +=
                "\(path): \(count(fit.figures.count, "figure")); the recording is matched in "
                + "\(fit.goodness.count - far.count) of \(count(fit.goodness.count, "comparison"))\n"
            for distance in far {
                text +=
                    "  not matched: \(distance.name): \(PersonaFit.short(distance.value)), "
                    + "limit \(PersonaFit.short(distance.limit))\n"
            }
        }
        return text
    }

    private func experiment(user: String) throws(Diagnostics) -> Experiment {
        try SimulatedUsers.experiment(user: user, apps: 120, days: 1, replications: 1, seed: 1, setting)
    }

    private static func name(of path: String) -> String {
        let file = FilePath.name(of: path)
        let stem = file.split(separator: ".").first.map(String.init) ?? "mine"
        return String(stem.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
    }
}
