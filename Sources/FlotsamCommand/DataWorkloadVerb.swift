// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import ConfigText
import Diagnostics
import Files
import Measures
import Recording
import Scenario
import Vocabulary
import Workload

/// `flotsam data workload`: generates, counts, fits and plots workloads, and compares personas with recorded users.
enum DataWorkloadVerb: Verb {
    static let name = "workload"
    static let summary = "Generates, counts, fits and plots workloads; compares personas with recordings"
    static let example = "flotsam data workload generate --persona average --days 28 --seed 1 -o month.csv"

    private static let longest = 3660
    /// The line that marks a generated workload.
    private static let mark = "# written by: flotsam data workload generate"

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        let persona = arguments.option(
            "--persona", value: "P",
            help: "Persona; with fit, it supplies what the recording does not contain (default: average)",
            scope: ["generate", "fit"], as: String.self)
        let made = ["generate"]
        let days = arguments.option(
            "--days", value: "D", help: "Number of days", scope: ["generate", "accept"], default: 28)
        let seed: UInt64 = arguments.option("--seed", value: "S", help: "Seed", scope: made, default: 1)
        let replication = arguments.option(
            "--replication", value: "K", help: "Replication", scope: made, default: 0)
        let apps = arguments.option("--apps", value: "N", help: "Number of apps", scope: made, default: 120)
        let start = arguments.option(
            "--start", value: "YYYY-MM-DD", help: "Date of the first day (default: no date; the first day is a Monday)",
            scope: made, as: String.self)
        let arrivals = arguments.flag(
            "--arrivals", help: "Includes pushes and new content, so that runs with any seed replay the same ones",
            scope: made)
        let output = arguments.option(
            "--output", "-o", value: "F", help: "File to write", scope: ["generate", "fit", "card", "accept"],
            as: String.self)
        let force = arguments.flag(
            "--force", help: "Replaces an existing file of any kind", scope: ["generate", "fit", "card", "accept"])
        let json = arguments.flag("--json", help: "Prints JSON", scope: ["stats", "card"])
        let fit = arguments.option("--name", value: "N", help: "Name of the persona", scope: ["fit"], as: String.self)
        let population = arguments.option(
            "--population", value: "P", help: "Population to compare with", scope: ["card", "accept"],
            default: "smartphone-users")
        let people = arguments.option(
            "--people", value: "N", help: "Number of people (default: 24 for card, 100 for accept)",
            scope: ["card", "accept"],
            as: Int.self)
        let seeds = arguments.option(
            "--seeds", value: "N", help: "Number of seeds per persona", scope: ["accept"], default: 20)
        let words = arguments.operands(
            "WHAT [F.csv...]", help: "generate or accept; stats, fit or card for recordings", 1...1000,
            choices: ["generate", "stats", "fit", "card", "accept"])
        check(arguments, words, days: days, replication: replication, apps: apps, output: output)
        if let number = people, !(2...10_000).contains(number) {
            arguments.report("--people expects 2 to 10000, found \(number)")
        }
        if !(2...1000).contains(seeds) { arguments.report("--seeds expects 2 to 1000, found \(seeds)") }
        if let code = arguments.settled() { return code }
        let target = OutputTarget(output ?? "", isForced: force)
        let paths = Array(words.dropFirst())
        switch words[0] {
        case "stats": return try printStatistics(words[1], json: json)
        case "fit":
            try checkPersona(persona ?? "average")
            return try WorkloadFit(base: persona ?? "average", name: fit, setting: setting).run(paths, to: target)
        case "card":
            let card = WorkloadCard(population: population, people: people ?? 24, setting: setting)
            return try card.run(paths, output: output, json: json)
        case "accept":
            let judged = WorkloadAcceptance(
                population: population, people: people ?? 100, days: days, seeds: seeds, setting: setting)
            return try judged.run(output: output == nil ? nil : target)
        default: break
        }
        try checkPersona(persona ?? "average")
        let date = start.flatMap { CalendarDate($0) }
        if let start, date == nil {
            throw Diagnostics("--start expects a date such as 2026-03-02, found \"\(start)\"")
        }
        try target.check(mark: mark)
        let experiment = try SimulatedUsers.experiment(
            user: "{persona: \(persona ?? "average")}", apps: apps, days: 1, replications: 1, seed: 1, setting)
        let point = experiment.points[0]
        let source = PersonaWorkload(
            persona: point.user.persona, apps: point.apps, seed: seed, replication: replication,
            startWeekday: date?.weekday ?? 0, days: days)
        var file = WorkloadFile(of: .persona(source), apps: point.apps, days: days)
        file.origin = "generated: persona \(persona ?? "average"), seed \(seed), replication \(replication)"
        file.zone = "UTC"
        file.start = start ?? ""
        if arrivals {
            file.addArrivals(
                to: point.apps, persona: point.user.persona, startWeekday: date?.weekday ?? 0, seed: seed,
                replication: replication)
        }
        file.notes.append(String(mark.dropFirst(2)))
        try target.write(file.encoded(), mark: mark)
        return Console.out("\(target.path): \(count(file.events.count, "event")), \(count(days, "day"))\n")
    }

    private static func check(
        _ arguments: ArgumentReader, _ words: [String], days: Int, replication: Int, apps: Int, output: String?
    ) {
        guard let first = words.first else { return }
        if !(1...longest).contains(days) { arguments.report("--days expects 1 to \(longest), found \(days)") }
        if !(1...200_000).contains(apps) { arguments.report("--apps expects 1 to 200000, found \(apps)") }
        if replication < 0 { arguments.report("--replication expects a number from 0, found \(replication)") }
        switch first {
        case "generate":
            if words.count > 1 { arguments.report("unexpected argument \"\(words[1])\"") }
            if output == nil { arguments.report("--output is missing", hint: "for instance -o month.csv") }
        case "stats":
            if words.count < 2 { arguments.report("FILE.csv is missing") }
            if words.count > 2 { arguments.report("unexpected argument \"\(words[2])\"") }
        case "fit", "card":
            if words.count < 2 { arguments.report("FILE.csv is missing") }
            if first == "fit", output == nil {
                arguments.report("--output is missing", hint: "for instance -o persona.yaml")
            }
        case "accept":
            if words.count > 1 { arguments.report("unexpected argument \"\(words[1])\"") }
        default:
            let near = nearest(to: first, in: ["generate", "stats", "fit", "card", "accept"])
            arguments.report("unknown action \"\(first)\"", hint: near.map { "did you mean \($0)?" })
        }
    }

    private static func checkPersona(_ name: String) throws(Diagnostics) {
        let names = ModelLibrary.located().names(.personas)
        guard !names.isEmpty, !names.contains(name), !name.contains("/") else { return }
        throw Diagnostics(
            "--persona: unknown persona \"\(name)\"",
            hint: nearest(to: name, in: names).map { "did you mean \"\($0)\"?" }
                ?? "one of: " + names.joined(separator: ", "))
    }

    private static func printStatistics(_ path: String, json: Bool) throws -> Int32 {
        let statistics = WorkloadStatistics(of: try readWorkload(path))
        if json {
            let members = statistics.figures.map { ($0.name, JSONValue.number($0.value)) }
            return Console.out(JSONValue.object(Dictionary(members, uniquingKeysWith: { first, _ in first })).pretty)
        }
        var out = ByteBuffer()
        out.append(text: "statistic,value\n")
        for figure in statistics.figures {
            out.append(field: figure.name)
            out.comma()
            out.append(figure.value)
            out.newline()
        }
        return Console.out(String(decoding: out.bytes, as: UTF8.self))
    }
}

/// Reads a workload file.
func readWorkload(_ path: String) throws -> WorkloadFile {
    try WorkloadFile(bytes: try readOperand(path), name: path)
}
