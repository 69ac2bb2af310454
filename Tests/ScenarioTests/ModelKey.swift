// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Foundation
import Phone
import Quantities
import TestSupport
import Testing
import Vocabulary

@testable import Scenario

/// A key of a model file with values to try.
struct ModelKey: Sendable, CustomTestStringConvertible {
    let path: String
    let shape: ValueShape

    var testDescription: String { path }

    /// Whether a run has to change with it.
    var mustAct: Bool {
        !KeyConditions.reasons.contains { KeyConditions.matches(path, $0.pattern) }
    }

    /// Values far apart, in the order in which they are tried.
    var values: [String] { KeyConditions.values[path] ?? Self.values(shape) }

    /// Values of a shape, far apart.
    static func values(_ shape: ValueShape) -> [String] {
        switch shape {
        case .any, .text: []
        case .words(let words): words
        case .flag: ["true", "false"]
        case .integer(let range):
            [3, 1, 0, 2, 7, 40, 1000, range.lowerBound, range.upperBound].filter(range.contains).map(String.init)
        case .number(let range):
            [0.3, 0, 1, 2.5, 20, 1000, range.lowerBound, range.upperBound].filter(range.contains).map { "\($0)" }
        case .quantity(let dimension): quantities(dimension)
        case .share: quantities(.fraction)
        case .either(let shapes): shapes.flatMap(values)
        case .list(let shape): values(shape).map { "[\($0)]" }
        }
    }

    private static func quantities(_ dimension: Quantities.Dimension) -> [String] {
        let numbers: [String] =
            switch dimension {
            case .time: ["1 min", "1 s", "1 h", "10 ms", "1 d", "0 s", "10 d"]
            case .bytes: ["1 MiB", "64 MiB", "1 GiB", "1 kB", "8 GiB", "0 B"]
            case .fraction: ["30 %", "97 %", "3 %", "0 %", "100 %", "60 %"]
            case .power: ["100 mW", "1 W", "1 mW", "10 W", "0 W"]
            case .energy: ["1 J", "10 mJ", "100 J", "1 kJ", "0 J"]
            case .temperature: ["30 degC", "10 degC", "50 degC", "0 degC"]
            default:
                ["1", "0.1", "10", "100", "1000"].map { number in
                    number + " " + (dimension.example.split(separator: " ").last.map(String.init) ?? "")
                }
            }
        return numbers
    }

    /// Every key of device, app and user that a reader asks for.
    static let all: [ModelKey] = {
        var found: [ModelKey] = []
        var indices: [String: Int] = [:]
        for settings in KeyConditions.openers {
            for note in notes(settings) {
                let path = note.path.isEmpty ? note.key : note.path + "." + note.key
                guard roots.contains(where: { path.hasPrefix($0 + ".") }), !path.contains("[") else { continue }
                if let index = indices[path] {
                    if note.shape != .any { found[index] = ModelKey(path: path, shape: note.shape) }
                } else {
                    indices[path] = found.count
                    found.append(ModelKey(path: path, shape: note.shape))
                }
            }
        }
        let maps = Set(found.flatMap { key in Self.above(key.path) })
        return found.filter { !maps.contains($0.path) && !isRepeated($0.path) }
    }()

    /// Whether the key of a class of activity is one that is tried with the class of the tests' app already.
    private static func isRepeated(_ path: String) -> Bool {
        let words = path.split(separator: ".")
        return words.starts(with: ["device", "activities"]) && words[2] != "messaging" && words[3] != "memory_traffic"
    }

    /// The classes of activity.
    static let activities = ActivityClass.allCases.map(\.rawValue)
    /// A recording without any network most of the time.
    static let offline =
        "user.trace=" + SourceTree.root.appending(path: "Tests/ScenarioTests/offline.csv").path(percentEncoded: false)

    /// The one app whose keys stand for those of all.
    static let app = "apps.apps.pigeon"
    private static let roots = ["device", app, "apps.tail", "user.persona"]

    private static func above(_ path: String) -> [String] {
        var words = path.split(separator: ".")
        var result: [String] = []
        while words.count > 1 {
            words.removeLast()
            result.append(words.joined(separator: "."))
        }
        return result
    }

    private static func notes(_ settings: [String]) -> [KeyNote] {
        let source = SourceText(name: "a.yaml", text: KeyRun.text)
        guard var root = try? YAML.parse(source).get() else { return [] }
        for setting in settings {
            let parts = setting.split(separator: "=", maxSplits: 1).map(String.init)
            guard case .success(let changed) = root.setting(key: parts[0], value: parts[1]) else { return [] }
            root = changed
        }
        let report = ConfigReport(recordsKeys: true)
        let loader = ExperimentLoader(root, source: source, catalog: .builtIn, library: library, report: report)
        _ = loader.load()
        for problem in report.problems.list { Issue.record("\(problem)") }
        return report.keys
    }
}
