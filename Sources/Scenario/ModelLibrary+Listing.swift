// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics

extension ModelLibrary {
    /// A model with a description of one line.
    public struct Summary: Sendable, Equatable {
        /// Name in experiments.
        public let name: String
        /// First sentence of the file.
        public let text: String
        /// Path of the file.
        public let path: String
    }

    /// All models of a kind, sorted by name.
    public func summaries(_ kind: Kind) -> [Summary] {
        names(kind).compactMap { name in
            guard let path = path(kind, name), case .success(let source) = SourceText.read(path: path) else {
                return nil
            }
            return Summary(name: name, text: Self.firstSentence(of: source.lines), path: path)
        }
    }

    /// All assumptions in all model files, in the order of the files.
    ///
    /// - Throws: The problems of files that cannot be read.
    public func assumptions() throws(Diagnostics) -> [Assumption] {
        var found: [Assumption] = []
        var problems = Diagnostics()
        for kind in Kind.allCases {
            for name in names(kind) {
                guard let path = path(kind, name) else { continue }
                switch YAML.load(path: path) {
                case .success(let node): found += Assumption.all(in: node, file: label(path))
                case .failure(let failure): problems.append(contentsOf: failure)
                }
            }
        }
        guard problems.isEmpty else { throw problems }
        return found
    }

    /// First sentence of the comment at the start of a file.
    static func firstSentence(of lines: [String]) -> String {
        let comment = lines.drop { $0.hasPrefix("# yaml-language-server") }.prefix { $0.hasPrefix("#") }
            .map { $0.drop { $0 == "#" || $0 == " " } }.joined(separator: " ")
        var text = ""
        for character in comment {
            if character == " ", text.hasSuffix(".") { break }
            text.append(character)
        }
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }
}
