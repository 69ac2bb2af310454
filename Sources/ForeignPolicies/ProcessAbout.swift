// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Quantities
import Vocabulary

/// Description of a policy, which its program gives as the answer to the greeting.
struct ProcessAbout: Sendable {
    /// Kind of policy.
    enum Kind: String, Sendable { case eviction, scheduling }

    /// Event that a policy can request.
    enum Event: String, Sendable, CaseIterable { case open, evict, survey, submit, withdraw, finish }

    /// Version of the protocol, which the greeting contains.
    static let version = 1
    private static let keys: Set<String> = [
        "name", "summary", "source", "parameters", "rules", "hears", "needs", "is_oracle", "replaces_trigger",
        "rank_lifetime", "rings_at_floor", "keeps_budgets",
    ]

    let kind: Kind
    /// Text of the answer.
    let text: String
    let descriptor: PolicyDescriptor
    let hears: Set<Event>
    /// Lifetime of the ranks of an eviction policy; nil if ranks do not expire.
    let rankLifetime: SimDuration?
    let ringsAtFloor: Bool
    let keepsBudgets: Bool
    /// Rules that the policy may name: the common rules and the policy's own rules.
    let rules: [String: SchedulingDecision]

    /// Greets a process and reads its answer.
    init(_ pipe: PolicyPipe, _ kind: Kind) throws(ForeignPolicyError) {
        let greeting = "{\"flotsam_policy\":\(Self.version),\"kind\":\"\(kind.rawValue)\"}\n"
        let text = try pipe.ask(Array(greeting.utf8), longest: 1 << 16)
        try self.init(answer: text, kind) { pipe.failure($0) }
    }

    /// Reads the answer to the greeting.
    ///
    /// `failure` creates an error that names the process.
    init(
        answer text: String, _ kind: Kind, failure: (String) -> ForeignPolicyError
    ) throws(ForeignPolicyError) {
        guard case .success(let nodes) = JSONText.parse(SourceText(name: "answer", text: text)), nodes.count == 1,
            let entries = nodes[0].entries
        else { throw failure("did not answer the greeting with a JSON object: \(text.prefix(200))") }
        let map = nodes[0]
        if let problem = map["error"]?.quotedText { throw failure(problem) }
        if let unknown = entries.first(where: { !Self.keys.contains($0.key) }) {
            throw failure("describes itself with the unknown key \"\(unknown.key)\"")
        }
        var checked = DescriptionCheck("its process")
        func flag(_ key: String) throws(ForeignPolicyError) -> Bool {
            guard let node = map[key] else { return false }
            guard let truth = node.truth else { throw failure("has neither true nor false for \"\(key)\"") }
            return truth
        }
        var parameters: [PolicyParameter] = []
        for node in map["parameters"]?.items ?? [] { parameters.append(try checked.parameter(node.parameter)) }
        var own: [RuleText] = []
        for node in map["rules"]?.items ?? [] {
            own.append(try checked.rule(node["name"]?.quotedText, node["sentence"]?.quotedText))
        }
        var hears: Set<Event> = []
        for node in map["hears"]?.items ?? [] {
            guard let event = node.quotedText.flatMap(Event.init) else {
                throw failure("requests the event \"\(node.scalar ?? "")\", which does not exist")
            }
            hears.insert(event)
        }
        var needs: WorkloadNeeds = []
        for node in map["needs"]?.items ?? [] {
            let known: [String: WorkloadNeeds] = [
                "apps": .apps, "charging": .charging, "network": .network, "radio-tail": .radioTail,
            ]
            guard let need = node.quotedText.flatMap({ known[$0] }) else {
                throw failure("needs \"\(node.scalar ?? "")\", which does not exist")
            }
            needs.formUnion(need)
        }
        self.kind = kind
        self.text = text
        self.hears = hears
        ringsAtFloor = try flag("rings_at_floor")
        keepsBudgets = try flag("keeps_budgets")
        let lifetime = map["rank_lifetime"].flatMap { $0.isNull ? nil : $0.instant }
        rankLifetime = lifetime.map { SimDuration(nanoseconds: max(0, $0.nanoseconds)) }
        descriptor = PolicyDescriptor(
            name: try checked.name(map["name"]?.quotedText, "name"), summary: map["summary"]?.quotedText ?? "",
            source: map["source"]?.quotedText ?? "", rules: own, isOracle: try flag("is_oracle"),
            replacesTrigger: try flag("replaces_trigger"), needs: needs, parameters: parameters)
        rules = Self.rules(own)
    }

    /// Decision to wait forever under each rule, by the name of the rule.
    ///
    /// A policy's own rule replaces a common rule of equal name.
    private static func rules(_ own: [RuleText]) -> [String: SchedulingDecision] {
        var found: [String: SchedulingDecision] = [:]
        for rule in SchedulingRule.allCases { found[rule.name] = .wait(rule) }
        for (index, rule) in own.enumerated() {
            var decision = SchedulingDecision.wait(SchedulingRule.custom)
            decision.ownRule = UInt8(index)
            found[rule.name] = decision
        }
        return found
    }
}

/// Checks an answer to the greeting of an eviction policy without starting a process.
package func readGreeting(_ answer: String) throws(ForeignPolicyError) {
    _ = try ProcessAbout(answer: answer, .eviction) { ForeignPolicyError("its process \($0)") }
}

extension PolicyCommand {
    /// Starts the program once to read its description.
    func about(kind: ProcessAbout.Kind) throws(ForeignPolicyError) -> ProcessAbout {
        try ProcessAbout(try PolicyPipe(self), kind)
    }
}

extension Node {
    /// The parameter that a process declares; nil if it is invalid.
    fileprivate var parameter: PolicyParameter? {
        guard let name = self["name"]?.quotedText, let dimension = dimension else { return nil }
        let meaning = self["meaning"]?.quotedText ?? ""
        if case .choice(let words) = dimension {
            guard !words.isEmpty, let usual = self["default"]?.quotedText.flatMap(words.firstIndex) else { return nil }
            return PolicyParameter(
                name: name, dimension: dimension, defaultValue: Double(usual), range: 0...Double(words.count - 1),
                meaning: meaning)
        }
        guard let range = self["range"]?.items?.compactMap(\.number), range.count == 2, range[0] <= range[1],
            let usual = self["default"]?.number
        else { return nil }
        return PolicyParameter(
            name: name, dimension: dimension, defaultValue: usual, range: range[0]...range[1], meaning: meaning)
    }

    private var dimension: PolicyParameter.Dimension? {
        switch self["dimension"]?.quotedText {
        case "number": .number
        case "fraction": .fraction
        case "duration": .duration
        case "energy": .energy
        case "power": .power
        case "bytes": .bytes
        case "choice": .choice((self["words"]?.items ?? []).compactMap(\.quotedText))
        default: nil
        }
    }
}
