// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Vocabulary

/// How policies of foreign code are found.
struct ForeignReader {
    /// The folder from which files are seen: that of the experiment.
    let folder: String
    /// What the policy says of itself and the hash of its code; reports why there is none.
    let find: (ForeignCode, Cursor) -> ForeignFinding?
}

/// What is known of a policy of foreign code.
struct ForeignFinding {
    let descriptor: PolicyDescriptor
    let checksum: UInt64
    let fingerprint: String
    /// Whether it was asked what it is; otherwise its parameters cannot be checked.
    let isKnown: Bool

    init<Entry>(_ policy: ForeignPolicy<Entry>, _ descriptor: PolicyDescriptor) {
        self.descriptor = descriptor
        (checksum, fingerprint, isKnown) = (policy.checksum, policy.fingerprint, policy.isKnown)
    }
}

extension PolicyChoice {
    /// The choice of a policy of foreign code.
    init(_ choice: PolicyChoice, _ code: ForeignCode, _ found: ForeignFinding) {
        self = choice
        (self.code, checksum, fingerprint, isKnown) = (code, found.checksum, found.fingerprint, found.isKnown)
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
            cursor.expected("a program with its words, such as {process: [python3, mine.py]}")
            return nil
        }
        let code = ForeignCode.process(words: words, folder: foreign?.folder ?? ".", reads: reads ?? [])
        guard let found = foreign?.find(code, map.cursor("process") ?? cursor) else { return nil }
        var values = found.descriptor.parameters.map(\.defaultValue)
        var written: [String] = []
        for name in parameters?.writtenKeys ?? [] {
            guard let value = parameters?.cursor(name) else { continue }
            guard let text = value.node.scalar else {
                value.expected("a value of \"\(name)\"")
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
