// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Vocabulary

/// Finds policies of foreign code.
struct ForeignReader {
    /// Folder for relative file paths, which is the folder of the experiment.
    let folder: String
    /// Finds the description of a policy and the hash of its code; nil if this is impossible, and the reason is
    /// reported.
    let find: (ForeignCode, Cursor) -> ForeignFinding?
}

/// Description of a policy of foreign code.
struct ForeignFinding {
    let descriptor: PolicyDescriptor
    let checksum: UInt64
    let fingerprint: String
    /// Whether the policy was started to read its description.
    ///
    /// If not, its parameters cannot be checked.
    let isKnown: Bool
    /// Name from the policy's description; nil if this name is not displayed.
    let ownName: String?

    init<Entry>(_ policy: ForeignPolicy<Entry>, _ descriptor: PolicyDescriptor, ownName: String? = nil) {
        self.descriptor = descriptor
        self.ownName = ownName
        (checksum, fingerprint, isKnown) = (policy.checksum, policy.fingerprint, policy.isKnown)
    }
}

extension PolicyChoice {
    /// Creates the choice of a policy from foreign code.
    init(_ choice: PolicyChoice, _ code: ForeignCode, _ found: ForeignFinding) {
        self = choice
        (self.code, checksum, fingerprint, isKnown) = (code, found.checksum, found.fingerprint, found.isKnown)
        guard let own = found.ownName else { return }
        written = text
        text = own + text.drop { $0 != "[" }
    }
}

/// Names of policies in an experiment.
///
/// Foreign code has its own name, unless another policy has this name.
struct PolicyNames {
    private let shipped: Set<String>
    private var owners: [String: ForeignCode] = [:]

    init(_ catalog: PolicyCatalog) {
        shipped = Set(catalog.eviction.map(\.descriptor.name) + catalog.scheduling.map(\.descriptor.name))
    }

    /// The own name of foreign code, if it may be displayed.
    ///
    /// The result is nil for a name that is not a word such as `my-policy`, and for a name of another policy.
    mutating func own(_ name: String, of code: ForeignCode) -> String? {
        let isWord =
            !name.isEmpty && name.utf8.count <= 40
            && name.utf8.allSatisfy {
                $0 == UInt8(ascii: "-") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            }
        guard isWord, !shipped.contains(name) else { return nil }
        let owner = owners[name] ?? code
        owners[name] = owner
        return owner == code ? name : nil
    }
}

extension PolicyTextReader {
    /// Reads `{process: [python3, mine.py], reads: [weights.npz], parameters: {every: 30 min}}`.
    func readProcess(_ cursor: Cursor) -> PolicyChoice? {
        let map = MapReader(cursor)
        let word = ValueReader<String>.text
        let words = map.required("process", ValueReader<[String]>.list(of: word, orSingle: true))
        let reads = map.optional("reads", ValueReader<[String]>.list(of: word, orSingle: true))
        let parameters = map.cursor("parameters").map { MapReader($0) }
        map.finish()
        guard let words else { return nil }
        guard let first = words.first, !first.isEmpty else {
            cursor.expected("a program with its arguments, such as {process: [python3, mine.py]}")
            return nil
        }
        let code = ForeignCode.process(words: words, folder: foreign?.folder ?? ".", reads: reads ?? [])
        guard let found = foreign?.find(code, map.cursor("process") ?? cursor) else { return nil }
        var values = found.descriptor.parameters.map(\.defaultValue)
        var written: [String] = []
        for name in parameters?.writtenKeys ?? [] {
            guard let value = parameters?.cursor(name) else { continue }
            guard let text = value.node.scalar else {
                value.expected("a single value for the parameter \"\(name)\"")
                return nil
            }
            if found.isKnown {
                guard let index = found.descriptor.parameters.firstIndex(where: { $0.name == name }) else {
                    reportUnknownParameter(name, of: found.descriptor, value)
                    return nil
                }
                guard let number = self.value(text, of: found.descriptor.parameters[index], value) else { return nil }
                values[index] = number
            }
            written.append("\(name)=\(text.filter { $0 != " " })")
        }
        let name = words.joined(separator: " ")
        let brackets = written.isEmpty ? "" : "[" + written.joined(separator: ",") + "]"
        return PolicyChoice(PolicyChoice(text: name + brackets, name: name, values: values), code, found)
    }
}
