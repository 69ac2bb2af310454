// SPDX-License-Identifier: GPL-3.0-or-later

/// Largest number of names that a word is compared with.
let comparedNames = 2000

/// Valid name that the user most likely meant; nil if no name is near.
///
/// A name is near if its edit distance is at most a third of the word's length. A name is also near if it is the only
/// name that begins with the word. Edits are insertions, deletions, substitutions and swaps of neighbours; case is
/// ignored. Of equally near names, the first is returned. Words of more than 100 bytes have no near name, and only the
/// first 2,000 names are compared.
public func nearest(to word: String, in names: [String]) -> String? {
    guard word.utf8.count <= 100 else { return nil }
    let names = names.prefix(comparedNames)
    let wanted = Array(word.lowercased().unicodeScalars)
    guard !wanted.isEmpty else { return nil }
    let cutoff = max(1, (wanted.count + 1) / 3)
    var best: (name: String, distance: Int)?
    for name in names where name.utf8.count <= 400 {
        let candidate = Array(name.lowercased().unicodeScalars)
        let limit = min(cutoff, best.map { $0.distance - 1 } ?? cutoff)
        guard limit >= 0, let distance = editDistance(wanted, candidate, limit: limit) else { continue }
        best = (name, distance)
    }
    if let best, best.distance < max(wanted.count, 2) { return best.name }
    let completions = names.filter { $0.lowercased().hasPrefix(word.lowercased()) }
    return completions.count == 1 ? completions[0] : nil
}

/// Number of edits between two words (optimal string alignment); nil if it is above the limit.
func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar], limit: Int) -> Int? {
    guard abs(left.count - right.count) <= limit else { return nil }
    var beforeLast = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    var row = last
    for i in left.indices {
        row[0] = i + 1
        var smallest = row[0]
        for j in right.indices {
            let same = left[i] == right[j]
            var cost = min(last[j] + (same ? 0 : 1), last[j + 1] + 1, row[j] + 1)
            if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                cost = min(cost, beforeLast[j - 1] + 1)
            }
            row[j + 1] = cost
            smallest = min(smallest, cost)
        }
        if smallest > limit { return nil }
        (beforeLast, last, row) = (last, row, beforeLast)
    }
    return last[right.count] <= limit ? last[right.count] : nil
}
