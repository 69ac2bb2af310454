// SPDX-License-Identifier: GPL-3.0-or-later

/// Most names that a hint shows.
private let shownNames = 5

/// Hint for an unknown name: the nearest valid name, or up to five valid names.
///
/// - Parameters:
///   - word: the unknown name.
///   - names: the valid names.
///   - prefix: text in front of the names when none is near.
///   - alike: text used instead of `prefix` where some names of a long list share a part with the word.
///   - all: the command that lists all of them, for lists longer than a hint.
/// - Returns: the hint; nil where there are no names.
public func nameHint(
    _ word: String, in names: [String], prefix: String = "one of: ", alike: String? = nil, all: String? = nil
) -> String? {
    let near = nearest(to: word, in: names)
    // The same characters in another order are a slip; a number above the highest is none.
    if let near, near.utf8.sorted() == word.utf8.sorted() { return "did you mean \"\(near)\"?" }
    if let last = lastOfSeries(word, names) { return "the last of them is \"\(last)\"" }
    if let near { return "did you mean \"\(near)\"?" }
    return listHint(word, of: names, prefix: prefix, alike: alike, all: all)
}

/// Highest name of a numbered series that the word belongs to, where the word's number is above all of them.
private func lastOfSeries(_ word: String, _ names: [String]) -> String? {
    func parts(_ name: String) -> (stem: Substring, number: Double)? {
        guard let hyphen = name.lastIndex(of: "-"), let number = Double(name[name.index(after: hyphen)...]) else {
            return nil
        }
        return (name[...hyphen], number)
    }
    guard word.utf8.count < 100, let wanted = parts(word) else { return nil }
    let series = names.compactMap { name in parts(name).map { (name: name, parts: $0) } }
        .filter { $0.parts.stem == wanted.stem }
    guard series.count > 1, let last = series.max(by: { $0.parts.number < $1.parts.number }),
        wanted.number > last.parts.number
    else { return nil }
    return last.name
}

/// List of the valid names; of more than five those most like the word, and their total number.
public func listHint(
    _ word: String, of names: [String], prefix: String = "one of: ", alike: String? = nil, all: String? = nil
) -> String? {
    if names.isEmpty { return nil }
    if names.count <= shownNames { return prefix + names.joined(separator: ", ") }
    let wanted = Set(triples(word.excerpt))
    let likeness = names.prefix(comparedNames).map { triples($0.excerpt).filter(wanted.contains).count }
    let ranked = likeness.indices.sorted { (likeness[$1], $0) < (likeness[$0], $1) }
    let shown = ranked.prefix(shownNames).map { names[$0] }.joined(separator: ", ")
    let isLike = likeness.contains { $0 > 0 }
    let rest = ", … (\(names.count) in all" + (all.map { "; \($0) shows them" } ?? "") + ")"
    return (isLike ? alike ?? prefix : prefix) + shown + rest
}

/// All groups of three successive letters, which are used to find names that share a part.
private func triples(_ word: String) -> [String] {
    let letters = Array(word.lowercased())
    guard letters.count > 2 else { return [String(letters)] }
    return (0...letters.count - 3).map { String(letters[$0...$0 + 2]) }
}
