// SPDX-License-Identifier: GPL-3.0-or-later

/// Name of a rule about background work for tables, and its words for explanations.
public struct RuleText: Sendable, Hashable {
    /// Name in kebab-case, for tables.
    public let name: String
    /// The condition under which the rule decided, as part of a sentence of `flotsam why`: "the battery was low".
    public let sentence: String

    /// Creates a text from a name in kebab-case and a part of a sentence without capital letter and full stop.
    public init(_ name: String, _ sentence: String) {
        self.name = name
        self.sentence = sentence
    }
}

/// The rules that a policy declares itself: an enum over `UInt8` with a name and a sentence for each case.
///
/// The policy's descriptor lists these rules (`rules: Rule.texts`), and its decisions name them
/// (`.wait(Rule.belowLevel, …)`). Tables and `flotsam why` show them. Raw values count from 0 in the order of the
/// cases, which is Swift's default.
public protocol PolicyRule: RawRepresentable, CaseIterable, Sendable where RawValue == UInt8 {
    /// Name and sentence of the rule.
    var text: RuleText { get }
}

extension PolicyRule {
    /// Names and sentences of all rules, in the order of their raw values.
    public static var texts: [RuleText] {
        allCases.enumerated().map { index, rule in
            guard Int(rule.rawValue) == index else {
                fatalError("the raw values of a policy's rules must count from 0 in their order")
            }
            return rule.text
        }
    }
}
