// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics

extension Node {
    /// Returns the tree with the value at a path such as `device.memory.ram` replaced or added.
    ///
    /// A word on the path becomes `{base: word}`, so that a part of `device: iphone-13` can be changed. List items are
    /// numbered from 0. If a value on the path cannot contain the remaining keys, a problem is reported at `key`.
    public func setting(_ path: [String], to value: Node, at key: Location) -> Result<Node, Diagnostics> {
        guard let first = path.first else { return .success(value) }
        guard path.count <= Limits.depth else {
            return .failure(
                Diagnostics([
                    key.problem("the path has \(path.count) keys, but at most \(Limits.depth) are allowed")
                ]))
        }
        let rest = Array(path.dropFirst())
        switch content {
        case .scalar:
            let base = Entry(key: "base", location: location, value: self)
            let map = Node(.map(isNull ? [] : [base]), at: isNull ? key : location)
            return map.setting(path, to: value, at: key)
        case .map(var entries):
            // A key may contain dots, as the axes of a sweep do. The longest existing key is used.
            if let (index, length) = Self.longest(path, in: entries) {
                let rest = Array(path.dropFirst(length))
                return entries[index].value.setting(rest, to: value, at: key).map { changed in
                    entries[index].value = changed
                    return Node(.map(entries), at: location)
                }
            }
            let empty = Node(.map([]), at: key)
            return empty.setting(rest, to: value, at: key).map { added in
                Node(.map(entries + [Entry(key: first, location: key, value: added)]), at: location)
            }
        case .list(var items):
            guard let index = Int(first), items.indices.contains(index) else {
                let hint = items.isEmpty ? "the list is empty" : "items are numbered 0 to \(items.count - 1)"
                return .failure(Diagnostics([key.problem("no item \"\(first)\" in the list", hint: hint)]))
            }
            return items[index].setting(rest, to: value, at: key).map { changed in
                items[index] = changed
                return Node(.list(items), at: location)
            }
        }
    }

    /// Finds the entry with the longest key that is a prefix of the path.
    ///
    /// Also returns the number of path parts in this key.
    private static func longest(_ path: [String], in entries: [Entry]) -> (index: Int, length: Int)? {
        var lengths: [String: Int] = [:]
        var name = ""
        for (index, part) in path.enumerated() {
            name += index == 0 ? part : "." + part
            lengths[name] = index + 1
        }
        let known = entries.indices.lazy.compactMap { index in
            lengths[entries[index].key].map { (index: index, length: $0) }
        }
        return known.max { $0.length < $1.length }
    }

    /// Returns the tree after one `key=value` option.
    ///
    /// The value is read as YAML.
    ///
    /// - Parameter paths: Maps whose keys are paths, such as `sweep.axes`. The part of `key` after such a path is one
    ///   key.
    public func setting(
        key: String, value: String, option: String = "--set", paths: [String] = []
    ) -> Result<Node, Diagnostics> {
        let line = "\(key)=\(value)"
        let source = SourceText(name: option, text: line)
        let keyLocation = Location(source: source, line: 1, column: 1, length: max(1, key.unicodeScalars.count))
        var path = key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        if let map = paths.first(where: { key.hasPrefix($0 + ".") }) {
            path = map.split(separator: ".").map(String.init) + [String(key.dropFirst(map.count + 1))]
        }
        guard !key.isEmpty, path.allSatisfy({ !$0.isEmpty }) else {
            let hint = "for instance device.memory.ram=3 GiB"
            return .failure(Diagnostics([keyLocation.problem("expected key=value with a path of keys", hint: hint)]))
        }
        // The value is parsed after as many spaces as there are characters before it, so that positions refer to the
        // whole line.
        let padding = String(repeating: " ", count: key.unicodeScalars.count + 1)
        return YAML.parse(SourceText(name: option, text: padding + value)).mapError { problems in
            problems.map { Diagnostic($0.message, at: $0.location, line: line, hint: $0.hint) }
        }.flatMap { node in setting(path, to: node.moved(to: source), at: keyLocation) }
    }

    /// Returns the tree with the positions moved to another text of the same shape.
    private func moved(to source: SourceText) -> Node {
        var node = self
        node.location.source = source
        switch content {
        case .scalar: break
        case .list(let items): node.content = .list(items.map { $0.moved(to: source) })
        case .map(let entries):
            node.content = .map(
                entries.map { entry in
                    var entry = entry
                    entry.location.source = source
                    entry.value = entry.value.moved(to: source)
                    return entry
                })
        }
        return node
    }

    /// Merges this map into another.
    ///
    /// Keys of this map have precedence; maps are merged, and other values are replaced.
    ///
    /// A value with its source, `{value: …, source: …}`, is replaced as a whole. If a map replaces a word, the word
    /// becomes the base of the map.
    public func laid(over base: Node) -> Node {
        guard case .map(let own) = content, self["value"] == nil else { return self }
        if base.scalar != nil, self["base"] == nil, !own.isEmpty {
            return Node(.map([Entry(key: "base", location: base.location, value: base)] + own), at: location)
        }
        guard case .map(var entries) = base.content, base["value"] == nil else { return self }
        // A map that was read has unique keys.
        let indices = Dictionary(zip(entries.map(\.key), entries.indices), uniquingKeysWith: { first, _ in first })
        for entry in own {
            if let index = indices[entry.key] {
                entries[index].value = entry.value.laid(over: entries[index].value)
                entries[index].location = entry.location
            } else {
                entries.append(entry)
            }
        }
        return Node(.map(entries), at: location)
    }

    /// Node at a path of keys and list indices; nil if there is no such node.
    public func at(_ path: [String]) -> Node? {
        guard let first = path.first else { return self }
        let rest = Array(path.dropFirst())
        switch content {
        case .scalar: return nil
        case .map: return self[first]?.at(rest)
        case .list(let items):
            return Int(first).flatMap { items.indices.contains($0) ? items[$0].at(rest) : nil }
        }
    }

    /// Returns the map without one of its keys.
    public func without(_ key: String) -> Node {
        guard case .map(let entries) = content else { return self }
        return Node(.map(entries.filter { $0.key != key }), at: location)
    }
}
