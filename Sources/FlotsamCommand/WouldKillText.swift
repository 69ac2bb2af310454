// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Experiments
import Importers
import Processes
import Quantities
import Recording
import Scenario
import Scripts
import Vocabulary

/// Output of `would-kill`.
struct WouldKillText {
    private let question: LabWouldKillVerb.Question
    private let answer: WouldKill
    private let agreement: KillAgreement
    /// Reaction of the phone in this state if the policy does not request a kill.
    private let reaction: PhoneReaction
    private let reactionAgreement: KillAgreement
    /// Agreement if the victims were in the order of the file's rows, as a baseline without a policy.
    private let plainAgreement: KillAgreement
    /// Indices of the report's victims in the list of processes.
    private let reported: [Int]

    init(_ question: LabWouldKillVerb.Question) {
        self.question = question
        let processes = question.processes
        answer = WouldKill(
            processes, memory: question.start.memory, profile: question.profile, policy: question.makePolicy(),
            bound: question.bound)
        let start = question.start
        reported = question.report.kills.compactMap { row in start.processes.firstIndex { $0.row == row } }
        agreement = KillAgreement(
            reported: reported, chosen: answer.victims.map(\.process), order: answer.order,
            footprints: processes.map(\.footprint))
        reaction = PhoneReaction(
            question.limited, memory: question.start.memory, profile: question.profile, policy: question.makePolicy())
        let dead = reaction.deaths.map(\.process)
        reactionAgreement = KillAgreement(
            reported: reported, chosen: dead, order: processes.indices.map { dead.firstIndex(of: $0) },
            footprints: processes.map(\.footprint))
        plainAgreement = KillAgreement(
            reported: reported, chosen: Array(processes.indices.prefix(answer.victims.count)),
            order: processes.indices.map { $0 }, footprints: processes.map(\.footprint))
    }

    private var total: ByteCount { question.start.memory.visible }
    private func name(_ process: Int) -> String {
        question.start.processes[process].name.excerpt
    }
    private func reason(_ process: Int) -> String {
        (question.report.processes[question.start.processes[process].row].reason ?? "").excerpt
    }

    /// The victims in their order, with the agreement.
    var report: Report {
        let share = Figures.short(100 * (answer.availableBefore / total), digits: 3)
        var report = Report()
        report.say("\(JetsamReportFormat.head(question.report)): \(count(question.start.processes.count, "process"))")
        report.say(", \(JetsamReportFormat.memory(answer.availableBefore)) (\(share) %) available\n\n")
        report.give([
            "policy": .string(question.choice.text), "available_bytes": bytes(answer.availableBefore),
        ])
        report.say("\(question.choice.text) would kill:\n" + (answer.victims.isEmpty ? "  no process\n" : ""))
        addVictims(to: &report)
        report.say(reported.isEmpty ? "\nThe report names no victim.\n" : "\nThe report's victims:\n")
        addReported(to: &report)
        report.give([
            "agreement": json(agreement), "plain_agreement": json(plainAgreement),
        ])
        if !reported.isEmpty {
            report.say("\n")
            addLines(agreement, to: &report)
            report.say("\n")
        }
        report.say(reactionText)
        if !reported.isEmpty, !reaction.deaths.isEmpty { addLines(reactionAgreement, to: &report) }
        report.give(["reaction": reactionJSON])
        report.say(remarks.map { "note: \($0)\n" }.joined())
        report.give(["notes": .array(remarks.map { .string($0) })])
        return report
    }

    private func addVictims(to report: inout Report) {
        report.table(
            "victims", Array(answer.victims.enumerated()), isHeaded: !answer.victims.isEmpty,
            [
                .right { "\($0.offset + 1)" }, .left("process", "process") { process($0.element.process) },
                .right("band", "band") { Report.Cell(Int($0.element.band)) },
                .right("footprint", "footprint_bytes") { memory($0.element.footprint) },
                .right("freed", "freed_bytes") { memory($0.element.freed) },
                .right("available", "available_bytes") {
                    let share = Figures.short(100 * ($0.element.available / total), digits: 3)
                    return Report.Cell(share + " %", bytes($0.element.available))
                },
                .left("in the report", "in_report") { victim in
                    let rank = reported.firstIndex(of: victim.element.process)
                    return Report.Cell(rank.map { "victim \($0 + 1)" } ?? "lives", .bool(rank != nil))
                },
                .data("pid") { pid($0.element.process) },
            ])
    }

    private func addReported(to report: inout Report) {
        report.table(
            "reported", Array(reported.enumerated()), isHeaded: !reported.isEmpty,
            [
                .right { "\($0.offset + 1)" }, .left("process", "process") { process($0.element) },
                .right("band", "band") { Report.Cell(Int(question.start.processes[$0.element].process.traits.band)) },
                .right("footprint", "footprint_bytes") {
                    memory(question.start.processes[$0.element].process.footprint)
                },
                .left("reason", "reason") {
                    let row = question.start.processes[$0.element].row
                    return Report.Cell(reason($0.element), .string(question.report.processes[row].reason ?? ""))
                },
                .left("here", "rank") {
                    answer.order[$0.element].map {
                        Report.Cell("number \($0 + 1) of \(answer.order.count)", .integer($0 + 1))
                    } ?? Report.Cell("never dies", .null)
                },
                .data("pid") { pid($0.element) },
            ])
    }

    /// The reaction of the phone, for programs.
    private var reactionJSON: JSONValue {
        let deaths = Report.json(
            reaction.deaths,
            [
                .data("process") { .string(question.start.processes[$0.process].name) },
                .data("reason") { .string($0.reason.name) }, .data("freed_bytes") { bytes($0.freed) },
            ])
        return .object([
            "deaths": deaths, "available_bytes": bytes(reaction.available.after), "agreement": json(reactionAgreement),
        ])
    }

    /// A process with its name; a long name is shortened.
    private func process(_ process: Int) -> Report.Cell {
        Report.Cell(name(process), .string(question.start.processes[process].name))
    }

    private func memory(_ size: ByteCount) -> Report.Cell { Report.Cell(JetsamReportFormat.memory(size), bytes(size)) }

    private func bytes(_ size: ByteCount) -> JSONValue { .integer(Int(size.bytes)) }

    /// Reaction of the phone, where thresholds and limits trigger kills and the policy orders the victims.
    private var reactionText: String {
        let rules = "the thresholds of its system and the limits derived from the report's deaths"
        guard !reaction.deaths.isEmpty else { return "On its own, with \(rules), this phone kills no process.\n" }
        let names = reaction.deaths.prefix(20).map { "\(name($0.process)) (\($0.reason.name))" }
        let more = reaction.deaths.count > names.count ? ", and \(reaction.deaths.count - names.count) more" : ""
        let share = Figures.short(100 * (reaction.available.after / total), digits: 3)
        return "On its own, with \(rules), this phone kills: \(names.joined(separator: ", "))\(more); "
            + "then \(share) % is available.\n"
    }

    /// Adds an agreement next to the agreement of the rows in file order.
    private func addLines(_ agreement: KillAgreement, to report: inout Report) {
        let lines: [(title: String, text: (KillAgreement) -> String)] = [
            ("first victim", { $0.isFirstSame.map { $0 ? "the same" : "another one" } ?? "-" }),
            ("in both lists", { "\($0.common)" }), ("set overlap (Jaccard)", { number($0.jaccard) }),
            (
                "killed bytes as a share of the report's",
                { $0.bytesShare.map { Figures.short(100 * $0, digits: 3) + " %" } ?? "-" }
            ), ("order (Kendall's tau-b)", { number($0.tau) }),
        ]
        report.table(
            nil, lines,
            [
                .left { Report.Cell($0.title) }, .right("here") { Report.Cell($0.text(agreement)) },
                .right("rows in file order") { Report.Cell($0.text(plainAgreement)) },
            ])
        if agreement.tau == nil { report.say("(an order needs at least three victims)\n") }
    }

    /// Reason why the agreement is no evidence for the policy; nil if there is none.
    private var noEvidence: String? {
        guard !reported.isEmpty else { return nil }
        if reported.allSatisfy({ question.report.processes[question.start.processes[$0].row].diedAtItsLimit }) {
            return "No evidence for or against the policy: every victim of the report died at its own memory limit."
        }
        if agreement == plainAgreement {
            return "No evidence for the policy: the rows in file order agree just as well."
        }
        return nil
    }

    private func number(_ value: Double?) -> String { value.map { Figures.short($0, digits: 3) } ?? "-" }

    /// Remarks needed to judge the agreement.
    private var remarks: [String] {
        var remarks = question.start.notes
        let atLimits = reported.count { question.report.processes[question.start.processes[$0].row].diedAtItsLimit }
        if atLimits > 0 {
            remarks.append(
                "jetsam killed \(atLimits) of the report's \(count(reported.count, "victim")) at a limit of the "
                    + "victim (highwater, per-process-limit); it picks such victims itself, under every policy."
            )
        }
        if let noEvidence { remarks.append(noEvidence) }
        if question.usesQueue { remarks.append("The position in the queue serves as the time of last use of an app.") }
        if question.entry.descriptor.replacesTrigger {
            remarks.append(
                "\(question.choice.name) has its own trigger for kills; only its order of victims is used here.")
        }
        return remarks
    }

    private func json(_ agreement: KillAgreement) -> JSONValue {
        func optional(_ value: Double?) -> JSONValue { value.map { .number($0) } ?? .null }
        return .object([
            "first_victim": agreement.isFirstSame.map { .bool($0) } ?? .null, "common": .integer(agreement.common),
            "jaccard": optional(agreement.jaccard), "bytes_share": optional(agreement.bytesShare),
            "kendall_tau_b": optional(agreement.tau),
        ])
    }

    private func pid(_ process: Int) -> JSONValue {
        question.report.processes[question.start.processes[process].row].pid.map { .integer($0) } ?? .null
    }
}
