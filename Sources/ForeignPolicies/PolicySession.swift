// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Quantities
import Vocabulary

/// Events and questions for the process of a policy during one run.
///
/// A question is one line. The events since the last question are in lines before it. Questions at one instant form a
/// batch with one answer. `docs/write-a-policy.md` describes the protocol.
final class PolicySession {
    /// Largest size of kept events in bytes.
    ///
    /// If the kept events are larger, they are sent immediately, without waiting for the next question.
    private static let longestHeard = 1 << 16
    private static let longestAnswer = 1 << 16
    private static let longestRank = 64

    let about: ProcessAbout
    private let pipe: PolicyPipe
    private var heard = JSONLine()
    private var line = JSONLine()
    /// Adds further members to every question.
    var meter: ((inout JSONLine) -> Void)?

    /// Creates a session over a connection on which the greeting was answered.
    init(_ pipe: PolicyPipe, _ about: ProcessAbout) {
        self.pipe = pipe
        self.about = about
    }

    /// Starts the process for a run.
    ///
    /// If the process fails, the run ends.
    init(_ command: PolicyCommand, _ about: ProcessAbout, _ arguments: PolicyArguments) {
        self.about = about
        do throws(ForeignPolicyError) { pipe = try PolicyPipe(command) } catch { PolicyFailure.end(error.message) }
        do throws(ForeignPolicyError) {
            let again = try ProcessAbout(pipe, about.kind)
            guard again.text == about.text else {
                throw pipe.failure("describes itself differently than at its first start")
            }
            line.begin("{")
            line.key("start")
            line.begin("{")
            line.key("parameters")
            line.begin("{")
            line.raw(
                zip(about.descriptor.parameters, arguments.values).map { parameter, value in
                    JSONText.quoted(parameter.name) + ":" + Self.text(value, of: parameter)
                }.joined(separator: ","))
            line.end("}")
            line.field("seed", arguments.seed)
            line.end("}")
            line.end("}")
            line.endLine()
            try pipe.send(line.bytes)
        } catch {
            fail(error)
        }
    }

    private static func text(_ value: Double, of parameter: PolicyParameter) -> String {
        if case .choice(let words) = parameter.dimension { return JSONText.quoted(words[Int(value)]) }
        return value.description
    }

    /// Keeps an event for the next question, if the policy requested this kind of event.
    func notify(_ event: ProcessAbout.Event, _ now: SimTime, _ members: (inout JSONLine) -> Void) {
        guard about.hears.contains(event) else { return }
        heard.begin("{")
        heard.field("did", event.rawValue)
        heard.field("now", now)
        members(&heard)
        heard.end("}")
        guard heard.bytes.count > Self.longestHeard else { return }
        line.removeAll()
        line.begin("{")
        putHeard()
        line.end("}")
        line.endLine()
        do throws(ForeignPolicyError) { try pipe.send(line.bytes) } catch { fail(error) }
    }

    /// Asks a question, and converts the answer by `read`.
    ///
    /// An invalid answer ends the run.
    func ask<Answer>(
        _ question: StaticString, _ now: SimTime, longest: Int = longestAnswer, _ members: (inout JSONLine) -> Void,
        read: (Node) -> Answer?
    ) -> Answer {
        line.removeAll()
        line.begin("{")
        putHeard()
        line.key("ask")
        line.raw("\"\(question)\"")
        line.field("now", now)
        members(&line)
        meter?(&line)
        line.end("}")
        line.endLine()
        do throws(ForeignPolicyError) {
            let text = try pipe.ask(line.bytes, longest: longest)
            guard case .success(let nodes) = JSONText.parse(SourceText(name: "answer", text: text)), nodes.count == 1,
                let answer = read(nodes[0])
            else {
                let shown = text.count > 200 ? text.prefix(200) + "…" : text[...]
                throw pipe.failure("gave an invalid answer to \"\(question)\": \(shown)")
            }
            return answer
        } catch {
            fail(error)
        }
    }

    /// Writes the last line, which contains figures by name.
    func finish(_ members: [(name: String, value: Double)]) {
        line.removeAll()
        line.begin("{")
        putHeard()
        line.field("end", true)
        meter?(&line)
        line.key("metrics")
        line.begin("{")
        for (name, value) in members { line.raw(JSONText.quoted(name) + ":" + JSONLine.number(value)) }
        line.end("}")
        line.end("}")
        line.endLine()
        do throws(ForeignPolicyError) { try pipe.send(line.bytes) } catch { fail(error) }
    }

    /// Ranks of candidates, from one question.
    func ranks(of candidates: [EvictionCandidate], at now: SimTime) -> [Double] {
        let longest = Self.longestAnswer + Self.longestRank * candidates.count
        return ask("rank", now, longest: longest) { line in
            line.key("candidates")
            line.begin("[")
            for candidate in candidates { line.view(about.descriptor.isOracle ? candidate : candidate.blind) }
            line.end("]")
        } read: { answer in
            guard let items = answer["ranks"]?.items, items.count == candidates.count else { return nil }
            let ranks = items.compactMap(\.number)
            return ranks.count == items.count ? ranks : nil
        }
    }

    private func putHeard() {
        guard !heard.isEmpty else { return }
        line.key("heard")
        line.begin("[")
        line.splice(heard)
        line.end("]")
        heard.removeAll()
    }

    private func fail(_ error: ForeignPolicyError) -> Never {
        PolicyFailure.end(error.message, lastSaid: pipe.lastSaid)
    }
}

extension Node {
    /// A finite number without quotes.
    var number: Double? {
        guard case .scalar(let text, quoted: false) = content, let value = Double(text), value.isFinite else {
            return nil
        }
        return value
    }

    /// A boolean: `true` or `false`.
    var truth: Bool? {
        guard case .scalar(let text, quoted: false) = content else { return nil }
        return text == "true" ? true : text == "false" ? false : nil
    }

    /// A text in quotes.
    var quotedText: String? {
        guard case .scalar(let text, quoted: true) = content else { return nil }
        return text
    }

    /// A time in nanoseconds.
    ///
    /// A null is a time that never comes.
    var instant: SimTime? {
        if isNull { return .distantFuture }
        guard case .scalar(let text, quoted: false) = content, let value = Int64(text) else { return nil }
        return SimTime(nanoseconds: value)
    }
}
