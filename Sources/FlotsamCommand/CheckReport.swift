// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Recording

/// Findings of `check` in files, in the forms that editors and CI read.
struct CheckReport {
    /// Output format.
    enum Form: String, CaseIterable {
        case text, json, sarif, github
    }

    /// Result for one file.
    struct File {
        let path: String
        /// Summary of a file without errors; nil for other files.
        let found: String?
        let problems: [Diagnostic]
    }

    private(set) var files: [File] = []

    mutating func add(_ path: String, found: String?, problems: Diagnostics) {
        files.append(File(path: path, found: found, problems: problems.shown))
    }

    /// The report in a form that programs read; empty for plain text.
    func text(_ form: Form) -> String {
        switch form {
        case .text: ""
        case .json: JSONValue.array(files.map(Self.json)).pretty
        case .sarif: sarif.pretty
        case .github: files.flatMap { file in file.problems.map { Self.annotation($0, in: file.path) } }.joined()
        }
    }

    private static func json(_ file: File) -> JSONValue {
        .object([
            "file": .string(file.path), "ok": .bool(file.found != nil),
            "found": file.found.map { .string($0) } ?? .null,
            "problems": .array(
                file.problems.map { problem in
                    var members: [String: JSONValue] = [
                        "severity": .string(problem.severity.rawValue), "message": .string(problem.message),
                        "file": .string(problem.location?.file ?? file.path),
                    ]
                    if let hint = problem.hint { members["hint"] = .string(hint) }
                    if let location = problem.location {
                        members["line"] = .integer(location.line)
                        members["column"] = .integer(location.column)
                        members["end_column"] = .integer(location.column + location.length)
                    }
                    return .object(members)
                }),
        ])
    }

    /// Report as Static Analysis Results Interchange Format 2.1.0 (OASIS), limited to the parts that code hosts and
    /// editors show.
    private var sarif: JSONValue {
        let results = files.flatMap { file in
            file.problems.map { problem in
                let path = problem.location?.file ?? file.path
                var physical: [String: JSONValue] = ["artifactLocation": .object(["uri": .string(path)])]
                if let location = problem.location {
                    physical["region"] = .object([
                        "startLine": .integer(location.line), "startColumn": .integer(location.column),
                        "endColumn": .integer(location.column + location.length),
                    ])
                }
                return JSONValue.object([
                    "level": .string(problem.severity.rawValue), "ruleId": .string("experiment"),
                    "message": .object(["text": .string(Self.sentence(problem))]),
                    "locations": .array([.object(["physicalLocation": .object(physical)])]),
                ])
            }
        }
        let driver = JSONValue.object([
            "name": .string("flotsam"), "version": .string(FlotsamCommand.version),
            "rules": .array([
                .object(["id": .string("experiment"), "shortDescription": .object(["text": .string("flotsam check")])])
            ]),
        ])
        return .object([
            "$schema": .string("https://json.schemastore.org/sarif-2.1.0.json"), "version": .string("2.1.0"),
            "runs": .array([.object(["tool": .object(["driver": driver]), "results": .array(results)])]),
        ])
    }

    /// A workflow command of GitHub Actions, which shows the problem at its line.
    private static func annotation(_ problem: Diagnostic, in path: String) -> String {
        func data(_ text: String) -> String {
            text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
        }
        func property(_ text: String) -> String { data(text).replacing(":", with: "%3A").replacing(",", with: "%2C") }
        var properties = ["file=" + property(problem.location?.file ?? path)]
        if let location = problem.location {
            properties += [
                "line=\(location.line)", "col=\(location.column)", "endColumn=\(location.column + location.length)",
            ]
        }
        return "::\(problem.severity.rawValue) \(properties.joined(separator: ","))::\(data(sentence(problem)))\n"
    }

    private static func sentence(_ problem: Diagnostic) -> String {
        problem.message + (problem.hint.map { "\nhint: \($0)" } ?? "")
    }
}
