// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Vocabulary

extension PolicyCatalog {
    /// The eviction policy that a text such as `lmkd[mode=minfree]` names, with its parameters.
    ///
    /// - Parameter option: What the text is the value of, for messages.
    public func eviction(
        reading text: String, option: String
    ) throws(Diagnostics) -> (entry: EvictionPolicyEntry, choice: PolicyChoice) {
        let location = Node.Location(
            source: SourceText(name: option, text: text), line: 1, column: 1, length: text.count)
        let report = ConfigReport()
        let reader = PolicyTextReader(
            kind: "eviction policy", descriptors: eviction.map(\.descriptor),
            others: ("scheduling policy", scheduling.map(\.descriptor.name)))
        let choice = reader.read(Cursor(Node(.scalar(text, quoted: false), at: location), report: report))
        guard let choice, let entry = eviction(named: choice.name), !report.problems.hasErrors else {
            throw Diagnostics(report.problems.sorted)
        }
        return (entry, choice)
    }
}
