// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Platform
import Quantities
import Workload

/// Model files for a fleet: a population with the differences between its phones, and an experiment about its app.
extension Fleet {
    /// Trait of the people, with the keys and values that were estimated for it.
    private struct Trait {
        var name: String
        var title: String
        var source: String
        var keys: [String]
    }

    /// Smallest number of phones for a sweep of the footprint.
    private static let fewestPhones = 3

    /// Shares of the day that people spend awake in locations where the phone may have Wi-Fi; assumption.
    private static let shareOfDay = (home: 0.6, work: 0.25, transit: 0.05, other: 0.1)

    /// Words for the signal, from no bar to four bars.
    private static let signals = ["very-poor", "poor", "moderate", "good", "excellent"]

    /// Traits in which the people differ, as far as the phones report values.
    private func traits(_ persona: Persona) -> [Trait] {
        func text(_ value: Double) -> String { Figures.short(value, digits: 3) }
        var traits: [Trait] = []
        if let deviation = opens?.deviation({ log($0) }) {
            traits.append(
                Trait(
                    name: "use", title: "pick-ups a day", source: "spread of opens a day; the median is the persona's",
                    keys: [
                        "{key: pickups.per_day, median: \(text(persona.pickups.perDay)), spread: \(text(deviation)), "
                            + "range: [5, 500]}"
                    ]))
        }
        if let visit, let deviation = visit.deviation({ log($0) }) {
            // The time in an app is log-normal, and the phones report its mean, so the median is computed.
            let median = visit.median * exp(-persona.visit.sigma * persona.visit.sigma / 2)
            traits.append(
                Trait(
                    name: "visits", title: "seconds in an app", source: "seconds on screen for each open",
                    keys: [
                        "{key: visit.median, median: \(text(min(max(median, 1), 600))), spread: \(text(deviation)), "
                            + "unit: s, range: [1, 600]}"
                    ]))
        }
        if let wifiShare {
            func inside(_ share: Double) -> Double { min(max(share, 0.02), 0.98) }
            let shares = Self.shareOfDay
            let usual =
                shares.home * persona.wifi.home + shares.work * persona.wifi.work
                + shares.transit * persona.wifi.transit + shares.other * persona.wifi.other
            let factor = usual > 0 ? min(max(inside(wifiShare.median) / usual, 0.1), 2) : 1
            if usual > 0, let deviation = wifiShare.deviation({ log(inside($0)) }) {
                traits.append(
                    Trait(
                        name: "wifi", title: "time on Wi-Fi, relative to the persona's",
                        source: "share of bytes over Wi-Fi, used as the share of time on Wi-Fi",
                        keys: [
                            "{key: wifi.country_factor, median: \(text(factor)), "
                                + "spread: \(text(deviation)), range: [0.1, 2]}"
                        ]))
            }
        }
        if let bars, let deviation = bars.deviation({ $0 }) {
            let keys = ["home", "work", "transit", "other"].map { spot in
                "{key: cellular.signal.\(spot), median: \(text(min(bars.median, 4))), spread: \(text(deviation)), "
                    + "scale: linear, words: [\(Self.signals.joined(separator: ", "))]}"
            }
            traits.append(
                Trait(name: "signal", title: "cellular signal", source: "mean number of signal bars", keys: keys))
        }
        return traits
    }

    /// Titles of the traits that the phones report.
    public func told(_ persona: Persona) -> [String] { traits(persona).map(\.title) }

    /// Text of a population file; nil if the phones report no traits.
    ///
    /// - Parameters:
    ///   - persona: Persona that provides all other values.
    ///   - name: Name of the persona.
    public func populationText(_ persona: Persona, named name: String) -> String? {
        let traits = traits(persona)
        guard !traits.isEmpty else { return nil }
        var lines = [
            "# \(phones) phones, \(days) days of an app. Traits that are not listed are those of the persona \(name).",
            "schema: 1", "name: fleet", "grounding: \"spread over \(phones) phones, from counts of one app\"",
            "persona: \(name)", "traits:",
        ]
        for trait in traits {
            lines += ["  - name: \(trait.name)", "    title: \"\(trait.title)\"", "    keys:    # \(trait.source)"]
            lines += trait.keys.map { "      - \($0)" }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Text of an experiment file about the app, with this population.
    ///
    /// - Parameters:
    ///   - app: Name of the app in the model files.
    ///   - ends: Categories of process ends that were counted, the most frequent first.
    public func experimentText(_ persona: Persona, named name: String, app: String, ends: [String]) -> String {
        let people = traits(persona).isEmpty ? "{persona: \(name)}" : "{population: ./people.yaml, size: \(size)}"
        let ram = memory.map { ", memory: {ram: \(UnitText.format(Double($0.bytes), as: .bytes))}" } ?? ""
        var lines = [
            "# \(phones) phones, \(days) days of an app; \(alike) of the phones have this device and system.",
            "schema: 1", "name: fleet", "question: How does the app fare on the phones of this fleet?", "seed: 1",
            "start: 2026-03-02 00:00", "duration: 8 d", "warmup: 1 d", "replications: \(size)",
            "device: {base: \(device), os: \(os)\(ram)}", "apps: {catalog: everyday, count: 80}",
            "app: {\(keys(persona, app).joined(separator: ", "))}", "user: \(people)",
        ]
        if let footprint, footprint.values.count >= Self.fewestPhones {
            let sizes = [0.1, 0.5, 0.9].map { Int(footprint.quantile($0).rounded()) }
            if sizes[0] >= 1, sizes[0] < sizes[1], sizes[1] < sizes[2] {
                lines += [
                    "sweep:    # 10th, 50th and 90th percentile of the footprint on these phones", "  axes:",
                    "    app.memory.foreground: [\(sizes.map { "\($0) MiB" }.joined(separator: ", "))]",
                ]
            }
        }
        lines.append("policies: {eviction: system, scheduling: system}")
        let shown = (["energy_wh_per_day"] + ends.map { "exits_\($0)_per_day" }).joined(separator: ", ")
        lines.append("metrics: {primary: relaunches_per_day, shown: [\(shown)]}")
        return lines.joined(separator: "\n") + "\n"
    }

    /// Number of replications, each with its own person; for a small fleet, it exceeds the number of phones.
    private var size: Int { min(max(phones, 20), 200) }

    private func keys(_ persona: Persona, _ app: String) -> [String] {
        var keys = ["name: \(app)", "category: \(TwinCategory.of(self.app))"]
        func text(_ value: Double) -> String { Figures.short(value, digits: 3) }
        if let footprint, footprint.median >= 1 {
            let front = Int(footprint.median.rounded())
            let behind = min(front, max(1, Int((background?.median ?? footprint.median).rounded())))
            keys.append("memory: {foreground: \(front) MiB, background: \(behind) MiB}")
        }
        if let launch { keys.append("launch: {cold: \(max(1, Int(launch.median.rounded()))) ms}") }
        if let opens {
            let share = min(
                opens.median / StatedOpens.most(for: persona) * StatedOpens.mostShare, StatedOpens.mostShare)
            keys.append("opened: {share: \(text(share * 100)) %}")
        }
        if let rate { keys.append("use: {rate: \(text(rate.median / 1000)) kbit/s}") }
        return keys
    }
}
