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

/// What `would-kill` prints.
struct WouldKillText {
    private let question: WouldKillVerb.Question
    private let answer: WouldKill
    private let agreement: KillAgreement
    /// What the phone does in this state on its own.
    private let reaction: PhoneReaction
    private let reactionAgreement: KillAgreement
    /// What the rows would agree with if they died as they stand in the file, under no policy at all.
    private let plainAgreement: KillAgreement
    /// The report's victims as places in the list of processes.
    private let reported: [Int]

    init(_ question: WouldKillVerb.Question) {
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

    /// Who dies first, and how far that agrees.
    var text: String {
        let report = question.report
        let share = Figures.short(100 * (answer.availableBefore / total), digits: 3)
        var text = "\(JetsamReportFormat.head(report)): \(count(question.start.processes.count, "process"))"
        text += ", \(JetsamReportFormat.memory(answer.availableBefore)) (\(share) %) available\n\n"
        text += "\(question.choice.text) would kill:\n" + victims + "\n"
        text += reported.isEmpty ? "The report names no victim.\n" : "The report's victims:\n" + reportedVictims + "\n"
        if !reported.isEmpty { text += lines(agreement) + "\n" }
        text += reactionText
        text += remarks.map { "note: \($0)\n" }.joined()
        return text
    }

    private var victims: String {
        var table = TextTable([.right, .left, .right, .right, .right, .right, .left])
        table.add(["", "process", "band", "footprint", "freed", "available", "in the report"])
        for (index, victim) in answer.victims.enumerated() {
            let rank = reported.firstIndex(of: victim.process)
            table.add([
                "\(index + 1)", name(victim.process), "\(victim.band)", JetsamReportFormat.memory(victim.footprint),
                JetsamReportFormat.memory(victim.freed),
                Figures.short(100 * (victim.available / total), digits: 3) + " %",
                rank.map { "victim \($0 + 1)" } ?? "lives",
            ])
        }
        return answer.victims.isEmpty ? "  nobody\n" : table.text
    }

    private var reportedVictims: String {
        var table = TextTable([.right, .left, .right, .right, .left, .left])
        table.add(["", "process", "band", "footprint", "reason", "here"])
        for (index, process) in reported.enumerated() {
            let start = question.start.processes[process].process
            let rank = answer.order[process].map { "number \($0 + 1) of \(answer.order.count)" } ?? "never dies"
            table.add([
                "\(index + 1)", name(process), "\(start.traits.band)", JetsamReportFormat.memory(start.footprint),
                reason(process), rank,
            ])
        }
        return table.text
    }

    /// What happens without a question: thresholds and limits kill, the policy orders.
    private var reactionText: String {
        let rules = "the thresholds of its system and the limits that the report's deaths tell"
        guard !reaction.deaths.isEmpty else { return "On its own, with \(rules), this phone kills nobody.\n" }
        let names = reaction.deaths.prefix(20).map { "\(name($0.process)) (\($0.reason.name))" }
        let more = reaction.deaths.count > names.count ? ", and \(reaction.deaths.count - names.count) more" : ""
        let share = Figures.short(100 * (reaction.available.after / total), digits: 3)
        var text = "On its own, with \(rules), this phone kills: \(names.joined(separator: ", "))\(more); "
        text += "then \(share) % are available.\n"
        return reported.isEmpty ? text : text + lines(reactionAgreement)
    }

    /// An agreement beside that of the rows as they stand in the file.
    private func lines(_ agreement: KillAgreement) -> String {
        var table = TextTable([.left, .right, .right])
        table.add(["", "here", "rows as they stand"])
        func add(_ title: String, _ cell: (KillAgreement) -> String) {
            table.add([title, cell(agreement), cell(plainAgreement)])
        }
        add("first victim") { $0.isFirstSame.map { $0 ? "the same" : "another one" } ?? "-" }
        add("in both lists") { "\($0.common)" }
        add("set overlap (Jaccard)") { number($0.jaccard) }
        add("killed bytes of the report's") { $0.bytesShare.map { Figures.short(100 * $0, digits: 3) + " %" } ?? "-" }
        add("order (Kendall's tau-b)") { number($0.tau) }
        return table.text + (agreement.tau == nil ? "(no order of fewer than three victims)\n" : "")
    }

    /// Why the agreement says nothing about the policy; nil when it may.
    private var noEvidence: String? {
        guard !reported.isEmpty else { return nil }
        if reported.allSatisfy({ question.report.processes[question.start.processes[$0].row].diedAtItsLimit }) {
            return "No evidence for or against the policy: every victim of the report died at a limit of its own."
        }
        if agreement == plainAgreement {
            return "No evidence for the policy: the rows as they stand in the file agree just as well."
        }
        return nil
    }

    private func number(_ value: Double?) -> String { value.map { Figures.short($0, digits: 3) } ?? "-" }

    /// What a reader must know to judge the agreement.
    private var remarks: [String] {
        var remarks = question.start.notes
        let atLimits = reported.count { question.report.processes[question.start.processes[$0].row].diedAtItsLimit }
        if atLimits > 0 {
            remarks.append(
                "\(atLimits) of the report's \(count(reported.count, "victim")) died at a limit of its own "
                    + "(highwater, per-process-limit): the killer picks those itself, under every policy.")
        }
        if let noEvidence { remarks.append(noEvidence) }
        if question.usesQueue { remarks.append("The position in the queue stands for the time of last use of an app.") }
        if question.entry.descriptor.replacesTrigger {
            remarks.append("\(question.choice.name) brings its own trigger; here only its order counts.")
        }
        return remarks
    }

    /// The same for programs.
    var json: JSONValue {
        let victims = answer.victims.map { victim -> JSONValue in
            .object([
                "process": .string(question.start.processes[victim.process].name),
                "pid": pid(victim.process), "band": .integer(Int(victim.band)),
                "footprint_bytes": .integer(Int(victim.footprint.bytes)),
                "freed_bytes": .integer(Int(victim.freed.bytes)),
                "available_bytes": .integer(Int(victim.available.bytes)),
                "in_report": .bool(reported.contains(victim.process)),
            ])
        }
        let named = reported.map { process -> JSONValue in
            let start = question.start.processes[process]
            return .object([
                "process": .string(start.name), "pid": pid(process), "band": .integer(Int(start.process.traits.band)),
                "footprint_bytes": .integer(Int(start.process.footprint.bytes)),
                "reason": .string(question.report.processes[start.row].reason ?? ""),
                "rank": answer.order[process].map { .integer($0 + 1) } ?? .null,
            ])
        }
        return .object([
            "policy": .string(question.choice.text), "available_bytes": .integer(Int(answer.availableBefore.bytes)),
            "victims": .array(victims), "reported": .array(named), "notes": .array(remarks.map { .string($0) }),
            "agreement": json(agreement), "plain_agreement": json(plainAgreement),
            "reaction": .object([
                "deaths": .array(
                    reaction.deaths.map { death in
                        .object([
                            "process": .string(question.start.processes[death.process].name),
                            "reason": .string(death.reason.name), "freed_bytes": .integer(Int(death.freed.bytes)),
                        ])
                    }),
                "available_bytes": .integer(Int(reaction.available.after.bytes)), "agreement": json(reactionAgreement),
            ]),
        ])
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
