// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Vocabulary

extension PolicyCatalog {
    /// Reads an eviction policy with its parameters, such as `lmkd[mode=minfree]`.
    ///
    /// The text for foreign code is `./mine.so[alpha=1]` or `{process: [python3, mine.py]}`. Files are relative to the
    /// working folder.
    ///
    /// - Parameter option: Name of the option that contains the text, for messages.
    public func eviction(
        reading text: String, option: String
    ) throws(Diagnostics) -> (entry: EvictionPolicyEntry, choice: PolicyChoice) {
        let location = Node.Location(
            source: SourceText(name: option, text: text), line: 1, column: 1, length: text.count)
        let report = ConfigReport()
        var found: EvictionPolicyEntry?
        let reader = PolicyTextReader(
            kind: "eviction policy", descriptors: eviction.map(\.descriptor),
            others: ("scheduling policy", scheduling.map(\.descriptor.name)),
            foreign: ForeignReader(folder: ".") { code, cursor in
                let policy = make(code, cursor) { source, code, text throws(ForeignPolicyError) in
                    try source.eviction(code, namedIn: text)
                }
                found = policy?.entry
                return policy.map { ForeignFinding($0, $0.entry.descriptor) }
            })
        var node = Node(.scalar(text, quoted: false), at: location)
        if text.hasPrefix("{") { node = try YAML.parse(location.source).get() }
        let choice = reader.read(Cursor(node, report: report))
        guard let choice, let entry = found ?? eviction(named: choice.name), !report.problems.hasErrors else {
            throw report.problems.ordered
        }
        return (entry, choice)
    }

    /// Creates the policy of foreign code; nil if this is impossible, and the reason is reported.
    func make<Entry>(
        _ code: ForeignCode, _ cursor: Cursor,
        _ make: (any ForeignPolicySource, ForeignCode, String) throws(ForeignPolicyError) -> ForeignPolicy<Entry>
    ) -> ForeignPolicy<Entry>? {
        guard let source = foreign else {
            cursor.fail(
                "\(code.text) runs the code of its author, which --no-foreign refuses",
                hint: "if you trust the author, leave out --no-foreign")
            return nil
        }
        do throws(ForeignPolicyError) {
            return try make(source, code, cursor.node.location.source.text)
        } catch {
            cursor.fail(error.message, hint: error.hint)
            return nil
        }
    }
}
