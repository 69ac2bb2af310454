// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import PhoneCore
import Quantities
import Scenario
import Statistics
import Vocabulary

/// The answers to what app teams ask, in sentences, each figure with its interval over the replications.
public struct AppAnswers: Sendable {
    /// A question with its answer.
    public struct Answer: Sendable, Equatable {
        /// The question.
        public let question: String
        /// The answer, in sentences.
        public let sentences: [String]
        /// What follows in a table: a share and what it is of; empty for most.
        public var reasons: [Reason] = []
        /// In how many replications a figure of it has no value and is left out, by what the figure is.
        public var withoutValue: [String: Int] = [:]
    }

    /// What stood in the way of a refresh in some nights.
    public struct Reason: Sendable, Equatable {
        /// Name of the rule, as in the table of decisions.
        public let name: String
        /// What it means.
        public let sentence: String
        /// Share of the nights without a refresh, 0 to 1; together they are 1.
        public let share: Double
    }

    private let study: AppStudy
    private var level: Double { study.experiment.analysis.level }

    /// Prepares the answers of a study.
    public init(_ study: AppStudy) { self.study = study }

    /// What was run, in one sentence.
    public var heading: String {
        let experiment = study.experiment
        let days = (experiment.duration - experiment.warmup) / .day
        return "\(study.app) under \(study.policy): \(study.facts.count) replications of \(Figures.short(days)) days, "
            + "intervals of \(Figures.short(level * 100)) %"
    }

    /// All answers.
    public var answers: [Answer] {
        [cold, life, nights, pushes] + (study.halved.isEmpty ? [] : [halving])
    }

    /// An answer whose figures are of the replications that have a value; it says how many have none.
    private func answer(_ question: String, _ sentences: [String], _ values: [(name: String, [Double])]) -> Answer {
        var answer = Answer(question: question, sentences: sentences)
        let all = study.facts.count
        for (name, list) in values {
            let without = all - list.count(where: \.isFinite)
            if without > 0, without < all { answer.withoutValue[name] = without }
        }
        let told = answer.withoutValue.sorted { $0.key < $1.key }.map { name, count in
            "\(count) of \(all) replications \(count == 1 ? "has" : "have") no value of \(name)"
        }
        if !told.isEmpty {
            answer = Answer(
                question: question,
                sentences: sentences + [told.joined(separator: "; ") + ": figures are of the others."],
                withoutValue: answer.withoutValue)
        }
        return answer
    }

    // MARK: Opens

    /// The metrics that come to all opens.
    private static let opens = ["resumes_per_day", "warm_launches_per_day", "cold_launches_per_day"]

    /// What share of the user's opens came about, beside the one that is stated.
    private func share(of opens: [Double]) -> String {
        let shares = zip(study.facts, opens).compactMap { facts, own -> Double? in
            let all = Self.opens.reduce(0) { $0 + (facts.metrics[$1] ?? 0) }
            return all > 0 ? 100 * own / all : nil
        }
        let stated = Figures.short(study.model.opensShare * 100)
        return "That is \(percent(shares)) of what the user opens; stated are \(stated) %."
    }

    private var cold: Answer {
        let rates = Self.opens.map { study.values($0, study.facts) }
        let opens = rates[0].indices.map { rates[0][$0] + rates[1][$0] + rates[2][$0] }
        var sentences = [
            "It is opened \(interval(opens)) times a day: \(interval(rates[0])) resume, "
                + "\(interval(rates[1])) launch warm, \(interval(rates[2])) launch cold."
        ]
        if study.model.opensShare > 0 { sentences.append(share(of: opens)) }
        let shares = zip(rates[2], opens).filter { $1 > 0 }.map { 100 * $0 / $1 }
        if !shares.isEmpty { sentences.append("Cold are \(percent(shares)) of the opens.") }
        let waits = study.values("launch_ms_p95", study.facts).map { $0 / 1000 }
        if waits.contains(where: \.isFinite) { sentences.append("19 of 20 opens take less than \(interval(waits)) s.") }
        return answer("How often is it cold?", sentences, [("cold share", shares), ("launch_ms_p95", waits)])
    }

    // MARK: Life after leaving

    private var life: Answer {
        let question = "How long does it live after the user leaves it?"
        let left = study.facts.filter { !$0.stays.isEmpty }
        guard !left.isEmpty else { return Answer(question: question, sentences: ["Nobody left it: it was not used."]) }
        let killed = left.map { 100 * Double($0.stays.count { $0.isKilled }) / Double($0.stays.count) }
        var sentences = ["Before the next open it is killed in \(percent(killed)) of cases."]
        let medians = left.compactMap { facts in median(facts.stays.filter(\.isKilled).map(\.seconds)) }
        if !medians.isEmpty {
            sentences.append(
                "When it is, that is \(interval(medians.map { $0 / 3600 })) h after leaving (median by replication).")
        }
        let curves = left.map { facts in SurvivalCurve(facts.stays.map { ($0.seconds, $0.isKilled) }) }
        let alive = [1.0, 4, 12].map { hours in
            "\(percent(curves.map { 100 * $0.share(after: hours * 3600) })) for \(Figures.short(hours)) h"
        }
        sentences.append("If it is not opened before, it stays alive in \(Figures.list(alive)) (Kaplan-Meier).")
        return answer(question, sentences, [("killed before the next open", killed), ("life when killed", medians)])
    }

    // MARK: Nights

    private var nights: Answer {
        let question = "In how many nights does a refresh run?"
        guard study.model.refreshPeriod > .zero else {
            return Answer(question: question, sentences: ["In none: the app never asks for a refresh."])
        }
        let runs = study.facts.map(\.nights).filter { !$0.isEmpty }
        let all = runs.flatMap { $0 }
        guard !all.isEmpty else {
            return Answer(
                question: question, sentences: ["There is no whole night from 22:00 to 06:00 after the warm-up."])
        }
        let ran = runs.map { nights in 100 * Double(nights.count { $0 == nil }) / Double(nights.count) }
        var sentences = ["In \(percent(ran)) of \(all.count) nights, 22:00 to 06:00."]
        let missed = all.compactMap { $0 }
        guard !missed.isEmpty else { return Answer(question: question, sentences: sentences) }
        sentences.append("What stood in the way longest in the other \(missed.count):")
        let texts = ReasonTexts(ownRules: study.rules)
        var counts: [String: Int] = [:]
        for reason in missed { counts[reason, default: 0] += 1 }
        let reasons = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { name, count in
            Reason(
                name: name, sentence: Self.sentence(name, texts), share: Double(count) / Double(missed.count))
        }
        return Answer(question: question, sentences: sentences, reasons: reasons)
    }

    private static func sentence(_ name: String, _ texts: ReasonTexts) -> String {
        if name == AppFacts.switchedOff { return "the user has switched Background App Refresh off for it" }
        return texts[name] ?? "the policy's rule \(name)"
    }

    // MARK: Pushes

    private var pushes: Answer {
        let question = "How late are silent pushes?"
        let sent = study.facts.filter { $0.pushesSent > 0 }
        guard !sent.isEmpty else { return Answer(question: question, sentences: ["None was sent to it."]) }
        let delivered = sent.map { 100 * Double($0.pushDelays.count) / Double($0.pushesSent) }
        let rate = study.values("silent_pushes_per_day", study.facts)
        var sentences = [
            "The system hands over \(percent(delivered)) of them, \(interval(rate)) a day."
        ]
        let medians = sent.compactMap { median($0.pushDelays) }
        let late = study.values("silent_push_delay_s_p95", study.facts)
        if !medians.isEmpty, late.contains(where: \.isFinite) {
            let minutes = interval(late.map { $0 / 60 })
            sentences.append("Half of these come within \(interval(medians)) s, 19 of 20 within \(minutes) min.")
        }
        return answer(
            question, sentences,
            [("share handed over", delivered), ("silent_pushes_per_day", rate), ("silent_push_delay_s_p95", late)])
    }

    // MARK: Half the footprint

    private var halving: Answer {
        let size = study.model.foregroundFootprint
        let (whole, half) = (Double(size.bytes), Double((size * 0.5).bytes))
        let sizes = "With \(Figures.size(half, like: whole)) instead of \(Figures.size(whole, like: whole))"
        let metrics = ["cold_launches_per_day", "relaunches_per_day", "kills_per_day", "launch_wait_s_per_day"]
        let changes = metrics.compactMap { study.halving($0) }.map { paired, entry in
            let change = Change(paired, entry)
            let isOpen = !(paired.low > 0 || paired.high < 0) && !change.isNone
            let all = study.facts.count
            return change.of + (isOpen ? ", which may be chance" : "")
                + (paired.n < all ? " (of the \(paired.n) of \(all) replications with a value)" : "")
        }
        let text = changes.isEmpty ? "nothing that the runs can tell" : changes.joined(separator: "; ")
        return Answer(
            question: "What would half the footprint change?",
            sentences: ["\(sizes), on the same days: \(text)."])
    }

    // MARK: Figures

    private func median(_ values: [Double]) -> Double? {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }

    /// A mean percentage with the ends of its interval.
    func percent(_ values: [Double]) -> String { interval(values, most: 100) + " %" }

    /// A mean with the ends of its interval, which does not reach below zero or beyond the most that there can be.
    private func interval(_ values: [Double], most: Double = .infinity) -> String {
        let finite = values.filter(\.isFinite)
        guard !finite.isEmpty else { return "-" }
        let mean = MeanInterval(finite, level: level)
        guard mean.halfWidth.isFinite else { return Figures.rough(mean.mean) }
        return
            "\(Figures.rough(mean.mean)) [\(Figures.rough(max(0, mean.low))), \(Figures.rough(min(most, mean.high)))]"
    }
}
