// SPDX-License-Identifier: GPL-3.0-or-later

/// The targets of `Package.swift` and what each depends on, read from its text.
struct PackageManifest {
    /// Dependencies by the name of the target; tests are left out.
    let dependencies: [String: Set<String>]

    /// Reads every call that declares a target; the first text in it is the name, the others are dependencies.
    init(text: String) {
        var dependencies: [String: Set<String>] = [:]
        let code = Self.withoutComments(text)
        for opening in ["module(", ".target(", ".executableTarget(", ".systemLibrary("] {
            for start in code.ranges(of: opening) where !Self.isPartOfName(code, before: start.lowerBound) {
                let arguments = Self.balanced(code[start.upperBound...])
                // Plugins of a build are no modules.
                let texts = Self.texts(
                    in: arguments[..<(arguments.firstRange(of: "plugins:")?.lowerBound ?? arguments.endIndex)])
                // The declaration of the helper `module` itself holds no text.
                guard let name = texts.first else { continue }
                let isLibrary = opening == ".systemLibrary("
                dependencies[name, default: []].formUnion(isLibrary ? [] : texts.dropFirst())
            }
        }
        self.dependencies = dependencies
    }

    private static func isPartOfName(_ code: String, before index: String.Index) -> Bool {
        guard index > code.startIndex else { return false }
        let character = code[code.index(before: index)]
        return character.isLetter || character.isNumber || character == "_"
    }

    /// The text up to the parenthesis that closes an opened one.
    private static func balanced(_ text: Substring) -> Substring {
        var depth = 1
        for index in text.indices {
            if text[index] == "(" { depth += 1 }
            if text[index] == ")" { depth -= 1 }
            if depth == 0 { return text[..<index] }
        }
        return text
    }

    /// The string literals that name modules; names of language features are inside further parentheses and left out.
    private static func texts(in arguments: Substring) -> [String] {
        var result: [String] = []
        var depth = 0
        var literal: String?
        for character in arguments {
            if character == "\"" {
                if let finished = literal {
                    if depth == 0 { result.append(finished) }
                    literal = nil
                } else {
                    literal = ""
                }
            } else if literal != nil {
                literal?.append(character)
            } else if character == "(" {
                depth += 1
            } else if character == ")" {
                depth -= 1
            }
        }
        return result
    }

    private static func withoutComments(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { line in line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line }
            .joined(separator: "\n")
    }
}
