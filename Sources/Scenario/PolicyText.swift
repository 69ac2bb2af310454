// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Files
import Quantities
import Vocabulary

/// A policy in an experiment, with a value for each of its parameters.
public struct PolicyChoice: Sendable, Equatable {
    /// Text in the experiment without spaces, for instance `periodic[every=15min]`.
    ///
    /// For foreign code, the text contains the policy's own name, unless another policy has this name.
    public internal(set) var text: String
    /// Text in the experiment, if `text` contains the policy's own name; otherwise nil.
    public internal(set) var written: String?
    /// Name of the policy without its parameters.
    public let name: String
    /// Value of each parameter of the descriptor, in SI base units.
    public fileprivate(set) var values: [Double]
    /// Location of the policy's code; nil if the code is part of the program.
    public internal(set) var code: ForeignCode?
    /// Hash of the foreign code; 0 if the code is part of the program.
    public internal(set) var checksum: UInt64 = 0
    /// Fingerprint of the foreign code that the user permitted to start; empty if the code is part of the program.
    public internal(set) var fingerprint = ""
    /// Whether the parameters were checked; false for foreign code without a description.
    public internal(set) var isKnown = true
    /// Whether the policy is made to rank only apps (`PolicyDescriptor.meansApps`).
    var meansApps = false
    /// Setting `ranks`: whether only apps are ranked; nil if the policy's source determines this.
    private(set) var statedAppsOnly: Bool?
    /// Whether the policy ranks only apps.
    ///
    /// If so, daemons and extensions die in the order of the system.
    public var ranksAppsOnly: Bool { statedAppsOnly ?? meansApps }
    /// Whether the policy also orders the victims of the reaper.
    ///
    /// The reaper then kills only as many processes as memory requires.
    public private(set) var ranksReaper = false

    /// Sets a parameter.
    ///
    /// The text does not change.
    mutating func set(_ parameter: Int, to value: Double) {
        if values.indices.contains(parameter) { values[parameter] = value }
    }

    /// A copy that ranks only apps, or all processes.
    ///
    /// If the setting differs from that of the policy's source, the text contains it.
    func ranking(appsOnly: Bool) -> PolicyChoice {
        guard appsOnly != ranksAppsOnly else { return self }
        var choice = self
        choice.statedAppsOnly = appsOnly
        choice.mark(appsOnly ? "ranks=apps" : "ranks=all")
        return choice
    }

    /// A copy that also orders the victims of the reaper.
    ///
    /// The text contains this setting.
    var forReaper: PolicyChoice {
        var choice = self
        if !ranksReaper { choice.mark("reaper=policy") }
        choice.ranksReaper = true
        return choice
    }

    /// A copy with the settings `ranks` and `reaper` of another policy.
    func used(as other: PolicyChoice) -> PolicyChoice {
        let choice = ranking(appsOnly: other.ranksAppsOnly)
        return other.ranksReaper ? choice.forReaper : choice
    }

    private mutating func mark(_ words: String) {
        func marked(_ text: String) -> String {
            (text.last == "]" ? String(text.dropLast()) + "," : text + "[") + words + "]"
        }
        text = marked(text)
        written = written.map(marked)
    }
}

/// Reads `name[parameter=value,parameter=value]` with the descriptors of one kind of policy.
struct PolicyTextReader {
    /// Kind of policy in words, such as `eviction policy`.
    let kind: String
    let descriptors: [PolicyDescriptor]
    /// Names of the other kind of policy, for messages if a policy is of the wrong kind.
    let others: (kind: String, names: [String])
    /// Reader for foreign code; nil if foreign code is not allowed.
    var foreign: ForeignReader?

    /// Reads the policy in a value; nil if it has errors, which are reported.
    func read(_ cursor: Cursor) -> PolicyChoice? {
        if cursor.node["process"] != nil { return readProcess(cursor) }
        guard let written = cursor.node.scalar else {
            cursor.expected("\(article(kind)) such as \"\(descriptors.first?.name ?? "name")\"")
            return nil
        }
        let text = Array(written.unicodeScalars)
        let open = text.firstIndex(of: "[") ?? text.count
        let name = string(text[..<open])
        if name.contains("/"), foreign != nil {
            let code = ForeignCode.library(path: FilePath.join(foreign?.folder ?? ".", name))
            guard let found = foreign?.find(code, cursor.part(0, name.unicodeScalars.count)) else { return nil }
            let choice =
                found.isKnown
                ? read(text, open: open, name: name, of: found.descriptor, cursor)
                : PolicyChoice(text: string(text.filter { $0 != " " }[...]), name: name, values: [])
            return choice.map { PolicyChoice($0, code, found) }
        }
        guard let descriptor = descriptors.first(where: { $0.name == name }) else {
            reportUnknown(name, cursor.part(0, name.unicodeScalars.count))
            return nil
        }
        return read(text, open: open, name: name, of: descriptor, cursor)
    }

    /// Reads the parameters in brackets, which begin at an offset of the text.
    private func read(
        _ text: [Unicode.Scalar], open: Int, name: String, of descriptor: PolicyDescriptor, _ cursor: Cursor
    ) -> PolicyChoice? {
        var choice = PolicyChoice(text: name, name: name, values: descriptor.parameters.map(\.defaultValue))
        choice.meansApps = descriptor.meansApps
        if open == text.count { return choice }
        guard text.last == "]" else {
            cursor.fail("expected a closing bracket after \"\(string(text[...]))\"", hint: example(of: descriptor))
            return nil
        }
        guard read(pieces(of: text, from: open + 1), of: descriptor, into: &choice.values, cursor) else {
            return nil
        }
        choice.text = string(text.filter { $0 != " " }[...])
        return choice
    }

    private func reportUnknown(_ name: String, _ cursor: Cursor) {
        func hint() -> String? {
            let names = descriptors.map(\.name)
            return others.names.contains(name) && nearest(to: name, in: names) == nil
                ? "\"\(name)\" is \(article(others.kind))"
                : nameHint(name, in: names, all: "flotsam list policies")
        }
        cursor.fail("unknown \(kind) \"\(name.excerpt)\"", hint: hint())
    }

    /// Splits the text in the brackets at commas.
    ///
    /// Each piece has its offset in the text.
    private func pieces(of text: [Unicode.Scalar], from start: Int) -> [(offset: Int, text: [Unicode.Scalar])] {
        var found: [(Int, [Unicode.Scalar])] = []
        var from = start
        for index in start..<text.count where text[index] == "," || index == text.count - 1 {
            found.append((from, Array(text[from..<index])))
            from = index + 1
        }
        return found
    }

    private func read(
        _ pieces: [(offset: Int, text: [Unicode.Scalar])], of descriptor: PolicyDescriptor, into values: inout [Double],
        _ cursor: Cursor
    ) -> Bool {
        var seen: Set<Int> = []
        var isGood = true
        for piece in pieces {
            let position = cursor.part(piece.offset, max(1, piece.text.count))
            guard let (index, value) = read(piece, of: descriptor, cursor) else {
                isGood = false
                continue
            }
            if !seen.insert(index).inserted {
                position.fail("the parameter \"\(descriptor.parameters[index].name)\" appears twice")
                isGood = false
            }
            values[index] = value
        }
        return isGood
    }

    private func read(
        _ piece: (offset: Int, text: [Unicode.Scalar]), of descriptor: PolicyDescriptor, _ cursor: Cursor
    ) -> (index: Int, value: Double)? {
        let leading = piece.text.prefix { $0 == " " }.count
        let position = cursor.part(piece.offset + leading, max(1, piece.text.count - leading))
        guard let equals = piece.text.firstIndex(of: "=") else {
            position.fail("expected parameter=value in \"\(string(piece.text[...]))\"", hint: example(of: descriptor))
            return nil
        }
        let name = trimmed(piece.text[..<equals])
        let text = trimmed(piece.text[(equals + 1)...])
        guard let index = descriptor.parameters.firstIndex(where: { $0.name == name }) else {
            reportUnknownParameter(name, of: descriptor, cursor.part(piece.offset + leading, name.unicodeScalars.count))
            return nil
        }
        let valuePosition = cursor.part(piece.offset + equals + 1, piece.text.count - equals - 1)
        return value(text, of: descriptor.parameters[index], valuePosition).map { (index, $0) }
    }

    func reportUnknownParameter(_ name: String, of descriptor: PolicyDescriptor, _ cursor: Cursor) {
        let names = descriptor.parameters.map(\.name)
        guard !names.isEmpty else {
            cursor.fail("the policy \"\(descriptor.name)\" takes no parameters")
            return
        }
        let near = nearest(to: name, in: names)
        cursor.fail(
            "the policy \"\(descriptor.name)\" has no parameter \"\(name)\"",
            hint: near.map { "did you mean \"\($0)\"?" } ?? "its parameters: " + names.joined(separator: ", "))
    }

    func value(_ text: String, of parameter: PolicyParameter, _ cursor: Cursor) -> Double? {
        let value: Double
        switch parameter.unitDimension {
        case .some(let dimension):
            do throws(UnitTextError) {
                value = try UnitText.parse(text, as: dimension)
            } catch {
                cursor.fail(error.message, hint: unitHint(error))
                return nil
            }
        case nil:
            if case .choice(let words) = parameter.dimension { return choice(text, of: words, parameter, cursor) }
            guard let number = Double(text), number.isFinite else {
                cursor.fail("expected a number, found \"\(text)\"")
                return nil
            }
            value = number
        }
        guard parameter.range.contains(value) else {
            let bounds =
                "\(parameter.format(parameter.range.lowerBound)) to \(parameter.format(parameter.range.upperBound))"
            cursor.fail("expected a value from \(bounds), found \"\(text)\"", hint: parameter.meaning)
            return nil
        }
        return value
    }

    private func choice(
        _ text: String, of words: [String], _ parameter: PolicyParameter, _ cursor: Cursor
    ) -> Double? {
        if let index = words.firstIndex(of: text) { return Double(index) }
        cursor.fail("unknown \(parameter.name) \"\(text)\"", hint: nameHint(text, in: words))
        return nil
    }

    private func example(of descriptor: PolicyDescriptor) -> String? {
        descriptor.parameters.first.map {
            "for instance \(descriptor.name)[\($0.name)=\($0.format($0.defaultValue, compact: true))]"
        }
    }

    private func trimmed(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        string(scalars.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()[...])
    }

    private func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }
}

extension PolicyParameter {
    /// Dimension of the value's units; nil for plain numbers and for choices.
    var unitDimension: Quantities.Dimension? {
        switch dimension {
        case .number, .choice: nil
        case .fraction: .fraction
        case .duration: .time
        case .energy: .energy
        case .power: .power
        case .bytes: .bytes
        }
    }

    /// Value as a number in the unit `unit`; plain numbers do not change.
    public func number(_ value: Double) -> Double { unitDimension?.units[0].scaled(value) ?? value }

    /// Unit of `number(_:)`; empty for plain numbers.
    public var unit: String { unitDimension?.units[0].symbol ?? "" }

    /// Text of a value in the form for users.
    ///
    /// If `compact` is true, there is no space before the unit.
    public func format(_ value: Double, compact: Bool = false) -> String {
        if case .choice(let words) = dimension, words.indices.contains(Int(value)) { return words[Int(value)] }
        guard let unit = unitDimension else { return value == value.rounded() ? String(Int(value)) : String(value) }
        let text = UnitText.format(value, as: unit)
        return compact ? text.filter { $0 != " " } : text
    }
}

extension Cursor {
    /// A cursor whose location covers only a part of its text.
    ///
    /// The text must be on one line.
    func part(_ offset: Int, _ length: Int) -> Cursor {
        guard case .scalar(_, let quoted) = node.content else { return self }
        var location = node.location
        location.column += offset + (quoted ? 1 : 0)
        location.length = max(1, length)
        return Cursor(Node(node.content, at: location), path: path, report: report)
    }
}

/// A noun with its article.
func article(_ noun: String) -> String {
    ("aeiou".contains(noun.first ?? "x") ? "an " : "a ") + noun
}
