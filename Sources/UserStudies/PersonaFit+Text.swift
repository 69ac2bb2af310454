// SPDX-License-Identifier: GPL-3.0-or-later
import Platform
import Quantities
import Vocabulary
import Workload

extension PersonaFit {
    /// Content of the persona's file: a base, and the figures from the recording with their intervals.
    ///
    /// - Parameters:
    ///   - name: Name of the persona.
    ///   - base: Name of the base, as in an experiment.
    ///   - origin: Origin of the recording.
    package func yaml(name: String, base: String, origin: String) -> String {
        var text = """
            # The user of \(origin), from \(days) whole days. Behind each figure: its interval, two standard errors to
            # either side. Figures that are not here are those of the base.
            schema: 1
            base: \(base)
            name: \(name)
            grounding: \"fitted to \(origin), \(days) days\"

            """
        var sections: [(name: String, lines: [String])] = []
        func add(_ section: String, _ line: String) {
            if let index = sections.firstIndex(where: { $0.name == section }) {
                sections[index].lines.append(line)
            } else {
                sections.append((section, [line]))
            }
        }
        var done: Set<[String]> = []
        for figure in figures {
            let path = figure.parameter.path
            guard done.insert(path).inserted else { continue }
            let parts = figures.filter { $0.parameter.path == path }
            add(path.count > 1 ? path[0] : "", line(path[path.count - 1], parts))
        }
        if figures.contains(where: { $0.parameter.key == "pickups.free_day_factor" }) {
            add("pickups", "workday_factor: 1")
        }
        if figures.contains(where: { $0.parameter.key == "charging.night_probability" }) {
            // The recording contains only the nights with a charge, so the value holds for all levels.
            add("charging", "night_level: 100 %")
        }
        if figures.contains(where: { $0.parameter.key.hasPrefix("notifications.") }) { addAnswers(add) }
        if let signal {
            let places = ["home", "work", "transit", "other"].map { "\($0): \(signal.rawValue)" }
            let remark = "    # the most frequent signal level, because the recording does not contain locations"
            add("cellular", "signal: {\(places.joined(separator: ", "))}" + remark)
        }
        for section in sections {
            if section.name.isEmpty {
                for line in section.lines { text += line + "\n" }
            } else {
                text += "\n\(section.name):\n" + section.lines.map { "  \($0)\n" }.joined()
            }
        }
        if knowsHours.workday { text += "\nworkday_hours: \(hours(persona.workdayHours))\n" }
        if knowsHours.freeDay { text += "free_day_hours: \(hours(persona.freeDayHours))\n" }
        text += "\n# Distance of this persona's behaviour from the recording:\n"
        for distance in goodness {
            text +=
                "#   \(distance.name): \(Self.short(distance.value)), "
                + "\(distance.isNear ? "within" : "NOT within") \(Self.short(distance.limit))\n"
        }
        return text
    }

    /// Line for one figure, or for the two figures of a distribution, followed by the intervals.
    private func line(_ key: String, _ parts: [Figure]) -> String {
        let intervals = parts.map { figure -> String in
            let ends = "\(text(figure.interval.lowerBound, figure)) to \(text(figure.interval.upperBound, figure))"
            return parts.count > 1 ? "\(figure.parameter.part): \(ends)" : ends
        }
        let remark = "    # " + intervals.joined(separator: "; ")
        guard parts.count > 1 || parts[0].parameter.part != .whole else {
            return "\(key): \(text(parts[0].value, parts[0]))" + remark
        }
        // If only one part of a spread was estimated, the other part is from the base.
        let path = parts[0].parameter.path
        let whole = HabitParameter.all.filter { $0.path == path }
        let members = whole.map { "\($0.part): \(Self.text(persona[keyPath: $0.value], $0))" }
        let cap = path == ["visit"] && persona.visit.cap.isFinite ? ", cap: \(Self.short(persona.visit.cap)) s" : ""
        return "\(key): {\(members.joined(separator: ", "))\(cap)}" + remark
    }

    private func text(_ value: Double, _ figure: Figure) -> String { Self.text(value, figure.parameter) }

    static func text(_ value: Double, _ parameter: HabitParameter) -> String {
        if parameter.isWhole { return String(Int(value.rounded())) }
        if parameter.unit == "%" { return short(value * 100) + " %" }
        return parameter.unit.isEmpty ? short(value) : "\(short(value)) \(parameter.unit)"
    }

    /// Adds the habits for notifications that were not fitted.
    private func addAnswers(_ add: (String, String) -> Void) {
        let habits = persona.answers
        func spread(_ name: String, _ value: LogNormal) {
            add(
                "notifications",
                "\(name): {median: \(Self.short(value.median)) s, sigma: \(Self.short(value.sigma))}    # not fitted")
        }
        spread("reply_delay", habits.replyDelay)
        spread("follow_delay", habits.followDelay)
        spread("answer_delay", habits.answerDelay)
        add("notifications", "follow_share: \(Self.short(habits.followShare * 100)) %    # not fitted")
        add("notifications", "day_sigma: \(Self.short(habits.daySigma))    # not fitted")
        add("notifications", "favourites: \(Self.short(habits.favourites))    # not fitted")
        add("notifications", "muted_share: 0 %    # muted apps send nothing that a recording could contain")
        add("notifications", "forgetting: \(Self.short(habits.forgetting.seconds / 60)) min    # not fitted")
    }

    private func hours(_ values: [Double]) -> String {
        let total = values.reduce(0, +)
        let shares = values.map { Self.short($0 / total) }
        let halves = [shares.prefix(12), shares.dropFirst(12)].map { $0.joined(separator: ", ") }
        return "[" + halves.joined(separator: ",\n  ") + "]"
    }

    /// A number with four significant digits, without trailing zeros.
    package static func short(_ value: Double) -> String {
        guard value.isFinite, value != 0 else { return value == 0 ? "0" : "\(value)" }
        let digits = max(0, 3 - Int(log10(abs(value)).rounded(.down)))
        let scale = pow(10, Double(digits))
        let rounded = (value * scale).rounded() / scale
        return rounded == rounded.rounded() && abs(rounded) < 1e15 ? String(Int64(rounded)) : "\(rounded)"
    }
}
