// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import PhoneCore
import Processes
import Quantities
import Scenario
import Statistics
import Vocabulary

/// Answers to questions of app teams, in sentences whose figures have intervals over the replications.
public struct AppAnswers: Sendable {
    /// A question with its answer.
    public struct Answer: Sendable, Equatable {
        /// Name of the question in program output.
        public let name: String
        /// Text of the question.
        public let question: String
        /// Sentences of the answer.
        public let sentences: [String]
        /// Figures of the answer, including those without a value.
        public var figures: [Figure] = []
        /// Rows of a table of causes and their shares, shown below the answer; empty for most questions.
        public var reasons: [Reason] = []
        /// Rows of a table of changes, the most helpful first, shown below the answer; empty for most questions.
        public var changes: [Effect] = []
    }

    /// Cause of the app's deaths, or of the nights without a refresh.
    public struct Reason: Sendable, Equatable {
        /// Name of the cause, as in the tables `events` and `decisions`.
        public let name: String
        /// Description of the cause.
        public let sentence: String
        /// Share of the deaths, or of the nights without a refresh, from 0 to 1.
        ///
        /// All shares add up to 1.
        public let share: Double
    }

    /// Runs on which the answers are based.
    public let study: AppStudy

    /// Prepares the answers of a study.
    public init(_ study: AppStudy) { self.study = study }

    /// Number of days after the warm-up in each replication.
    public var days: Double { (study.experiment.duration - study.experiment.warmup) / .day }

    /// One sentence that describes the runs.
    public var heading: String {
        "\(study.app) under \(study.policy): \(study.facts.count) replications of \(Figures.short(days)) days, "
            + "\(Figures.short(study.experiment.analysis.level * 100)) % intervals"
    }

    /// All answers.
    public var answers: [Answer] {
        [cold, life, deaths] + [processes].compactMap(\.self) + [refreshes, nights, pushes, energy]
            + (study.trials.isEmpty ? [] : [help])
    }

    // MARK: Opens

    /// Metrics of the three kinds of opens; their sum is the number of all opens.
    private static let opens = ["resumes_per_day", "warm_launches_per_day", "cold_launches_per_day"]

    /// Share of all opens by the user that were opens of this app, in per cent, by replication.
    private func shares(of opens: [Double]) -> [Double] {
        zip(study.facts, opens).map { facts, own in
            let all = Self.opens.reduce(0) { $0 + (facts.metrics[$1] ?? 0) }
            return all > 0 ? 100 * own / all : .nan
        }
    }

    private var cold: Answer {
        let rates = Self.opens.map { study.values($0, study.facts) }
        let opens = rates[0].indices.map { rates[0][$0] + rates[1][$0] + rates[2][$0] }
        let all = figure("opens_per_day", opens, "1/d")
        let ways: [Metric.Direction] = [.higher, .neutral, .lower]
        let kinds = Self.opens.indices.map { figure(Self.opens[$0], rates[$0], "1/d", ways[$0]) }
        var figures = [all] + kinds
        var sentences = [
            "It is opened \(all) times a day: \(kinds[0]) resume, \(kinds[1]) launch warm, \(kinds[2]) launch cold."
        ]
        if study.model.opensShare > 0 {
            let share = figure("share_of_opens", shares(of: opens), "%")
            let stated = Figures.short(study.model.opensShare * 100)
            figures.append(share)
            sentences.append("That is \(share) of all opens by the user; the declared share is \(stated) %.")
        }
        let cold = figure("cold_share", zip(rates[2], opens).map { $1 > 0 ? 100 * $0 / $1 : .nan }, "%", .lower)
        if cold.n > 0 { sentences.append("\(cold) of the opens are cold.") }
        let wait = figure("launch_s_p95", study.values("launch_ms_p95", study.facts).map { $0 / 1000 }, "s", .lower)
        if wait.n > 0 { sentences.append("19 of 20 opens take less than \(wait) s.") }
        return answer("cold", "How often is it cold?", sentences, figures + [cold, wait])
    }

    // MARK: Life after leaving

    private var life: Answer {
        let question = "How long does it live after the user leaves it?"
        let killed = figure(
            "killed_share",
            study.facts.map { 100 * Double($0.stays.count { $0.isKilled }) / Double($0.stays.count) }, "%", .lower)
        guard killed.n > 0 else {
            return Answer(
                name: "life", question: question, sentences: ["The user never left it, because it was not used."],
                figures: [killed])
        }
        var sentences = ["It is killed before the next open in \(killed) of cases."]
        let hours = study.facts.map { facts in median(facts.stays.filter(\.isKilled).map(\.seconds)) / 3600 }
        let lived = figure("killed_after_h", hours, "h", .higher)
        if lived.n > 0 {
            sentences.append(
                "It is then killed \(lived) h after the user leaves it (mean of the replications' medians).")
        }
        let curves = study.facts.map { facts in
            facts.stays.isEmpty ? nil : SurvivalCurve(facts.stays.map { ($0.seconds, $0.isKilled) })
        }
        let alive = [1, 4, 12].map { hours in
            figure(
                "alive_share_after_\(hours)_h",
                curves.map { 100 * ($0?.share(after: Double(hours) * 3600) ?? .nan) }, "%", .higher)
        }
        let list = Figures.list(zip(alive, [1, 4, 12]).map { "\($0) of cases for \($1) h" })
        sentences.append("If it is not opened again, it stays alive in \(list) (Kaplan-Meier).")
        return answer("life", question, sentences, [killed, lived] + alive)
    }

    // MARK: Deaths

    private var deaths: Answer {
        let question = "What does it die of?"
        let counts = study.facts.map { Double($0.deaths.values.reduce(0, +)) / days }
        let rate = figure("deaths_per_day", counts, "1/d", .lower)
        var all: [AppFacts.Death: Int] = [:]
        for facts in study.facts { all.merge(facts.deaths, uniquingKeysWith: +) }
        guard !all.isEmpty else {
            return answer("deaths", question, ["Its process never ends."], [rate])
        }
        var texts: [String: (sentence: String, remedy: String)] = [:]
        for death in all.keys { texts[death.name] = (sentence(death), death.remedy) }
        let named = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $1) })
        let reasons = Self.reasons(named) { texts[$0]?.sentence ?? "" }
        var sentences = ["Its process ends \(rate) times a day."]
        if let most = reasons.first, most.share >= 0.5, let remedy = texts[most.name]?.remedy {
            let share = Figures.short((most.share * 100).rounded())
            sentences.append("In \(share) % of cases, \(most.sentence): \(remedy).")
        }
        var found = answer("deaths", question, sentences, [rate])
        found.reasons = reasons
        return found
    }

    private func sentence(_ death: AppFacts.Death) -> String {
        guard case .kill(.longIdleExit) = death else { return death.sentence }
        let hours = study.experiment.points[0].device.os.reapedAfter.seconds / 3600
        let length = hours < 1 ? "\(Figures.short(hours * 60)) min" : "\(Figures.short(hours)) h"
        return "it had been idle for \(length) while memory was short"
    }

    // MARK: Nights

    private var nights: Answer {
        let question = "In how many nights does a refresh run?"
        guard study.model.refreshPeriod > .zero else {
            return Answer(
                name: "nights", question: question, sentences: ["In none, because the app never requests a refresh."])
        }
        let runs = study.facts.map(\.nights)
        let all = runs.flatMap { $0 }
        let ran = figure(
            "refreshed_share", runs.map { nights in 100 * Double(nights.count { $0 == nil }) / Double(nights.count) },
            "%", .higher)
        guard !all.isEmpty else {
            return Answer(
                name: "nights", question: question,
                sentences: ["There is no whole night from 22:00 to 06:00 after the warm-up."], figures: [ran])
        }
        var sentences = ["In \(ran) of \(all.count) nights (22:00 to 06:00)."]
        let missed = all.compactMap { $0 }
        guard !missed.isEmpty else { return answer("nights", question, sentences, [ran]) }
        sentences.append("Main causes in the other nights (\(missed.count)):")
        let texts = ReasonTexts(ownRules: study.rules)
        var counts: [String: Int] = [:]
        for reason in missed { counts[reason, default: 0] += 1 }
        let reasons = Self.reasons(counts) { Self.sentence($0, texts) }
        return Answer(name: "nights", question: question, sentences: sentences, figures: [ran], reasons: reasons)
    }

    /// Causes with their shares, the most frequent first.
    private static func reasons(_ counts: [String: Int], _ sentence: (String) -> String) -> [Reason] {
        let all = counts.values.reduce(0, +)
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { name, count in
            Reason(name: name, sentence: sentence(name), share: Double(count) / Double(all))
        }
    }

    private static func sentence(_ name: String, _ texts: ReasonTexts) -> String {
        if name == AppFacts.switchedOff { return "the user has switched Background App Refresh off for the app" }
        return texts[name] ?? "the policy's rule \(name) applied"
    }

    // MARK: Pushes

    private var pushes: Answer {
        let question = "How late are silent pushes?"
        let delivered = figure(
            "delivered_share", study.facts.map { 100 * Double($0.pushDelays.count) / Double($0.pushesSent) }, "%",
            .higher)
        guard delivered.n > 0 else {
            return Answer(
                name: "pushes", question: question, sentences: ["No silent push was sent to it."], figures: [delivered])
        }
        let rate = figure("silent_pushes_per_day", study.values("silent_pushes_per_day", study.facts), "1/d")
        var sentences = ["The system delivers \(delivered) of them, \(rate) a day."]
        let half = figure("delay_s_median", study.facts.map { median($0.pushDelays) }, "s", .lower)
        let late = figure(
            "delay_min_p95", study.values("silent_push_delay_s_p95", study.facts).map { $0 / 60 }, "min", .lower)
        if half.n > 0, late.n > 0 {
            sentences.append("Half of the delivered pushes arrive within \(half) s, 19 of 20 within \(late) min.")
        }
        return answer("pushes", question, sentences, [delivered, rate, half, late])
    }

    // MARK: Figures

    /// Creates an answer.
    ///
    /// The last sentence lists the figures without a value in some replications, if there are any.
    func answer(_ name: String, _ question: String, _ sentences: [String], _ figures: [Figure]) -> Answer {
        let open = figures.filter { $0.withoutValue > 0 }.map {
            "\($0.name) in \($0.withoutValue) of \(study.facts.count)"
        }
        let without = open.isEmpty ? [] : ["These figures have no value in some replications: \(Figures.list(open))."]
        return Answer(name: name, question: question, sentences: sentences + without, figures: figures)
    }

    /// Figure with the mean of the values over the replications; the mean is NaN if no replication has a value.
    func figure(
        _ name: String, _ values: [Double], _ unit: String, _ better: Metric.Direction = .neutral
    ) -> Figure {
        var figure = Figure(name, values, unit, level: study.experiment.analysis.level)
        figure.better = better
        return figure
    }

    /// Median; NaN if there are no values.
    private func median(_ values: [Double]) -> Double {
        guard !values.isEmpty else { return .nan }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }
}

extension AppFacts.Death {
    /// Name in tables.
    var name: String {
        switch self {
        case .kill(let reason): reason.name
        case .exit(let category): category.name
        }
    }

    /// Cause, as part of a sentence.
    fileprivate var sentence: String {
        switch self {
        case .kill(let reason): reason.sentence
        case .exit(.normal): "its user swiped it away, or the phone was switched off"
        case .exit(.abnormal), .exit(.badAccess), .exit(.illegalInstruction): "it crashed"
        case .exit(.watchdog): "it took too long to launch or to change its state"
        case .exit(.cpuLimit): "it used too much processor time in the background"
        case .exit(.memoryLimit): "it went above its own limit"
        case .exit(.memoryPressure): "memory was short"
        case .exit(.lockedFile): "it held a locked file while it was suspended"
        case .exit(.taskTimeout): "its background work exceeded its time limit"
        }
    }

    /// Advice on whether a smaller footprint would help.
    fileprivate var remedy: String {
        switch self {
        case .kill(.highwater), .kill(.perProcessLimit), .exit(.memoryLimit):
            "a footprint below that limit helps"
        case .kill(let reason) where reason.isChosenByPolicy:
            "a smaller footprint helps only by leaving the phone more memory"
        case .exit(.memoryPressure): "a smaller footprint helps only by leaving the phone more memory"
        case .kill, .exit: "a smaller footprint does not help"
        }
    }
}
