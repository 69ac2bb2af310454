// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import TestSupport

/// A sentence of a page, or a row of one of its tables, that states a figure or a guarantee.
struct Claim {
    let line: Int
    let text: String
    /// What shows it; empty if nothing does.
    let proofs: [String]
}

/// The claims of a page, each with the marker that follows it.
///
/// `<!-- shown by: A; B -->` on lines of its own binds everything between the heading or marker before it and itself.
/// A proof is a suite of tests (`TidyTests`), a test by its title (`test equal times keep their order`), a command
/// (`flotsam run experiments/leak.yaml`, `make instructions`), or `source`, where the sentences name whoever says so.
enum Claims {
    private static let opening = "<!-- shown by:"

    static func of(_ page: String) -> [Claim] {
        var claims: [Claim] = []
        /// First of the claims that the next marker binds.
        var unbound = 0
        for block in blocks(of: page) {
            if block.text.hasPrefix("#") { unbound = claims.count }
            guard block.text.hasPrefix(opening) else {
                claims += sentences(block).filter(states).map { Claim(line: block.line, text: $0, proofs: []) }
                continue
            }
            let proofs = proofs(in: block.text)
            claims[unbound...] = claims[unbound...].map { Claim(line: $0.line, text: $0.text, proofs: proofs) }[...]
            unbound = claims.count
        }
        return claims
    }

    private static func proofs(in marker: String) -> [String] {
        marker.dropFirst(opening.count).replacing("-->", with: "").split(separator: ";")
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// Paragraphs, items, table rows, headings and markers, each on one line; code is left out.
    static func blocks(of page: String) -> [(line: Int, text: String)] {
        var blocks: [(line: Int, text: String)] = []
        var isCode = false
        var continues = false
        for (index, line) in page.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let text = line.trimmingCharacters(in: .whitespaces)
            if text.hasPrefix("```") { isCode.toggle() }
            if isCode || text.isEmpty || text.hasPrefix("```") || (line.hasPrefix("    ") && !continues) {
                continues = false
                continue
            }
            let begins =
                ["|", "#", "* ", "- ", "<!--"].contains { text.hasPrefix($0) }
                || text.prefixMatch(of: #/\d+\. /#) != nil
            if continues, !begins, let last = blocks.indices.last {
                blocks[last].text += " " + text
            } else {
                blocks.append((index + 1, text))
            }
            continues = !text.hasPrefix("|") && !text.hasPrefix("#") && !text.hasSuffix("-->")
        }
        return blocks.filter { !$0.text.hasPrefix("<!-- f") && $0.text.prefixMatch(of: #/\|[-|: ]+\|$/#) == nil }
    }

    /// The sentences of a block; a row of a table is one.
    static func sentences(_ block: (line: Int, text: String)) -> [String] {
        if block.text.hasPrefix("|") { return [block.text.trimmingCharacters(in: ["|", " "])] }
        if block.text.hasPrefix("#") { return [] }
        var sentences: [String] = []
        var sentence = ""
        let words = block.text.replacing(#/^(\*|-|\d+\.) /#, with: "").split(separator: " ")
        for (word, next) in zip(words, words.dropFirst().map(Optional.some) + [nil]) {
            sentence += (sentence.isEmpty ? "" : " ") + word
            let ends = [".", "!", "?", ".)", ".*", ".\""].contains { word.hasSuffix($0) }
            let begins = next?.first.map { $0.isUppercase || "`*([\"".contains($0) } ?? true
            guard next == nil || (ends && begins) else { continue }
            sentences.append(sentence)
            sentence = ""
        }
        return sentences
    }

    /// Whether a sentence states a figure or a guarantee; names with digits in them are no figures.
    static func states(_ sentence: String) -> Bool {
        var text = sentence.replacing(#/`[^`]*`/#, with: "").replacing(#/\]\([^)]*\)/#, with: "]")
        for name in names { text = text.replacing(name, with: "") }
        if text.contains(where: \.isNumber) { return true }
        let words = text.lowercased()
        return guarantees.contains { words.contains($0) }
    }

    private static let guarantees = [
        "always", "never", "exactly", "identical", "byte for byte", "bit for bit", "the same bytes", "at most",
        "at least", "guarantee", "no matter", "whatever happens", "cannot",
    ]

    /// Years, systems, models of phones, documents, versions, numbers of observations.
    nonisolated(unsafe) private static let names = [
        #"\b(19|20)\d\d\b(-\d\d(-\d\d)?)?"#,
        #"\b(iOS|iPadOS|Android|Swift|Linux|Python|xnu|Doze)[ -]\d[\d.]*(( to |-| and |/)\d+)?"#,
        #"\bi(Phone|Pad)[ -](\w+ )?\d+\w*"#, #"\b(Pixel|Galaxy|Nexus) (\w+ )?\w*\d\w*"#,
        #"\bWWDC\d+"#,
        #"\b(session|thread|section|report|version|chapter)s? \d[\d., and]*"#,
        #"\b[VE]\d+( to [VE]?\d+)?(, [VE]?\d+)*"#, #"#\d+"#, #"xnu-[\d.]+"#, #"\bdoi:\S+"#, #"https?:\S+"#,
        #"\b(A|M)\d\d\b"#, #"\bUTF-8\b|\bGPL-3\.0\S*|\b0x\w+"#, #"\b[A-Za-z]+-\d+\b"#,
    ].compactMap { try? Regex($0) }
}
