// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Quantities
import Scenario
import Vocabulary

extension AppAnswers {
    /// Number of refreshes that the app requests, number of refreshes that run, and outcomes of its other requests.
    var refreshes: Answer {
        let question = "How many refreshes does it request, and how many run?"
        guard study.model.refreshPeriod > .zero else {
            return Answer(
                name: "refreshes", question: question, sentences: ["The app never requests a refresh."])
        }
        typealias Counts = AppFacts.RefreshCounts
        func rate(_ name: String, _ better: Metric.Direction, _ count: (AppFacts) -> Int) -> Figure {
            figure(name + "_per_day", study.facts.map { Double(count($0)) / days }, "1/d", better)
        }
        func share(_ name: String, _ key: KeyPath<Counts, Int>) -> Figure {
            let shares = study.facts.map { facts in
                let (day, night) = (facts.refreshes.day, facts.refreshes.night)
                let asked = day.asked + night.asked
                return asked > 0 ? 100 * Double(day[keyPath: key] + night[keyPath: key]) / Double(asked) : .nan
            }
            return figure(name, shares, "%", .lower)
        }
        let asked = rate("asked", .neutral) { $0.refreshes.day.asked + $0.refreshes.night.asked }
        let ran = rate("ran", .higher) { $0.refreshes.day.ran + $0.refreshes.night.ran }
        let day = rate("ran_by_day", .higher) { $0.refreshes.day.ran }
        let night = rate("ran_at_night", .higher) { $0.refreshes.night.ran }
        let (refused, replaced) = (share("refused_share", \.refused), share("replaced_share", \.replaced))
        var sentences = [
            "It requests \(asked) a day, and \(ran) run: \(day) from 6:00 to 22:00 and \(night) at night."
        ]
        if replaced.value >= 1 {
            sentences.append(
                "When the user left the app, a new request replaced the pending one in \(replaced) of cases and "
                    + "postponed the earliest start."
            )
        }
        if refused.value >= 1 { sentences.append("The system refused \(refused) of the requests.") }
        return answer("refreshes", question, sentences, [asked, ran, day, night, refused, replaced])
    }
}
