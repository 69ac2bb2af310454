// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Files
import Phone
import Recording

/// Data in a report page that others need to repeat its results and to compare theirs.
public struct Reproduction: Sendable {
    /// Result of the comparison of repeated runs with the page.
    public struct Findings: Sendable, Equatable {
        /// Number of repeated runs.
        public let runs: Int
        /// Numbers of the runs whose events differ from those on the page.
        public let different: [Int]
        /// Versions that differ, each with its value on the page and its value on this machine.
        public let versions: [String]
        /// Whether runs differ although all versions are equal.
        public var isContradiction: Bool { !different.isEmpty && versions.isEmpty }
    }

    /// Texts before and after the data in a page.
    static let marks = ("<script type=\"application/json\" id=\"flotsam-results\">", "</script>")
    /// Versions on which results may depend, besides the experiment.
    private static let named = [
        ("model", "model"), ("gsl", "GSL"), ("c_library", "C library"), ("arithmetic", "arithmetic of the processor"),
    ]

    /// Name of the experiment.
    public let name: String
    /// Path of the experiment file on the machine that made the page.
    public let path: String
    /// Text of the experiment file.
    public let written: String
    /// Settings that the command line made.
    public let overrides: [String]
    /// Number of replications on the page.
    public let replications: Int
    private let fingerprints: [String?]
    private let versions: JSONValue

    /// Reads the data of a page.
    ///
    /// - Throws: `Diagnostics` when the file is no report page, or `FileError`.
    public init(page file: String) throws {
        let bytes = try readFile(file)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Diagnostics([Diagnostic.notUTF8(bytes, file: file)])
        }
        let strange = Diagnostics(
            "\(file) is not a page that this version of flotsam report wrote", hint: "flotsam report DIR writes one")
        guard let (_, rest) = text.parted(at: Self.marks.0), let (body, _) = rest.parted(at: Self.marks.1) else {
            throw strange
        }
        let json: JSONValue
        do {
            json = try JSONValue(parsing: String(body))
        } catch {
            throw Diagnostics(
                "the experiment in \(file) is \(error) (positions count from its beginning)",
                hint: "flotsam report DIR writes the page anew")
        }
        guard let experiment = json["experiment"],
            let name = json["name"]?.string, let path = experiment["path"]?.string,
            let written = experiment["written"]?.string, let replications = json["replications"]?.integer,
            let fingerprints = json["fingerprints"]?.array, let versions = json["versions"], replications > 0
        else { throw strange }
        // The name is later used as the name of a folder.
        guard NameRule.allows(name) else {
            throw Diagnostics("the name of the experiment in \(file) is not allowed")
        }
        self.name = name
        self.path = path
        self.written = written
        self.replications = replications
        overrides = (experiment["overrides"]?.array ?? []).compactMap(\.string)
        self.fingerprints = fingerprints.map(\.string)
        self.versions = versions
    }

    /// Path of the experiment file: the path on the page, if that file exists here and is unchanged.
    ///
    /// Otherwise the text on the page is written to a file next to the new results.
    ///
    /// - Throws: `Diagnostics` when that file already exists with another content, or `FileError`.
    public func experimentFile(beside directory: String) throws -> String {
        if let bytes = try? readFile(path), bytes.elementsEqual(written.utf8) { return path }
        let file = directory + ".yaml"
        if FilePath.exists(file), !(try readFile(file).elementsEqual(written.utf8)) {
            throw Diagnostics(
                "\(file) contains a different experiment than the page", hint: "name another directory with -o")
        }
        if FilePath.folder(of: file) != "." { try createDirectory(FilePath.folder(of: file)) }
        try replaceFile(file, with: written)
        return file
    }

    /// Compares the repeated runs of a plan with the page.
    public func findings(_ plan: Plan, _ store: RunStore) -> Findings {
        let done = plan.runs.filter { store[$0.number] != nil && $0.number < fingerprints.count }
        let different = done.filter { run in
            fingerprints[run.number] != store[run.number].map { hexadecimal($0.outcome.fingerprint) }
        }
        let own = HostDescription.versions
        return Findings(
            runs: done.count, different: different.map(\.number),
            versions: Self.named.filter { own[$0.0] != versions[$0.0] }.map { key, words in
                "\(words) \(versions[key]?.string ?? "unknown") there, \(own[key]?.string ?? "unknown") here"
            })
    }
}

extension StringProtocol {
    /// The parts of a text before and after the first occurrence of a mark.
    fileprivate func parted(at mark: String) -> (SubSequence, SubSequence)? {
        var start = startIndex
        while let found = self[start...].firstIndex(of: mark[mark.startIndex]) {
            if self[found...].hasPrefix(mark) {
                return (self[..<found], self[index(found, offsetBy: mark.count)...])
            }
            start = index(after: found)
        }
        return nil
    }
}
