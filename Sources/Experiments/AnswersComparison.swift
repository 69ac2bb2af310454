// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Files
import Measures
import Phone
import Recording
import Scenario
import Statistics

/// Answers about an app as an earlier `flotsam ask` wrote them.
public struct EarlierAnswers: Sendable {
    /// The file.
    public let path: String
    /// A figure's values, one per replication, by the names of its question and its own.
    let values: [String: [Double]]
    let seed: String

    /// What a file of answers may hold at most.
    private static let largest = 64 << 20

    /// Reads a file of `flotsam ask --json`, or the one in a directory of results.
    ///
    /// - Throws: `Diagnostics` when it is none, or of another version of the model.
    public init(_ path: String) throws {
        let file = isDirectory(path) ? FilePath.join(path, "answers.json") : path
        guard let json = try? JSONValue(parsing: try readFile(file, upTo: Self.largest)),
            let answers = json["answers"]?.array, let seed = json["seed"]?.string, let model = json["model"]?.string
        else {
            throw Diagnostics(
                "\(file) holds no answers of flotsam ask", hint: "flotsam ask APP.yaml --json > baseline.json")
        }
        guard model == modelVersion else {
            throw Diagnostics(
                "\(file) was made with model \(model), this program has model \(modelVersion)",
                hint: "ask again with the app as it was")
        }
        var values: [String: [Double]] = [:]
        for answer in answers {
            for figure in answer["figures"]?.array ?? [] {
                guard let question = answer["question"]?.string, let name = figure["name"]?.string else { continue }
                values[question + "." + name] = (figure["values"]?.array ?? []).map { $0.number ?? .nan }
            }
        }
        (self.path, self.values, self.seed) = (file, values, seed)
    }
}

/// What became of the answers about an app since they were last asked, on the same users.
public struct AnswersComparison: Sendable {
    /// One figure of both.
    public struct Line: Sendable {
        /// The question and the figure: `cold.cold_share`.
        public let name: String
        /// Its unit.
        public let unit: String
        /// The value of now less that of before.
        public let paired: PairedComparison
        /// Which way the app is better off.
        public let better: Metric.Direction

        /// How much worse it surely got, as a share of what it was; zero where it did not, or may not have.
        public var worsening: Double {
            let isWorse = better == .lower ? paired.low > 0 : better == .higher ? paired.high < 0 : false
            guard isWorse else { return 0 }
            return paired.baselineMean == 0 ? .infinity : abs(paired.relative)
        }

        /// Whether it surely got better.
        public var isBetter: Bool { better == .lower ? paired.high < 0 : better == .higher ? paired.low > 0 : false }
    }

    /// The figures that both have.
    public let lines: [Line]

    /// Compares figure by figure; the intervals are corrected for being looked at together.
    ///
    /// - Throws: `Diagnostics` when the two are not of the same users.
    public init(_ now: AppAnswers, _ before: EarlierAnswers) throws(Diagnostics) {
        let study = now.study
        guard before.seed == String(study.experiment.seed) else {
            throw Diagnostics(
                "\(before.path) has seed \(before.seed), the experiment \(study.experiment.seed): "
                    + "these are other users",
                hint: "ask both with the same seed")
        }
        var found: [(name: String, figure: Figure, before: [Double], now: [Double])] = []
        for answer in now.answers {
            for figure in answer.figures where figure.better != .neutral {
                guard let old = before.values[answer.name + "." + figure.name], !old.isEmpty else { continue }
                let count = min(old.count, figure.values.count)
                let pairs = zip(old.prefix(count), figure.values.prefix(count))
                guard pairs.contains(where: { $0.isFinite && $1.isFinite }) else { continue }
                found.append(
                    (
                        answer.name + "." + figure.name, figure, Array(old.prefix(count)),
                        Array(figure.values.prefix(count))
                    ))
            }
        }
        guard let count = found.map(\.now.count).min() else {
            throw Diagnostics("\(before.path) has no figure in common with these answers")
        }
        let level = study.experiment.analysis.level
        let differences = found.map { one in
            (0..<count).map { PairedComparison.change(from: one.before[$0], to: one.now[$0]) }
        }
        let flips = SignFlips(differences, level: level)
        lines = found.map { one in
            let pairs = (0..<count).map { (one.before[$0], one.now[$0]) }.filter { $0.isFinite && $1.isFinite }
            let paired = PairedComparison(baseline: pairs.map(\.0), alternative: pairs.map(\.1), level: level)
            return Line(
                name: one.name, unit: one.figure.unit, paired: paired.reaching(standardErrors: flips.reach),
                better: one.figure.better)
        }
    }

    /// Whether something got worse by more than a share of what it was.
    public func exceeds(_ limit: Double) -> Bool { lines.contains { $0.worsening > limit } }
}
