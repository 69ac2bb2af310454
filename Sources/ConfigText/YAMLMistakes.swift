// SPDX-License-Identifier: GPL-3.0-or-later
import CYAML
import Diagnostics

/// Explains YAML errors to the user in terms of the file instead of the parser.
struct YAMLMistake {
    /// Error message of libyaml.
    ///
    /// `context` is what libyaml was reading, and the marks are the two positions.
    private let problem: String
    private let context: String
    private let problemMark: yaml_mark_t
    /// Offset of an invalid character in bytes, for which libyaml has no mark.
    private let problemOffset: Int
    private let contextMark: yaml_mark_t
    private let source: SourceText
    private static let column = "keys of one map begin in the same column"

    init(_ parser: yaml_parser_t, _ source: SourceText) {
        problem = parser.problem.map { String(cString: $0) } ?? ""
        context = parser.context.map { String(cString: $0) } ?? ""
        problemMark = parser.problem_mark
        problemOffset = parser.problem_offset
        contextMark = parser.context_mark
        self.source = source
    }

    /// Problem with its location and a hint.
    var diagnostic: Diagnostic {
        let here = location(problemMark)
        let begin = location(contextMark)
        let line = source.line(here.line) ?? ""
        if character(at: problemMark) == "\t" {
            return here.problem("not valid YAML: a tab is not allowed here", hint: "indent with spaces")
        }
        switch problem {
        case "control characters are not allowed": return controlCharacter
        case "mapping values are not allowed in this context": return tooManyColons(here, line)
        case "did not find expected key", "did not find expected '-' indicator": return misaligned(here, begin)
        case "could not find expected ':'":
            return begin.problem("not valid YAML: a key has no colon", hint: "write \"key: value\"")
        case "did not find expected ',' or ']'":
            return begin.problem(
                "not valid YAML: the list that begins here is not closed, or a comma between its items is missing",
                hint: brackets(line) ?? "write [a, b, c]")
        case "did not find expected ',' or '}'":
            return begin.problem(
                "not valid YAML: the map that begins here is not closed, or a comma between its keys is missing",
                hint: brackets(line) ?? "write {key: value, key: value}")
        case "block sequence entries are not allowed in this context":
            return here.problem(
                "not valid YAML: a list with \"- \" must begin on a new line",
                hint: "go to the next line, or write [a, b, c]")
        case "found unexpected end of stream", "found unexpected document indicator":
            return begin.problem("not valid YAML: the quotation mark that begins here has no end", hint: nil)
        case "found unknown escape character":
            return here.problem(
                "not valid YAML: the character after the backslash is not a valid escape",
                hint: "use single quotes: 'text'")
        case "found undefined alias":
            return here.problem(
                "not valid YAML: \"*\" refers to a name that \"&\" does not define",
                hint: "quote a text that begins with *")
        default: return other(here, line)
        }
    }

    /// Problem for a character that must be escaped in YAML.
    private var controlCharacter: Diagnostic {
        let before = source.text.utf8.prefix(problemOffset)
        let line = before.count { $0 == 10 } + 1
        let text = source.line(line) ?? ""
        let column = text.unicodeScalars.firstIndex(where: \.isControl).map {
            text.unicodeScalars.distance(from: text.startIndex, to: $0)
        }
        return Node.Location(source: source, line: line, column: (column ?? 0) + 1, length: 1).problem(
            "the text contains the control character \(text.firstControl ?? "U+FFFE")", hint: "leave the character out")
    }

    /// Problem for a key at an invalid position: indented more than the keys above, or after a value on the same line.
    private func tooManyColons(_ here: Node.Location, _ line: String) -> Diagnostic {
        let depth = indentation(line)
        let above = (0..<here.line - 1).reversed().compactMap { source.line($0 + 1) }.first {
            let text = $0.drop { $0 == " " }
            return !text.isEmpty && !text.hasPrefix("#")
        }
        if let above, depth > indentation(above), !above.hasSuffix(":") {
            let start = Node.Location(source: source, line: here.line, column: depth + 1, length: 1)
            return start.problem(
                "not valid YAML: this line is indented by \(spaces(depth)), but the line above has a value and is "
                    + "indented by \(indentation(above))",
                hint: Self.column)
        }
        return here.problem(
            "not valid YAML: this line has a second \": \"", hint: "a text with \": \" in it needs quotes: \"a: b\"")
    }

    /// Problem for a line whose indentation differs from that of its map or list.
    private func misaligned(_ here: Node.Location, _ begin: Node.Location) -> Diagnostic {
        if context.hasSuffix("flow mapping") || context.hasSuffix("flow sequence") {
            return begin.problem("not valid YAML: the brackets that begin here are not closed", hint: nil)
        }
        let isList = context.hasSuffix("block collection") || context.hasSuffix("block sequence")
        let what = isList ? "an item of the list" : "a key of the map"
        return here.problem(
            "not valid YAML: this line is indented by \(spaces(here.column - 1)), but \(what) from line \(begin.line) "
                + "is indented by \(begin.column - 1)",
            hint: isList ? "items of one list begin in the same column, with \"- \"" : Self.column)
    }

    private func other(_ here: Node.Location, _ line: String) -> Diagnostic {
        let first = character(at: problemMark).map { Character($0) }
        if let first, "@`%*&!|>".contains(first) {
            return here.problem(
                "not valid YAML: a value cannot begin with \"\(first)\"", hint: "put the text in quotes: \"…\"")
        }
        let mark = context.hasSuffix("quoted scalar") ? location(contextMark) : here
        return mark.problem(
            "not valid YAML: this is not a key with a value",
            hint: brackets(line) ?? "look at indentation, colons and quotation marks, here and one line above")
    }

    /// Hint for a word with brackets in a bracketed list, which probably causes an unclosed bracket.
    private func brackets(_ line: String) -> String? {
        guard line.filter({ $0 == "[" }).count > 1 else { return nil }
        return "inside [ ] or { } a text with brackets of its own needs quotes: \"name[key=value]\""
    }

    private func spaces(_ count: Int) -> String { count == 1 ? "1 space" : "\(count) spaces" }

    private func indentation(_ line: String) -> Int { line.prefix { $0 == " " }.count }

    private func character(at mark: yaml_mark_t) -> Unicode.Scalar? {
        source.line(Int(mark.line) + 1).flatMap { $0.unicodeScalars.dropFirst(Int(mark.column)).first }
    }

    private func location(_ mark: yaml_mark_t) -> Node.Location {
        let line = min(Int(mark.line) + 1, max(1, source.lines.count))
        return Node.Location(source: source, line: line, column: Int(mark.column) + 1, length: 1)
    }
}
