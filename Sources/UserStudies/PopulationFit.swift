// SPDX-License-Identifier: GPL-3.0-or-later
import Numerics
import Platform
import Quantities
import Vocabulary
import Workload

/// Population from which the users of several fits may have been drawn.
///
/// Each figure is a trait, with its median and its spread between users on the figure's scale. The spread excludes the
/// part that is due to each user's own uncertainty (DerSimonian and Laird 1986, doi:10.1016/0197-2456(86)90046-2). If
/// no spread remains, the figure is equal for all users.
package struct PopulationFit: Sendable {
    /// A figure in which users may differ.
    struct Trait: Sendable {
        let parameter: HabitParameter
        /// Mean on the scale of the figure.
        let center: Double
        let spread: Double
        let error: Double
        let values: [Double]
    }

    /// Smallest number of users for correlations.
    ///
    /// With fewer users, correlations are mostly sampling noise.
    private static let fewestForCorrelations = 10

    private let users: [PersonaFit]
    private let traits: [Trait]

    /// Creates a fit; nil if there are fewer than two users.
    package init?(_ users: [PersonaFit]) {
        guard users.count > 1 else { return nil }
        self.users = users
        traits = HabitParameter.all.compactMap { parameter in
            let known = users.compactMap { user in user.figures.first { $0.parameter.key == parameter.key } }
            // A figure that most recordings do not determine is not a trait of the population.
            guard known.count > 1, known.count * 2 > users.count else { return nil }
            let values = known.map { parameter.onto($0.value) }
            guard let seen = UserStudies.spread(values) else { return nil }
            let own = known.reduce(0) { $0 + $1.error * $1.error } / Double(known.count)
            return Trait(
                parameter: parameter, center: seen.mean,
                spread: max(seen.deviation * seen.deviation - own, 0).squareRoot(),
                error: seen.deviation / Double(known.count).squareRoot(), values: values)
        }
    }

    /// Content of the population's file.
    package func yaml(name: String, base: String, origin: String) -> String {
        let moving = traits.filter { $0.spread > 0.01 }
        let signals = self.signals
        var text = """
            # \(users.count) users, from \(origin). `spread` is between users, without the part due to their own
            # uncertainty; `interval` is two standard errors of the median to either side.
            schema: 1
            name: \(name)
            grounding: \"fitted to the recordings of \(users.count) users\"
            persona:
              base: \(base)

            """
        text += fixed(traits.filter { $0.spread <= 0.01 })
        if let signals, signals.deviation == 0 {
            let level = SignalLevel(number: Int(signals.mean)).rawValue
            let places = Self.signalPlaces.map { "\($0): \(level)" }.joined(separator: ", ")
            text += "  cellular: {signal: {\(places)}}\n"
        }
        text += "\ntraits:\n"
        for trait in moving {
            text += "  - name: \(Self.traitName(trait))\n    title: \(Self.title(trait))\n"
            text += "    keys:\n      - {\(effect(trait))}\n"
        }
        if let signals, signals.deviation > 0 { text += Self.trait(of: signals) }
        let pairs = correlations(moving)
        if !pairs.isEmpty {
            text += "\ncorrelations:\n"
            for pair in pairs {
                let names = [pair.0, pair.1].map { Self.traitName(moving[$0]) }.joined(separator: ", ")
                text += "  - {between: [\(names)], is: \(PersonaFit.short(pair.2))}\n"
            }
        }
        return text
    }

    private static let signalPlaces = ["home", "work", "transit", "other"]

    /// Mean and standard deviation over users of the number of each user's most frequent signal level.
    ///
    /// The result is nil if most recordings do not contain the signal.
    private var signals: (mean: Double, deviation: Double)? {
        let known = users.compactMap(\.signal)
        guard known.count > 1, known.count * 2 > users.count else { return nil }
        return spread(known.map { Double($0.number) }).map { ($0.mean, $0.deviation) }
    }

    /// Text of a trait for the most frequent signal level of a user.
    private static func trait(of signals: (mean: Double, deviation: Double)) -> String {
        let words = SignalLevel.allCases.map(\.rawValue).joined(separator: ", ")
        let figures = "median: \(PersonaFit.short(signals.mean)), spread: \(PersonaFit.short(signals.deviation))"
        return "  - name: signal\n    title: \"cellular signal, from 0 for excellent to 4\"\n    keys:\n"
            + signalPlaces.map {
                "      - {key: cellular.signal.\($0), \(figures), scale: linear, words: [\(words)]}\n"
            }.joined()
    }

    /// Lines for the figures in which users do not differ, and for the mean hours of all users.
    private func fixed(_ traits: [Trait]) -> String {
        var lines: [(section: String, line: String)] = []
        for trait in traits where trait.parameter.part == .whole {
            let path = trait.parameter.path
            let value = PersonaFit.text(trait.parameter.back(trait.center), trait.parameter)
            lines.append((path.count > 1 ? path[0] : "", "\(path[path.count - 1]): \(value)"))
        }
        var text = ""
        for line in lines where line.section.isEmpty { text += "  \(line.line)\n" }
        let sections = HabitParameter.all.map { $0.path[0] }
        for (index, section) in sections.enumerated() where !sections[..<index].contains(section) {
            let own = lines.filter { $0.section == section }
            if !own.isEmpty { text += "  \(section): {" + own.map(\.line).joined(separator: ", ") + "}\n" }
        }
        func mean(_ hours: (Persona) -> [Double], _ known: (PersonaFit) -> Bool) -> String? {
            let lists = users.filter(known).map { hours($0.persona) }
            guard !lists.isEmpty else { return nil }
            let means = (0..<24).map { hour in
                lists.reduce(0) { $0 + $1[hour] / $1.reduce(0, +) } / Double(lists.count)
            }
            return "[" + means.map { PersonaFit.short($0) }.joined(separator: ", ") + "]"
        }
        if let hours = mean(\.workdayHours, { $0.knowsHours.workday }) { text += "  workday_hours: \(hours)\n" }
        if let hours = mean(\.freeDayHours, { $0.knowsHours.freeDay }) { text += "  free_day_hours: \(hours)\n" }
        return text
    }

    private func effect(_ trait: Trait) -> String {
        let parameter = trait.parameter
        let isPercent = parameter.unit == "%" && parameter.scale != .logit
        func shown(_ value: Double) -> String {
            PersonaFit.short(parameter.back(value) * (isPercent ? 100 : 1))
        }
        var parts = [
            "key: \(parameter.key)", "median: \(shown(trait.center))", "spread: \(PersonaFit.short(trait.spread))",
        ]
        if parameter.scale != .log { parts.append("scale: \(parameter.scale == .logit ? "logit" : "linear")") }
        if !parameter.unit.isEmpty, parameter.scale != .logit { parts.append("unit: \"\(parameter.unit)\"") }
        switch parameter.key {
        case "pickups.day_correlation": parts.append("range: [-0.95, 0.95]")
        case "pickups.day_sigma": parts.append("range: [0.01, 2.5]")
        case "pickups.gap_shape": parts.append("range: [0.15, 15]")
        case "apps.active": parts += ["range: [2, 1000]", "whole: true"]
        case "apps.new_per_day": parts.append("range: [0, 10]")
        case "restarts.per_month", "installs.per_month", "installs.updates_per_month": parts.append("range: [0, 30]")
        case "apps.zipf", "notifications.zipf": parts.append("range: [0, 8]")
        case "notifications.burst_share": parts.append("range: [0, 0.45]")
        default: break
        }
        let ends = [trait.center - 2 * trait.error, trait.center + 2 * trait.error].map(shown)
        return (parts + ["interval: [\(ends[0]), \(ends[1])]"]).joined(separator: ", ")
    }

    /// Correlations that are larger than twice their standard error, shrunk towards zero.
    ///
    /// The weakest ones are omitted until the matrix is valid.
    private func correlations(_ traits: [Trait]) -> [(Int, Int, Double)] {
        guard users.count >= Self.fewestForCorrelations else { return [] }
        let whole = traits.indices.filter { traits[$0].values.count == users.count }
        let shrinkage = Double(users.count) / Double(users.count + 10)
        var pairs: [(Int, Int, Double)] = []
        for (index, left) in whole.enumerated() {
            for right in whole.dropFirst(index + 1) {
                let value = correlation(traits[left].values, traits[right].values)
                let chance = 2 / Double(users.count).squareRoot()
                if abs(value) > chance { pairs.append((left, right, value * shrinkage)) }
            }
        }
        pairs.sort { (-abs($0.2), $0.0, $0.1) < (-abs($1.2), $1.0, $1.1) }
        while !pairs.isEmpty, !Self.isPositive(pairs, traits.count) { pairs.removeLast() }
        return pairs
    }

    /// Whether the correlations are possible together, that is, whether the Cholesky decomposition of the matrix
    /// succeeds.
    private static func isPositive(_ pairs: [(Int, Int, Double)], _ count: Int) -> Bool {
        var matrix = (0..<count).map { row in (0..<count).map { $0 == row ? 1.0 : 0.0 } }
        for pair in pairs {
            matrix[pair.0][pair.1] = pair.2
            matrix[pair.1][pair.0] = pair.2
        }
        for column in 0..<count {
            for inner in 0..<column { matrix[column][column] -= matrix[column][inner] * matrix[column][inner] }
            guard matrix[column][column] > 1e-6 else { return false }
            matrix[column][column] = matrix[column][column].squareRoot()
            for row in (column + 1)..<max(count, column + 1) {
                for inner in 0..<column { matrix[row][column] -= matrix[row][inner] * matrix[column][inner] }
                matrix[row][column] /= matrix[column][column]
            }
        }
        return true
    }

    private static func traitName(_ trait: Trait) -> String {
        trait.parameter.key.split(whereSeparator: { $0 == "." || $0 == "_" }).joined(separator: "-")
    }

    private static func title(_ trait: Trait) -> String {
        trait.parameter.key.split(whereSeparator: { $0 == "." || $0 == "_" }).joined(separator: " ")
    }
}
