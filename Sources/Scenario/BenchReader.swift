// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Files
import Power
import Quantities

/// Whether a file is a bench (`kind: bench`).
///
/// The result is false if the file cannot be read.
public func isBench(path: String) -> Bool {
    guard case .success(let root) = YAML.load(path: path) else { return false }
    return root["kind"]?.scalar == "bench"
}

/// Reads a bench with the models that it names.
///
/// - Throws: All problems of the file.
public func loadBench(path: String, library: ModelLibrary? = nil) throws(Diagnostics) -> Bench {
    try loadBench(SourceText.read(path: path).get(), library: library ?? .located(experiment: path))
}

/// Reads a bench from a text, whose `name` is used as the path of the bench's file.
public func loadBench(_ source: SourceText, library: ModelLibrary) throws(Diagnostics) -> Bench {
    let root = try YAML.parse(source).get()
    try FileKind.require(.bench, root)
    let report = ConfigReport()
    let reader = BenchReader(
        trees: ModelTrees(library: library, report: report, folder: FilePath.folder(of: source.name)))
    let bench = reader.read(Cursor(root, report: report), path: source.name)
    guard let bench, !report.problems.hasErrors else { throw report.problems.ordered }
    return bench
}

/// Reads a bench.
struct BenchReader {
    let trees: ModelTrees

    func read(_ cursor: Cursor, path: String) -> Bench? {
        let map = MapReader(cursor, expected: "a bench (a map of keys)")
        let schema = map.required("schema", .schema)
        _ = map.required("kind", .word(of: ["bench"], what: "kind of file"))
        let name = map.required("name", .name)
        let question = map.value("question", .text, default: "")
        let cases = map.required("cases", ValueReader<[Bench.Case]>(example: "{name: {radio: lte-2012}}", readCases))
        let reader = ValueReader<Target>(example: "{id: E8, case: packet, value: energy_j, band: [12, 13]}") {
            target($0, cases ?? [])
        }
        let targets = map.required("targets", .list(of: reader))
        map.finish()
        guard schema != nil, let name, let cases, let targets else { return nil }
        return Bench(path: path, name: name, question: question, cases: cases, targets: targets)
    }

    private func readCases(_ cursor: Cursor) -> [Bench.Case]? {
        guard let entries = cursor.node.entries, !entries.isEmpty else {
            cursor.expected("a map from names to cases")
            return nil
        }
        let cases = entries.compactMap { entry in
            subject(cursor.child(entry.value, key: entry.key)).map { Bench.Case(name: entry.key, subject: $0) }
        }
        return cases.count == entries.count ? cases : nil
    }

    private func subject(_ cursor: Cursor) -> Bench.Subject? {
        let map = MapReader(cursor)
        defer { map.finish() }
        switch map.exactlyOne(of: ["radio", "cell", "device"]) {
        case "radio": return radio(map).map { .radio($0) }
        case "cell": return cell(map).map { .cell($0) }
        case "device": return heat(map).map { .heat($0) }
        default: return nil
        }
    }

    // MARK: Targets

    private func target(_ cursor: Cursor, _ cases: [Bench.Case]) -> Target? {
        let map = MapReader(cursor)
        guard map.isMap else { return nil }
        let claim = TargetReader.claim(map)
        let name = map.required("case", .word(of: cases.map(\.name), what: "case"))
        let value = map.required("value", .text)
        let quantity = name.flatMap { name in value.map { TargetQuantity.bench(case: name, value: $0) } }
        let unit = TargetReader.unit(map, of: quantity)
        var reference: Target.Reference?
        if let inner = map.cursor("relative_to").map({ MapReader($0) }) {
            let other = inner.optional("case", .word(of: cases.map(\.name), what: "case")) ?? name
            let below = inner.optional("value", .text) ?? value
            inner.finish()
            if let other, let below, isKnown(below, of: other, cases, inner) {
                reference = Target.Reference(quantity: .bench(case: other, value: below), policy: nil, point: [])
            }
        }
        map.finish()
        guard let claim, let quantity, let name, let value, isKnown(value, of: name, cases, map) else { return nil }
        return Target(claim, quantity: quantity, unit: unit, reference: reference)
    }

    /// Whether a case has a measured value.
    ///
    /// Every correctly formed event of a cell is accepted.
    private func isKnown(_ value: String, of name: String, _ cases: [Bench.Case], _ map: MapReader) -> Bool {
        guard let found = cases.first(where: { $0.name == name }) else { return false }
        let values = found.subject.values
        if values.contains(value) { return true }
        if case .cell = found.subject, value.contains("<=") || value.contains(">=") { return true }
        let near = nearest(to: value, in: values)
        (map.cursor("value") ?? map.cursor).fail(
            "the case \"\(name)\" yields no value \"\(value)\"",
            hint: near.map { "did you mean \"\($0)\"?" } ?? "values: " + values.joined(separator: ", "))
        return false
    }
}
