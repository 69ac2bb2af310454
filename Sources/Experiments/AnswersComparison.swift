// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Files
import Measures
import Phone
import Recording
import Scenario
import Statistics

/// Answers about an app that an earlier `flotsam ask` wrote.
public struct EarlierAnswers: Sendable {
    /// Path of the file.
    public let path: String
    /// Values of each figure by its key `question.figure`, with one value per replication.
    let values: [String: [Double]]
    let seed: String
    let users: [String: String]

    /// Largest size of a file of answers, in bytes.
    private static let largest = 64 << 20
    /// Largest plausible value of an answer (an assumption).
    ///
    /// Sums of squares of such values do not overflow.
    private static let largestValue = 1e15

    /// Reads a file that `flotsam ask --json` wrote, or the file `answers.json` in a directory of results.
    ///
    /// - Throws: `Diagnostics` when the file has another format, or comes from another version of the model.
    public init(_ path: String) throws {
        let file = isDirectory(path) ? FilePath.join(path, "answers.json") : path
        try self.init(bytes: readFile(file, upTo: Self.largest), of: file)
    }

    /// Reads the content of a file of answers.
    ///
    /// - Throws: `Diagnostics` when the file has another format, or comes from another version of the model.
    package init(bytes: [UInt8], of file: String) throws {
        guard let json = try? JSONValue(parsing: bytes),
            let answers = json["answers"]?.array, let seed = json["seed"]?.string, let model = json["model"]?.string
        else {
            throw Diagnostics(
                "\(file) contains no answers of flotsam ask", hint: "flotsam ask APP.yaml --json > baseline.json")
        }
        guard model == modelVersion else {
            throw Diagnostics(
                "\(file) was made with model \(model), but this program has model \(modelVersion)",
                hint: "run flotsam ask --json again for the app as it was before the change")
        }
        var values: [String: [Double]] = [:]
        for answer in answers {
            for figure in answer["figures"]?.array ?? [] {
                guard let question = answer["question"]?.string, let name = figure["name"]?.string else { continue }
                values[question + "." + name] = (figure["values"]?.array ?? []).map { $0.number ?? .nan }
            }
        }
        guard values.values.allSatisfy({ $0.allSatisfy { !(abs($0) > Self.largestValue) } }) else {
            throw Diagnostics(
                "\(file) contains a number that is too large for an answer",
                hint: "run flotsam ask --json again for the app as it was before the change")
        }
        path = file
        users = Dictionary(
            uniqueKeysWithValues: AppStudy.keysOfUsers.compactMap { key in
                json["users"]?[key]?.string.map { (key, $0) }
            })
        (self.values, self.seed) = (values, seed)
    }
}

extension AppStudy {
    /// Keys of an experiment that, apart from the seed and the app, determine its users and their phone.
    static let keysOfUsers = ["start", "duration", "warmup", "device", "apps", "user"]

    /// Checksums of the values of `keysOfUsers`, with all models expanded.
    public var users: [String: String] {
        guard let whole = try? JSONValue(parsing: Array(experiment.resolvedText.utf8))["experiment"] else { return [:] }
        return Dictionary(
            uniqueKeysWithValues: Self.keysOfUsers.compactMap { key in
                whole[key].map { (key, hexadecimal(Checksum.of($0.compact.utf8))) }
            })
    }
}

/// Changes in the answers about an app since an earlier run with the same users.
public struct AnswersComparison: Sendable {
    /// A figure, its earlier value and its value now.
    public struct Line: Sendable {
        /// Names of the question and the figure, such as `cold.cold_share`.
        public let name: String
        /// Unit of the figure.
        public let unit: String
        /// Change of the figure: now minus before.
        public let paired: PairedComparison
        /// Direction that is better for the app.
        public let better: Metric.Direction

        /// Worsening as a share of the earlier value; zero if the figure is not significantly worse.
        public var worsening: Double {
            let isWorse = better == .lower ? paired.low > 0 : better == .higher ? paired.high < 0 : false
            guard isWorse else { return 0 }
            return paired.baselineMean == 0 ? .infinity : abs(paired.relative)
        }

        /// Whether the figure is significantly better.
        public var isBetter: Bool { better == .lower ? paired.high < 0 : better == .higher ? paired.low > 0 : false }
    }

    /// Figures that are in both sets of answers.
    public let lines: [Line]

    /// Compares two sets of answers figure by figure; the intervals are corrected for the number of figures.
    ///
    /// - Throws: `Diagnostics` when the users or the phone differ, or when no figure is in both sets.
    public init(_ now: AppAnswers, _ before: EarlierAnswers) throws(Diagnostics) {
        let study = now.study
        guard before.seed == String(study.experiment.seed) else {
            throw Diagnostics(
                "\(before.path) has seed \(before.seed) and the experiment has seed \(study.experiment.seed), so "
                    + "their users differ",
                hint: "make both sets of answers with the same seed")
        }
        let users = study.users
        if let other = AppStudy.keysOfUsers.first(where: { key in before.users[key].map { $0 != users[key] } ?? false })
        {
            throw Diagnostics(
                "the value of \(other) differs from the one in \(before.path), so the users or the phone differ",
                hint: "make both sets of answers with the same \(other)")
        }
        let figures = now.answers.flatMap { answer in
            answer.figures.filter { $0.better != .neutral }.map { (name: answer.name + "." + $0.name, figure: $0) }
        }
        let both = figures.compactMap { one in before.values[one.name].map { (one.name, one.figure, $0) } }
        // Only replications that every figure has are used, because the lists in a file may have any length.
        let count = both.map { min($0.1.values.count, $0.2.count) }.min() ?? 0
        let found = both.map { (name: $0.0, figure: $0.1, before: $0.2.prefix(count), now: $0.1.values.prefix(count)) }
            .filter { zip($0.before, $0.now).contains { $0.isFinite && $1.isFinite } }
        guard !found.isEmpty else {
            throw Diagnostics("\(before.path) has no figure in common with these answers")
        }
        let level = study.experiment.analysis.level
        let differences = found.map { zip($0.before, $0.now).map { PairedComparison.change(from: $0, to: $1) } }
        let flips = SignFlips(differences, level: level)
        lines = found.map { one in
            let pairs = zip(one.before, one.now).filter { $0.isFinite && $1.isFinite }
            let paired = PairedComparison(baseline: pairs.map(\.0), alternative: pairs.map(\.1), level: level)
            return Line(
                name: one.name, unit: one.figure.unit, paired: paired.reaching(standardErrors: flips.reach),
                better: one.figure.better)
        }
    }

    /// Whether any figure is significantly worse by more than this share of its earlier value.
    public func exceeds(_ limit: Double) -> Bool { lines.contains { $0.worsening > limit } }
}
