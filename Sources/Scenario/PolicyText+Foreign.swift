// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Vocabulary

/// How policies of foreign code are found.
struct ForeignReader {
    /// The folder from which files are seen: that of the experiment.
    let folder: String
    /// What the policy says of itself and the hash of its code; reports why there is none.
    let find: (ForeignCode, Cursor) -> (descriptor: PolicyDescriptor, checksum: UInt64)?
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
            guard let index = found.descriptor.parameters.firstIndex(where: { $0.name == name }) else {
                reportUnknownParameter(name, of: found.descriptor, value)
                return nil
            }
            guard let text = value.node.scalar else {
                value.expected("a value of \"\(name)\"")
                return nil
            }
            guard let number = self.value(text, of: found.descriptor.parameters[index], value) else { return nil }
            values[index] = number
            written.append("\(name)=\(text.filter { $0 != " " })")
        }
        let name = words.joined(separator: " ")
        let brackets = written.isEmpty ? "" : "[" + written.joined(separator: ",") + "]"
        var choice = PolicyChoice(text: name + brackets, name: name, values: values)
        choice.code = code
        choice.checksum = found.checksum
        return choice
    }
}
