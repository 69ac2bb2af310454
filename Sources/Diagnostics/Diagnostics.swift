// SPDX-License-Identifier: GPL-3.0-or-later

/// A collection of problems.
///
/// The first problems of each severity are kept, and the others are counted.
public struct Diagnostics: Error, Sendable {
    /// Largest number of problems of one severity that are kept.
    public static let mostKept = 50

    /// Kept problems in the order in which they were added, without duplicates.
    public private(set) var list: [Diagnostic] = []
    /// Number of added problems, including duplicates.
    public private(set) var count = 0
    /// Number of errors, including duplicates.
    public private(set) var errorCount = 0
    /// Hashes of all problems that were added.
    private var seen: Set<Int> = []
    /// Number of different problems that were not kept, by severity.
    private var rest: [Diagnostic.Severity: Int] = [:]

    /// Creates a collection of problems.
    public init(_ list: [Diagnostic] = []) { list.forEach { append($0) } }

    /// Creates a collection with one problem that has no location.
    public init(_ message: String, hint: String? = nil) { self.init([Diagnostic(message, hint: hint)]) }

    /// Whether the collection is empty.
    public var isEmpty: Bool { count == 0 }
    /// Whether at least one problem stops the program.
    public var hasErrors: Bool { errorCount > 0 }

    /// Whether another error would be kept.
    public var hasRoom: Bool { errorCount < Self.mostKept }

    /// Adds a problem.
    ///
    /// - Parameter hint: Hint for the user, which is computed only if the problem is kept.
    public mutating func append(_ diagnostic: Diagnostic, hint: () -> String? = { nil }) {
        count += 1
        if diagnostic.severity == .error { errorCount += 1 }
        guard seen.insert(Self.key(diagnostic)).inserted else { return }
        guard list.count(where: { $0.severity == diagnostic.severity }) < Self.mostKept else {
            rest[diagnostic.severity, default: 0] += 1
            return
        }
        var kept = diagnostic
        if let hint = hint() { kept.hint = hint }
        list.append(kept)
    }

    /// Adds all problems of another collection.
    public mutating func append(contentsOf other: Diagnostics) {
        other.list.forEach { append($0) }
        let (more, moreErrors) = (other.count - other.list.count, other.errorCount - other.list.count(where: \.isError))
        (count, errorCount) = (count + more, errorCount + moreErrors)
        rest.merge(other.rest, uniquingKeysWith: +)
    }

    /// Removes a problem that is the consequence of another problem.
    public mutating func remove(_ diagnostic: Diagnostic) {
        guard seen.remove(Self.key(diagnostic)) != nil else { return }
        count -= 1
        if diagnostic.isError { errorCount -= 1 }
        if let index = list.firstIndex(where: { Self.key($0) == Self.key(diagnostic) }) {
            list.remove(at: index)
        } else {
            rest[diagnostic.severity, default: 0] -= 1
        }
    }

    /// Transforms each problem.
    ///
    /// The counts do not change, so the transformation must keep the severity.
    public func map(_ transform: (Diagnostic) -> Diagnostic) -> Diagnostics {
        var result = self
        result.list = list.map(transform)
        return result
    }

    /// The collection sorted by file, line and column.
    ///
    /// Problems with a location are first.
    public var ordered: Diagnostics {
        var files: [String: Int] = [:]
        for file in list.compactMap(\.location?.file) where files[file] == nil { files[file] = files.count }
        func key(_ item: (offset: Int, element: Diagnostic)) -> (Int, Int, Int, Int) {
            guard let location = item.element.location else { return (files.count, 0, 0, item.offset) }
            return (files[location.file] ?? files.count, location.line, location.column, item.offset)
        }
        var result = self
        result.list = list.enumerated().sorted { key($0) < key($1) }.map(\.element)
        return result
    }

    /// Kept problems in the order of their locations, and the numbers of problems that were not kept.
    public var shown: [Diagnostic] {
        // Warnings are shown after the errors.
        let (errors, others) = (ordered.list.filter(\.isError), ordered.list.filter { !$0.isError })
        var shown = Self.joined(errors) + others
        if let more = rest[.error], more > 0 { shown.append(Diagnostic(Self.more(more, "error"))) }
        if let more = rest[.warning], more > 0 {
            shown.append(Diagnostic(Self.more(more, "warning"), severity: .warning))
        }
        return shown
    }

    /// The errors, with the missing keys of one map joined into one error.
    private static func joined(_ errors: [Diagnostic]) -> [Diagnostic] {
        errors.compactMap { error in
            guard let missing = error.missing else { return error }
            let keys = errors.filter { $0.location == error.location && $0.missing?.section == missing.section }
                .compactMap(\.missing)
            guard keys.count > 1 else { return error }
            return keys[0] == missing ? error.joined(keys) : nil
        }
    }

    private static func more(_ count: Int, _ noun: String) -> String {
        count == 1 ? "1 more \(noun) is not shown" : "\(count) more \(noun)s are not shown"
    }

    /// Hash of severity, location and message.
    ///
    /// The hash omits the line, which depends only on the location, and the hint, which depends on location and
    /// message.
    private static func key(_ diagnostic: Diagnostic) -> Int {
        var hasher = Hasher()
        hasher.combine(diagnostic.severity)
        hasher.combine(diagnostic.location)
        hasher.combine(diagnostic.message)
        return hasher.finalize()
    }
}

extension Diagnostic {
    fileprivate var isError: Bool { severity == .error }

    /// Joins the missing keys of one map into one error.
    fileprivate func joined(_ keys: [MissingKey]) -> Diagnostic {
        let names = keys.map { "\"\($0.key)\"" }
        let list = names.dropLast().joined(separator: ", ") + " and " + names[names.count - 1]
        let examples = keys.compactMap { key in key.example.map { "\n    \(key.key): \($0)" } }
        return Diagnostic(
            "the keys \(list) are missing\(missing?.section ?? "")", at: location, line: line,
            hint: examples.isEmpty ? nil : "for instance" + examples.joined(), severity: severity)
    }
}
