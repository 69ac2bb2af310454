// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Files
import Foundation
import Phone
import Quantities
import Scenario
import TestSupport
import Testing
import Vocabulary

@testable import Experiments

/// The targets of `experiments/validation` held against the facts they are of, and against what was found last.
@Suite struct FactsTests {
    private static let folder = "experiments/validation"

    /// Every target with the experiment or bench that asks it.
    private static let asked: [(experiment: String, target: Target)] = {
        let path = SourceTree.root.appending(path: folder).path()
        var all: [(String, Target)] = []
        for name in directoryEntries(path) where name.hasSuffix(".yaml") && name != KnownMissFile.name {
            let file = "\(path)/\(name)"
            do {
                if isBench(path: file) {
                    let bench = try loadBench(path: file)
                    all += bench.targets.map { (bench.name, $0) }
                } else {
                    let experiment = try loadExperiment(path: file, overrides: [], catalog: .builtIn)
                    all += experiment.targets.map { (experiment.name, $0) }
                }
            } catch {
                Issue.record("\(name): \(error)")
            }
        }
        return all
    }()

    /// A line of `facts.csv`.
    private struct Fact {
        let id: String
        let band: ClosedRange<Double>
        let unit: String
        let strength: String
        let source: String
        let holder: String

        init(_ cells: [String]) throws {
            let cells = try #require(cells.count == 7 ? cells : nil, "\(cells)")
            id = cells[0]
            band = try #require(Self.band(cells[2]), "\(cells)")
            unit = cells[3]
            strength = cells[4]
            source = cells[5]
            holder = cells[6]
        }

        /// `4..6`, `>= 3`, `<= 3`, `exactly 3`, `20 +- 8 %`, `30 +- 3`.
        private static func band(_ text: String) -> ClosedRange<Double>? {
            let words = text.split(separator: " ").map(String.init)
            if words.count == 1 {
                let ends = text.components(separatedBy: "..").compactMap { Double($0) }
                return ends.count == 2 ? ends[0]...ends[1] : nil
            }
            guard let last = Double(words[words.count - (words.last == "%" ? 2 : 1)]) else { return nil }
            switch words[0] {
            case ">=": return last ... .infinity
            case "<=": return -Double.infinity...last
            case "exactly": return last...last
            default:
                guard words[1] == "+-", let middle = Double(words[0]) else { return nil }
                let half = words.last == "%" ? middle * last / 100 : last
                return (middle - half)...(middle + half)
            }
        }
    }

    private static func facts() throws -> [Fact] {
        let lines = try SourceTree.text("\(folder)/facts.csv").split(separator: "\n")
        #expect(lines[0] == "id,what,band,unit,strength,source,held_by")
        return try lines.dropFirst().map { try Fact(cells(String($0))) }
    }

    /// The cells of a line; inside quotes a doubled quote stands for one.
    private static func cells(_ line: String) -> [String] {
        var cells = [""]
        var isQuoted = false
        for character in line {
            if character == "\"" {
                isQuoted.toggle()
            } else if character == ",", !isQuoted {
                cells.append("")
            } else {
                cells[cells.count - 1].append(character)
            }
        }
        return cells
    }

    /// How many of one unit make one of another; benches say in seconds what the facts say in minutes.
    private static func factor(from unit: String, to other: String) -> Double? {
        if unit == other { return 1 }
        guard let have = try? UnitText.parse("1 \(unit)", as: .time),
            let want = try? UnitText.parse("1 \(other)", as: .time)
        else { return nil }
        return have / want
    }

    @Test func `bands, strengths and units are those of the facts, to the digit`() throws {
        let facts = try Self.facts()
        #expect(facts.count > 120 && Set(facts.map(\.id)).count == facts.count)
        for fact in facts where fact.holder.isEmpty {
            let targets = Self.asked.map(\.target).filter { $0.id == fact.id }
            #expect(!targets.isEmpty, "\(fact.id) is asked nowhere")
            for target in targets {
                #expect(target.strength.rawValue == fact.strength, "\(fact.id)")
                let factor = try #require(
                    Self.factor(from: fact.unit, to: target.unit.name), "\(fact.id): \(target.unit)")
                for (own, given) in [
                    (target.band.lowerBound, fact.band.lowerBound), (target.band.upperBound, fact.band.upperBound),
                ] where own != given * factor {
                    #expect(
                        abs(own - given * factor) <= 1e-12 * abs(own), "\(fact.id): \(target.band) for \(fact.band)")
                }
            }
        }
    }

    @Test func `what no experiment can ask is held by the test that is named`() throws {
        let held = try Self.facts().filter { !$0.holder.isEmpty }
        #expect(held.map(\.id) == ["V22", "V22-second"])
        for fact in held {
            #expect(fact.band.lowerBound == fact.band.upperBound)
            #expect(try SourceTree.text(fact.holder).contains(" - \(fact.band.lowerBound)) < 1e-6)"), "\(fact.id)")
        }
    }

    @Test func `every fact has a row, a strength and a source, and every target that counts is a fact`() throws {
        let facts = try Self.facts()
        for number in 1...34 {
            let id = (number < 10 ? "V0" : "V") + String(number)
            #expect(facts.contains { $0.id == id }, "\(id)")
        }
        // Of E15 the source prints two readings and no band.
        for number in 1...28 where number != 15 {
            #expect(facts.contains { $0.id.split(separator: "-")[0] == "E\(number)" }, "E\(number)")
        }
        for fact in facts {
            #expect(["strong", "medium", "weak"].contains(fact.strength) && !fact.source.isEmpty, "\(fact.id)")
        }
        for (experiment, target) in Self.asked where ![.found, .control].contains(target.strength) {
            #expect(facts.contains { $0.id == target.id }, "\(target.id) of \(experiment)")
            #expect(!target.source.isEmpty, "\(target.id) of \(experiment)")
        }
    }

    @Test func `every target says in its file what it rests on`() throws {
        var count = 0
        let path = SourceTree.root.appending(path: Self.folder).path()
        for name in directoryEntries(path) where name.hasSuffix(".yaml") && name != KnownMissFile.name {
            let text = try SourceTree.text("\(Self.folder)/\(name)")
            let targets = ["  - {id: ", "  - id: "].flatMap { text.components(separatedBy: $0).dropFirst() }
            for target in targets {
                count += 1
                #expect(target.contains("basis: "), "\(name): \(target.prefix(20))")
            }
        }
        #expect(count == Self.asked.count)
    }

    @Test func `nothing becomes a prediction without new data, and nothing that was asked is dropped`() throws {
        let lines = try SourceTree.text("\(Self.folder)/released.csv").split(separator: "\n")
        #expect(lines[0] == "experiment,id,basis,source" && lines.count > 200)
        for cells in lines.dropFirst().map({ Self.cells(String($0)) }) {
            let name = "\(cells[1]) of \(cells[0])"
            let target = Self.asked.first { $0.experiment == cells[0] && $0.target.id == cells[1] }?.target
            let asked = try #require(target, "\(name) is asked no more")
            let isNew = asked.basis == .prediction && cells[2] != Target.Basis.prediction.rawValue
            #expect(!isNew || asked.source != cells[3], "\(name) was \(cells[2]), and its source is the same")
        }
    }

    /// A path in an experiment, `policy[parameter]`, or a declaration `Type.member` of the sources.
    @Test func `parameters that are named exist`() throws {
        let schema = try SourceTree.text("models/schema/experiment.json")
        let sources = try SourceTree.files(below: "Sources")
        for (experiment, target) in Self.asked where target.basis.namesParameter {
            let parameter = target.parameter
            let name = "\(target.id) of \(experiment): \(parameter)"
            if let bracket = parameter.firstIndex(of: "[") {
                let entry = PolicyCatalog.builtIn.scheduling(named: String(parameter[..<bracket]))
                let wanted = parameter[bracket...].dropFirst().dropLast()
                #expect(entry?.descriptor.parameters.contains { $0.name == wanted } == true, "\(name)")
            } else if parameter.first?.isUppercase == true {
                let words = parameter.split(separator: ".")
                let own = sources.filter { $0.path.split(separator: "/").last?.hasPrefix(words[0]) == true }
                let isThere = own.flatMap(\.lines).contains { line in
                    ["var ", "func ", "case "].contains { line.contains($0 + words[1]) }
                }
                #expect(isThere, "\(name)")
            } else {
                let keys = parameter.split(separator: ".").filter { $0 != "*" }
                #expect(keys.allSatisfy { schema.contains("\"\($0)\": {") }, "\(name)")
            }
        }
    }

    // MARK: What was found last

    /// The rows of a table of `docs/evidence/validation.md`.
    private static func rows(below heading: String) throws -> [[String]] {
        let page = try SourceTree.text("docs/evidence/validation.md")
        let part = try #require(page.components(separatedBy: "| \(heading) |\n|---").last, "\(heading)")
        return part.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().prefix { $0.hasPrefix("| ") }
            .map { line in
                line.replacing("\\|", with: "\u{1}").dropFirst(2).dropLast(2).components(separatedBy: " | ")
                    .map { $0.replacing("\u{1}", with: "|") }
            }
    }

    private static let heading =
        "experiment | id | target | found | band | verdict | strength | basis | source | to the edge | phone"

    @Test func `the page is of this version of the model, and of the targets as they are`() throws {
        let page = try SourceTree.text("docs/evidence/validation.md")
        #expect(page.contains("with version \(modelVersion) of the model"), "make validate writes it anew")
        let rows = try Self.rows(below: Self.heading)
        var shown = Set(rows.map { "\($0[0]) \($0[1]) \($0[6])" })
        for (experiment, target) in Self.asked {
            let row = "\(experiment) \(target.id) \(target.strength.rawValue)"
            #expect(rows.contains { "\($0[0]) \($0[1]) \($0[6])" == row }, "\(row): make validate writes it anew")
            shown.remove(row)
        }
        #expect(shown.isEmpty, "no longer asked")
    }

    @Test func `the known misses are those of the page, no more and no fewer`() throws {
        let path = SourceTree.root.appending(path: "\(Self.folder)/\(KnownMissFile.name)").path()
        let misses = try KnownMissFile.load(path: path)
        let rows = try Self.rows(below: Self.heading)
        #expect(Set(misses.map { "\($0.experiment) \($0.id) \($0.point)" }).count == misses.count)
        for row in rows where ["strong", "medium", "control"].contains(row[6]) && row[5] != "met" {
            #expect(row[6] != "control", "a control that is missed is no known miss: \(row)")
            #expect(misses.contains { $0.experiment == row[0] && $0.id == row[1] }, "\(row)")
            #expect(row[5].hasSuffix(", known"), "\(row)")
        }
        for miss in misses {
            let found = rows.filter { $0[0] == miss.experiment && $0[1] == miss.id }
            #expect(!found.isEmpty, "\(miss.experiment) has no target \(miss.id)")
            for row in found {
                #expect(row[5] != "met", "\(miss.id) is met now")
                let value = try #require(Double(row[3].split(separator: " ")[0]))
                // The page rounds to four digits.
                let slack = 1e-3 * abs(value)
                #expect(miss.found.lowerBound - slack <= value && value <= miss.found.upperBound + slack, "\(row)")
            }
        }
    }
}
