// SPDX-License-Identifier: GPL-3.0-or-later
import Vocabulary

/// Checks the description of a foreign policy and all names in it.
///
/// An error in a foreign description is thrown; in a built-in policy, the same error traps.
struct DescriptionCheck {
    private let path: String
    private var parameters: Set<String> = []
    private var rules = 0

    init(_ path: String) { self.path = path }

    func problem(_ text: String) -> ForeignPolicyError { ForeignPolicyError("the policy of \(path): \(text)") }

    /// Checks that a name is in kebab-case.
    func name(_ name: String?, _ what: String) throws(ForeignPolicyError) -> String {
        guard let name, isKebabCase(name), name.utf8.count <= 100 else {
            throw problem("its \(what) \"\(name ?? "")\" is not valid: use lower-case-words-like-these")
        }
        return name
    }

    /// Checks that a parameter has a unique name, and a default within its range.
    mutating func parameter(_ parameter: PolicyParameter?) throws(ForeignPolicyError) -> PolicyParameter {
        guard let parameter else { throw problem("a parameter lacks a name or a range") }
        _ = try name(parameter.name, "parameter")
        guard parameters.insert(parameter.name).inserted else {
            throw problem("two parameters are named \"\(parameter.name)\"")
        }
        if case .choice(let words) = parameter.dimension {
            guard !words.isEmpty, parameter.range == 0...Double(words.count - 1) else {
                throw problem("the parameter \"\(parameter.name)\" needs words and a range from 0 to their last index")
            }
        }
        guard parameter.range.contains(parameter.defaultValue) else {
            throw problem("the default of \"\(parameter.name)\" lies outside its own range")
        }
        return parameter
    }

    /// Checks a rule that the policy declares.
    mutating func rule(_ name: String?, _ sentence: String?) throws(ForeignPolicyError) -> RuleText {
        rules += 1
        guard rules <= 256 else { throw problem("it has more than 256 rules") }
        return RuleText(try self.name(name, "rule"), sentence ?? "a rule of the policy applied")
    }
}
