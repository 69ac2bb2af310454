// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import PhoneCore
import Power
import Quantities

extension AppAnswers {
    /// Energy that the app takes from the battery, according to the phone's energy ledger.
    ///
    /// The app's energy includes its radio tails, its location fixes and its part of the energy of radios that several
    /// apps use. The phone's base consumption belongs to no app.
    var energy: Answer {
        let question = "How much energy does it use?"
        let all = study.facts.compactMap(\.energy)
        func perDay(_ joules: (WatchedEnergy) -> Double) -> [Double] { all.map { joules($0) / 3600 / days } }
        func sum(_ values: [Double]) -> Double { values.reduce(0, +) }
        let total = figure(
            "energy_wh_per_day", perDay { sum($0.foreground) + sum($0.background) }, "Wh/d", .lower)
        let background = figure("background_energy_wh_per_day", perDay { sum($0.background) }, "Wh/d", .lower)
        let share = figure(
            "energy_share", all.map { 100 * (sum($0.foreground) + sum($0.background)) / $0.phone }, "%", .lower)
        let own = figure("background_energy_share", all.map { 100 * sum($0.background) / $0.phone }, "%", .lower)
        guard total.n > 0 else { return answer("energy", question, ["It uses no energy."], [total]) }
        var sentences = [
            "It uses \(total) Wh a day, \(share) of the phone's energy. In the background it uses "
                + "\(background) Wh a day, \(own) of the phone's energy."
        ]
        var figures = [total, share, background, own]
        var parts: [(name: String, text: String, mean: Double)] = []
        for component in Component.allCases {
            let index = Int(component.rawValue)
            let values = perDay { $0.foreground[index] + $0.background[index] }
            guard sum(values) > 0 else { continue }
            let found = figure("\(component.name)_energy_wh_per_day", values, "Wh/d", .lower)
            figures.append(found)
            figures.append(
                figure(
                    "background_\(component.name)_energy_wh_per_day", perDay { $0.background[index] }, "Wh/d", .lower))
            parts.append(
                (component.name, "\(component.name) \(Figures.short(1000 * found.value, digits: 2))", found.value))
        }
        let largest = parts.sorted { ($1.mean, $0.name) < ($0.mean, $1.name) }.prefix(4).map(\.text)
        if !largest.isEmpty { sentences.append("Its largest components, in mWh a day: \(Figures.list(largest)).") }
        return answer("energy", question, sentences, figures)
    }
}
