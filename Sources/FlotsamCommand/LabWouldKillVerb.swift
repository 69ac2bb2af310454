// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import Diagnostics
import Importers
import Processes
import Quantities
import Recording
import Scenario
import Scripts
import Vocabulary

/// `flotsam lab would-kill`: compares the kills of a policy in the state of a report with those in the report.
enum LabWouldKillVerb: Verb {
    static let name = "would-kill"
    static let summary = "Shows which processes a policy would kill in the state of a jetsam report"
    static let example = "flotsam lab would-kill docs/examples/JetsamEvent.ips --policy largest-first"

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        let policy =
            arguments.option(
                "--policy", value: "P",
                help: "Eviction policy, see 'flotsam list policies'; or ./mine.so, {process: [python3, mine.py]}",
                choices: setting.policies.eviction.map(\.descriptor.name)) ?? ""
        let system = arguments.option(
            "--os", value: "NAME", help: "Rules of the system, see 'flotsam list systems' (default: the report's)",
            as: String.self)
        let number = arguments.option(
            "--count", value: "N", help: "Number of victims (default: as many as the report has)", as: Int.self)
        let wanted = arguments.option(
            "--until-available", value: "X", help: "Kills until this much memory is available: '15 %' or '600 MiB'",
            as: String.self)
        let lastUse = arguments.option(
            "--last-use", value: "queue", help: "Uses the position in the band's queue as the time of last use",
            as: String.self)
        let ram = arguments.option(
            "--ram", value: "R", help: "Memory, for instance '4 GiB' (default: detected)", as: String.self)
        let json = arguments.flag("--json", help: "Prints JSON")
        arguments.declareNoForeign()
        let files = arguments.operands("REPORT.ips", help: "JetsamEvent report of iOS 9 or later", 1...1)
        if policy.isEmpty { arguments.report("--policy is missing", hint: "for instance --policy largest-first") }
        if number != nil, wanted != nil { arguments.report("--count and --until-available exclude each other") }
        if let number, number < 1 { arguments.report("--count expects at least 1, found \(number)") }
        if let lastUse, lastUse != "queue" { arguments.report("--last-use expects queue, found \"\(lastUse)\"") }
        if let code = arguments.settled() { return code }
        let (entry, choice) = try setting.policies.eviction(reading: policy, option: "--policy")
        let report = try readJetsamReport(path: files[0])
        let start = try report.start(ram: ram.map { try size($0, "--ram") })
        let profile = try rules(system, report, start)
        try refuse(entry, choice, usesQueue: lastUse != nil)
        var question = Question(report: report, start: start, entry: entry, choice: choice, profile: profile)
        question.usesQueue = lastUse != nil
        question.bound = try bound(number, wanted, report, start)
        return WouldKillText(question).report.out(json: json)
    }

    /// A report, a policy, and the options of the call.
    struct Question {
        let report: JetsamReport
        let start: ReportedStart
        let entry: EvictionPolicyEntry
        let choice: PolicyChoice
        let profile: OSProfile
        var usesQueue = false
        var bound = WouldKill.Bound.count(1)

        /// The policy in its state at the start of a run.
        func makePolicy() -> any EvictionPolicy { entry.make(PolicyArguments(values: choice.values, seed: 1)) }

        /// Processes of the report; with `usesQueue`, apps earlier in the report were used longer ago.
        var processes: [StartingProcess] {
            start.processes.enumerated().map { index, named in
                var process = named.process
                guard usesQueue else { return process }
                let isApp = process.traits.isManaged
                process.lastForeground = .zero - (isApp ? .seconds(Double(start.processes.count - index)) : .days(9999))
                return process
            }
        }

        /// The processes with limits derived from their deaths.
        var limited: [StartingProcess] {
            zip(processes, start.processes).map { process, named in
                var process = process
                if let limit = named.limit {
                    (process.traits.activeLimit, process.traits.inactiveLimit) = (limit, limit)
                }
                return process
            }
        }
    }

    private static func rules(
        _ name: String?, _ report: JetsamReport, _ start: ReportedStart
    ) throws(Diagnostics) -> OSProfile {
        let names = OSProfile.generations.map(\.name)
        let wanted = name ?? report.rules.name
        if let profile = OSProfile.named(wanted, ram: start.memory.ram) { return profile }
        throw Diagnostics(
            "--os: unknown system \"\(wanted)\"",
            hint: nearest(to: wanted, in: names).map { "did you mean \($0)?" } ?? "see flotsam list systems")
    }

    /// Refuses a policy whose order needs data that a single moment does not contain.
    private static func refuse(
        _ entry: EvictionPolicyEntry, _ choice: PolicyChoice, usesQueue: Bool
    ) throws(Diagnostics) {
        let arguments = PolicyArguments(values: choice.values, seed: 1)
        if entry.make(arguments).killsNobody {
            throw Diagnostics("--policy: \(choice.name) kills no process, so there is no order to show")
        }
        var missing = MissingKnowledge.needed { entry.make(arguments) }
        if usesQueue { missing.removeAll { $0 == .lastUse } }
        guard missing.isEmpty else {
            let isAlone = missing == [.lastUse]
            throw Diagnostics(
                "--policy: \(choice.name) needs to know " + missing.map(\.rawValue).joined(separator: ", and ")
                    + ", which a report does not contain",
                hint: isAlone ? "--last-use queue replaces the last use by the position in the band's queue" : nil)
        }
    }

    private static func bound(
        _ count: Int?, _ wanted: String?, _ report: JetsamReport, _ start: ReportedStart
    ) throws(Diagnostics) -> WouldKill.Bound {
        guard let wanted else { return .count(count ?? max(1, report.kills.count)) }
        return .available(try size(wanted, "--until-available", of: start.memory.visible))
    }

    /// A size, or a share of a whole.
    private static func size(_ text: String, _ option: String, of whole: ByteCount? = nil) throws(Diagnostics)
        -> ByteCount
    {
        do throws(UnitTextError) {
            if let whole, text.hasSuffix("%") {
                let share = try UnitText.parse(text, as: .fraction)
                if (0...1).contains(share) { return whole * share }
            } else {
                let bytes = try UnitText.parse(text, as: .bytes)
                if (0...1e15).contains(bytes) { return ByteCount(Int64(bytes.rounded())) }
            }
        } catch {
            throw Diagnostics("\(option): \(error.message)")
        }
        throw Diagnostics("\(option): no phone has \(text)")
    }
}
