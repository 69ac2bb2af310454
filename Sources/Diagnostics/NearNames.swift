// SPDX-License-Identifier: GPL-3.0-or-later

/// Largest number of names in a hint.
private let shownNames = 5

/// Hint for an unknown name: the nearest valid name, or up to five valid names.
///
/// - Parameters:
///   - word: The unknown name.
///   - names: The valid names.
///   - prefix: Text before the names if no name is near.
///   - alike: Text that replaces `prefix` if names of a long list have letters in common with the word.
///   - all: Command that prints all names, for lists that are longer than a hint.
/// - Returns: The hint; nil if there are no valid names.
public func nameHint(
    _ word: String, in names: [String], prefix: String = "one of: ", alike: String? = nil, all: String? = nil
) -> String? {
    let near = nearest(to: word, in: names)
    // A name with the same characters in another order is a typing mistake. A number above the highest one is not.
    if let near, near.utf8.sorted() == word.utf8.sorted() { return "did you mean \"\(near)\"?" }
    if let last = lastOfSeries(word, names) { return "the last name of this kind is \"\(last)\"" }
    if let near { return "did you mean \"\(near)\"?" }
    return listHint(word, of: names, prefix: prefix, alike: alike, all: all)
}

/// Last name of the numbered series that the word belongs to; nil unless the word's number is above all numbers of the
/// series.
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

/// Hint that lists the valid names.
///
/// If there are more than five valid names, the hint contains the five most similar ones and the total number.
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

/// All groups of three consecutive letters, which identify names with a common part.
private func triples(_ word: String) -> [String] {
    let letters = Array(word.lowercased())
    guard letters.count > 2 else { return [String(letters)] }
    return (0...letters.count - 3).map { String(letters[$0...$0 + 2]) }
}
