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
    let users: [String: String]

    /// What a file of answers may hold at most, in bytes.
    private static let largest = 64 << 20
    /// Beyond every rate, share and time of an answer (an assumption); far below what sums of squares can hold.
    private static let largestValue = 1e15

    /// Reads a file of `flotsam ask --json`, or the one in a directory of results.
    ///
    /// - Throws: `Diagnostics` when it is none, or of another version of the model.
    public init(_ path: String) throws {
        let file = isDirectory(path) ? FilePath.join(path, "answers.json") : path
        try self.init(bytes: readFile(file, upTo: Self.largest), of: file)
    }

    /// Reads the bytes of such a file.
    ///
    /// - Throws: `Diagnostics` when it is none, or of another version of the model.
    package init(bytes: [UInt8], of file: String) throws {
        guard let json = try? JSONValue(parsing: bytes),
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
        guard values.values.allSatisfy({ $0.allSatisfy { !(abs($0) > Self.largestValue) } }) else {
            throw Diagnostics("\(file) holds a number that no answer has", hint: "ask again with the app as it was")
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
    /// The keys of an experiment that make its users and their phone, beside the seed and the app.
    static let keysOfUsers = ["start", "duration", "warmup", "device", "apps", "user"]

    /// A checksum of each of these, with all its models laid out.
    public var users: [String: String] {
        guard let whole = try? JSONValue(parsing: Array(experiment.resolvedText.utf8))["experiment"] else { return [:] }
        return Dictionary(
            uniqueKeysWithValues: Self.keysOfUsers.compactMap { key in
                whole[key].map { (key, hexadecimal(Checksum.of($0.compact.utf8))) }
            })
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
        let users = study.users
        if let other = AppStudy.keysOfUsers.first(where: { key in before.users[key].map { $0 != users[key] } ?? false })
        {
            throw Diagnostics(
                "\(other) is another one than in \(before.path): these are other users, or another phone",
                hint: "ask both with the same \(other)")
        }
        let figures = now.answers.flatMap { answer in
            answer.figures.filter { $0.better != .neutral }.map { (name: answer.name + "." + $0.name, figure: $0) }
        }
        let both = figures.compactMap { one in before.values[one.name].map { (one.name, one.figure, $0) } }
        // The replications that all have: a file may hold lists of any lengths.
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

    /// Whether something got worse by more than a share of what it was.
    public func exceeds(_ limit: Double) -> Bool { lines.contains { $0.worsening > limit } }
}
