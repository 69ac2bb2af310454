// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Scenario
import Statistics

extension AppAnswers {
    /// Effect of one change on an app.
    public struct Effect: Sendable, Equatable {
        /// Name of the change in program output.
        public let name: String
        /// Description of the change.
        public let sentence: String
        /// Whether the app's team can make the change.
        public let isTeams: Bool
        /// Change of each metric, in the order of `AppAnswers.judged`; nil if no replication has both values.
        public let changes: [Change?]
        /// Change of each metric, with its interval.
        public let figures: [Figure]
        /// Metrics that are significantly better with the change.
        let better: [String]

        /// Whether a metric is significantly better with the change.
        public var helps: Bool { !better.isEmpty }
    }

    /// Metrics by which a change is judged, each with its name in sentences.
    public static let judged: [(metric: String, words: String, better: Metric.Direction)] = [
        ("cold_launches_per_day", "cold launches", .lower), ("kills_per_day", "kills", .lower),
        ("refreshes_per_day", "refreshes", .higher),
    ]

    /// Effects of all changes, each tried alone on the same users, with the most helpful change first.
    var help: Answer {
        let effects = ranked()
        let helpful = effects.filter { $0.helps && $0.isTeams }
        let tried = effects.count(where: \.isTeams)
        var sentences = [
            "Each change was tested alone, with the same users. Intervals are corrected for \(effects.count) changes."
        ]
        let fewest = study.experiment.analysis.fewestPairs
        if study.facts.count < fewest {
            sentences.append(
                "\(study.facts.count) users are too few to distinguish a change from sampling noise: "
                    + "set replications to \(fewest).")
        } else if helpful.isEmpty {
            sentences.append(
                "None of the \(tried) changes that you can make significantly reduces cold launches or kills, or "
                    + "increases refreshes.")
        }
        for effect in helpful {
            let found = zip(Self.judged, effect.changes).filter { effect.better.contains($0.0.metric) }
            let texts = found.compactMap { judged, change in change.map { "\($0.text) \(judged.words)" } }
            sentences.append("What helps: \(effect.sentence), which gives \(Figures.list(texts)).")
        }
        for effect in effects where effect.helps && !effect.isTeams {
            let texts = zip(Self.judged, effect.changes).filter { effect.better.contains($0.0.metric) }
                .compactMap { judged, change in change.map { "\($0.text) \(judged.words)" } }
            sentences.append(
                "The operating system of your users matters, too: \(effect.sentence), \(Figures.list(texts)).")
        }
        var found = answer("help", "What would help?", sentences, [])
        found.changes = effects
        return found
    }

    private func ranked() -> [Effect] {
        let found = Self.judged.map { (judged: $0, effects: study.effects(on: $0.metric)) }
        let all = study.trials.indices.map { index -> Effect in
            let change = study.trials[index].change
            var (changes, figures, better): ([Change?], [Figure], [String]) = ([], [], [])
            for (judged, effects) in found {
                let paired = effects?.changes[index]
                changes.append(paired.flatMap { paired in effects.map { Change(paired, $0.entry) } })
                figures.append(
                    Figure("\(judged.metric)_change", paired, effects?.entry.unit ?? "1/d", of: study.facts.count))
                let isBetter = paired.map { judged.better == .higher ? $0.low > 0 : $0.high < 0 } ?? false
                if isBetter { better.append(judged.metric) }
            }
            return Effect(
                name: change.name, sentence: change.sentence, isTeams: change.isTeams, changes: changes,
                figures: figures, better: better)
        }
        // Equally helpful changes stay in the order in which they were tried.
        return all.enumerated().sorted { left, right in
            let (one, other) = (left.element, right.element)
            if one.better.count != other.better.count { return one.better.count > other.better.count }
            let values = [one, other].map { $0.figures[0].value.isFinite ? $0.figures[0].value : 0 }
            return values[0] == values[1] ? left.offset < right.offset : values[0] < values[1]
        }.map(\.element)
    }
}
