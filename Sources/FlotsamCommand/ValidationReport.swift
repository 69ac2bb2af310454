// SPDX-License-Identifier: GPL-3.0-or-later
import Experiments
import Measures
import Phone
import Recording
import Scenario

/// Results of all targets, for people and for programs.
struct ValidationReport {
    private var findings: [Validation.Found] = []
    private(set) var misses: [KnownMiss] = []
    /// Whether every experiment with a list of known misses was included.
    var isWhole = false

    /// Adds the findings of an experiment from its directory of results.
    mutating func add(_ experiment: Experiment, _ directory: ResultDirectory) throws {
        // The number of replications may exceed the minimum, so the directory's plan is used.
        try add(
            directory, plan: directory.plan(), targets: experiment.targets, build: Build.current,
            phones: experiment.phones)
    }

    /// Adds the findings of a directory with finished runs, for the targets in its manifest.
    mutating func add(_ directory: ResultDirectory) throws {
        let plan = try directory.plan()
        let targets = plan.targets
        if targets.isEmpty { Console.diagnose("\(directory.path): its experiment has no targets\n") }
        try add(directory, plan: plan, targets: targets, build: directory.build())
    }

    private mutating func add(
        _ directory: ResultDirectory, plan: Plan, targets: [Target], build: UInt64, phones: [Evidence.Phone] = []
    ) throws {
        let store = try RunStore(plan: plan, directory: directory, build: build)
        for finding in try TargetJudgement(plan: plan, store: store, targets: targets).findings {
            let phone = finding.pointNumber.flatMap { phones.indices.contains($0) ? phones[$0] : nil }
            findings.append((plan.name, phone, finding))
        }
    }

    /// Adds the findings of a bench.
    mutating func add(_ bench: Bench) throws {
        for finding in try BenchRun.findings(of: bench) { findings.append((bench.name, nil, finding)) }
    }

    /// Adds known misses of targets.
    mutating func add(_ known: [KnownMiss]) { misses += known }

    /// The validation of everything added so far.
    var validation: Validation { Validation(findings, misses: misses, isWhole: isWhole) }
}

/// The table and the summary that `flotsam validate` prints.
struct ValidationText {
    let validation: Validation

    /// The table, one line for each kind of target and strength, and whether all binding targets are met.
    var report: Report {
        var report = Report()
        report.give([
            "passed": .bool(!validation.isFailure), "stale": .array(validation.staleness.map { .string($0) }),
        ])
        report.table(
            "targets", validation.rows,
            [
                .left("id", "id") { Report.Cell($0.finding.target.id) },
                .left("target", "quantity") { Report.Cell(Self.subject($0.finding)) },
                .right("found", "found") { Report.Cell(Self.found($0.finding), $0.finding.found) },
                .left("band", "band") {
                    let band = $0.finding.target.band
                    return Report.Cell(
                        Self.band($0.finding.target), .array([.number(band.lowerBound), .number(band.upperBound)]))
                },
                .left("verdict", "verdict") { Report.Cell(Self.verdict($0), .string($0.finding.verdict.rawValue)) },
                .right("to the edge", "edge_distance") {
                    Report.Cell(Self.edge($0.finding), $0.finding.distanceToEdge ?? .nan)
                },
                .left("strength", "strength") { Report.Cell($0.finding.target.strength.rawValue) },
                .left("basis", "basis") {
                    Report.Cell(Self.basis($0.finding.target), .string($0.finding.target.basis.rawValue))
                },
                .left("source", "source") { Report.Cell($0.finding.target.source) },
                .data("experiment") { .string($0.experiment) }, .data("policy") { .string($0.finding.policy) },
                .data("half_width") { .number($0.finding.halfWidth) }, .data("n") { .integer($0.finding.count) },
                .data("unit") { .string($0.finding.target.unit.name) }, .data("known") { .bool($0.known != nil) },
                .data("parameter") { .string($0.finding.target.parameter) },
                .data("device") { .string($0.phone?.device ?? "") },
                .data("system") { .string($0.phone?.system ?? "") },
            ])
        report.say("\n" + summary + validation.staleness.map { "stale: \($0)\n" }.joined())
        return report
    }

    /// One line for each kind of target and strength.
    ///
    /// Predictions come first, because only they are evidence; controls come last.
    var summary: String {
        let strengths = Target.Strength.allCases.filter { $0 != .control }
        let lines = Target.Basis.allCases.flatMap { basis in strengths.map { line(basis, $0) } }
        return lines.joined() + line(nil, .control)
    }

    private func line(_ basis: Target.Basis?, _ strength: Target.Strength) -> String {
        let tally = validation.tally(basis, strength)
        if tally.count == 0 { return "" }
        let kinds: [Target.Basis: String] = [
            .prediction: "predictions of a phone", .inSample: "in-sample", .calibrated: "calibrated",
            .numerics: "numerics", .identity: "identities",
        ]
        let kind = basis.map { "\(kinds[$0] ?? ""): \(strength.rawValue)" } ?? "controls:"
        var text = "\(kind) \(tally.met) of \(tally.count) met"
        if tally.undecided > 0 { text += ", \(tally.undecided) undecided (counted as not met)" }
        if tally.known > 0 { text += ", \(tally.known) known to be missed" }
        return text + (strength.isBinding ? "\n" : " (does not count)\n")
    }

    /// `met` or `not met`, with the reason for a known miss.
    static func verdict(_ row: Validation.Row) -> String {
        let verdict = row.finding.verdict
        let text = verdict == .undecided ? "not met (undecided)" : verdict.rawValue
        return row.known == nil ? text : text + ", known"
    }

    /// Basis of a target, with the name of the fitted parameter, if any; `none` for a control.
    static func basis(_ target: Target) -> String {
        if target.strength == .control { return "none" }
        return target.parameter.isEmpty ? target.basis.rawValue : "\(target.basis.rawValue): \(target.parameter)"
    }

    /// The measured quantity, with its sweep point and divisor.
    static func subject(_ finding: TargetFinding) -> String {
        let target = finding.target
        if !target.title.isEmpty {
            return finding.point.isEmpty ? target.title : target.title + " at " + settings(finding.point)
        }
        var text = quantity(target.quantity)
        if let policy = target.policy { text += " of " + policy }
        if !finding.point.isEmpty { text += " at " + settings(finding.point) }
        if let reference = target.reference { text += " / " + below(reference, target) }
        return text
    }

    private static func below(_ reference: Target.Reference, _ target: Target) -> String {
        var parts: [String] = []
        if quantity(reference.quantity) != quantity(target.quantity) { parts.append(quantity(reference.quantity)) }
        if let policy = reference.policy { parts.append("of " + policy) }
        if !reference.point.isEmpty { parts.append("at " + settings(reference.point)) }
        return parts.joined(separator: " ")
    }

    private static func settings(_ axes: [SweepPoint.Axis]) -> String {
        axes.map { axis in
            let name = axis.path.split(separator: ".").last.map(String.init) ?? axis.path
            return "\(name) = \(axis.value)"
        }.joined(separator: ", ")
    }

    private static func quantity(_ quantity: TargetQuantity) -> String {
        switch quantity {
        case .metric(let name): return name
        case .bench(let name, let value): return "\(value) of \(name)"
        case .table(let figure):
            var text = figure.columns.joined(separator: " + ")
            if let minus = figure.minus { text += " - " + minus }
            if figure.gaps { text = "gaps of " + text }
            if text.isEmpty { text = "rows" }
            text = "\(figure.statistic.rawValue) of \(figure.table.name): \(text)"
            let conditions = figure.conditions.map { "\($0.column) \(Self.words(for: $0.requirement))" }
            return conditions.isEmpty ? text : text + " where " + conditions.joined(separator: ", ")
        }
    }

    private static func words(for requirement: TableFigure.Condition.Requirement) -> String {
        switch requirement {
        case .words(let words): "= " + words.joined(separator: " or ")
        case .range(let range): band(range)
        case .hours(let from, let to): "from \(Figures.short(from)) h to \(Figures.short(to)) h"
        }
    }

    static func found(_ finding: TargetFinding) -> String {
        let value = Figures.short(finding.found)
        guard finding.found.isFinite, finding.halfWidth.isFinite else { return value }
        return "\(value) ± \(Figures.short(finding.halfWidth, digits: 2))"
    }

    /// Distance of the value from the nearer end of the band, in percent of that end; negative outside.
    static func edge(_ finding: TargetFinding) -> String { Figures.percent(finding.distanceToEdge ?? .nan) }

    /// The band with its unit, if any.
    static func band(_ target: Target) -> String {
        band(target.band) + (target.unit.name == "1" ? "" : " " + target.unit.name)
    }

    private static func band(_ band: ClosedRange<Double>) -> String {
        if band.lowerBound == -.infinity { return "at most \(Figures.short(band.upperBound))" }
        if band.upperBound == .infinity { return "at least \(Figures.short(band.lowerBound))" }
        if band.lowerBound == band.upperBound { return "exactly \(Figures.short(band.lowerBound))" }
        return "\(Figures.short(band.lowerBound)) to \(Figures.short(band.upperBound))"
    }

    // MARK: For programs

    /// The table as `validation.csv`.
    var csv: [UInt8] {
        var out = ByteBuffer()
        out.append(
            text: "experiment,id,quantity,policy,point,relative_to,found,half_width,n,band_low,band_high,unit,"
                + "verdict,known,strength,basis,parameter,source,edge_distance\n")
        for row in validation.rows {
            let target = row.finding.target
            let texts = [
                row.experiment, target.id, Self.quantity(target.quantity), row.finding.policy,
                Self.settings(row.finding.point), target.reference.map { Self.below($0, target) } ?? "",
            ]
            for (index, text) in texts.enumerated() {
                if index > 0 { out.comma() }
                out.append(field: text)
            }
            for value in [row.finding.found, row.finding.halfWidth] { Self.append(value, &out) }
            out.comma()
            out.append(row.finding.count)
            for value in [target.band.lowerBound, target.band.upperBound] { Self.append(value, &out) }
            let words = [
                target.unit.name, row.finding.verdict.rawValue, row.known == nil ? "0" : "1", target.strength.rawValue,
                target.basis.rawValue, target.parameter, target.source,
            ]
            for text in words {
                out.comma()
                out.append(field: text)
            }
            Self.append(row.finding.distanceToEdge ?? .nan, &out)
            out.newline()
        }
        return out.bytes
    }

    private static func append(_ value: Double, _ out: inout ByteBuffer) {
        out.comma()
        if value.isFinite { out.append(value) }
    }
}
