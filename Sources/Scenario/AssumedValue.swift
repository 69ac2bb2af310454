// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Files
import Vocabulary

/// A value of an experiment that is an assumption, with settings that make it smaller and larger.
public struct AssumedValue: Sendable {
    /// A change of the value.
    public struct Setting: Sendable, Equatable {
        /// New value.
        ///
        /// If several values change together, this is the common factor.
        public let text: String
        /// Alternative texts for `--set`, with the best first.
        ///
        /// If one is rejected, the next one is used.
        public let overrides: [[String]]
    }

    /// Assumption about the value, including its reason.
    public let assumption: Assumption
    /// Path of the value in the experiment, for instance `device.platform.awake_power`.
    public let path: String
    /// Value in the file; empty if the file omits it or if it consists of many values.
    public let written: String
    /// Change to the smaller value; nil if there is none.
    public let low: Setting?
    /// Change to the larger value; nil if there is none.
    public let high: Setting?
}

/// Finds the assumptions that can be varied, either within the interval in the file or by a share.
///
/// - Parameters:
///   - source: Text of the experiment; its `name` is used as the path of the experiment file.
///   - share: Share by which a value without an interval is made smaller and larger, between 0 and 1.
/// - Returns: The values that can be varied, and the assumptions that cannot: words, tables, temperatures and zeros.
/// - Throws: All problems of the experiment.
public func assumedValues(
    of source: SourceText, overrides: [String] = [], catalog: PolicyCatalog = .builtIn, library: ModelLibrary,
    varied share: Double
) throws(Diagnostics) -> (values: [AssumedValue], others: [Assumption]) {
    let (experiment, loader) = try read(source, overrides: overrides, catalog: catalog, library: library)
    guard let tree = loader.settable else { return ([], experiment.assumptions) }
    let files = Dictionary(
        loader.trees.paths.map { (loader.trees.library.label($0), $0) }, uniquingKeysWith: { first, _ in first })
    var values: [AssumedValue] = []
    var others: [Assumption] = []
    for assumption in experiment.assumptions {
        if let file = files[assumption.file],
            let value = AssumedValue(assumption, from: file, in: tree, varied: share)
        {
            values.append(value)
        } else {
            others.append(assumption)
        }
    }
    return (values, others)
}

extension AssumedValue {
    /// Finds the value in the expanded tree of an experiment; nil when the value cannot be varied.
    init?(_ assumption: Assumption, from file: String, in tree: Node, varied share: Double) {
        let key = assumption.key.split(separator: ".").map(String.init)
        guard let root = tree.root(of: file, holding: key) else { return nil }
        let path = (root.path + key).joined(separator: ".")
        let found = root.node.values(at: key).filter { $0.node.location.source.name == file }
        let interval = assumption.interval
        if interval.count == 2 {
            let written = found.first.flatMap { $0.node.at($0.inside) }?.label ?? ""
            let settings = interval.map { Setting($0, of: found.first, at: path, below: root.path) }
            self.init(
                assumption: assumption, path: path, written: written,
                low: settings[0].text == written ? nil : settings[0],
                high: settings[1].text == written ? nil : settings[1])
            return
        }
        guard let low = Setting(found, below: root.path, times: 1 - share),
            let high = Setting(found, below: root.path, times: 1 + share)
        else { return nil }
        let written = found.count == 1 ? found[0].node.scalar : nil
        self.init(assumption: assumption, path: path, written: written ?? "", low: low, high: high)
    }
}

/// A value in a tree.
///
/// If it is an item of a list, `node` is the list, because only the whole list can be set.
private struct FoundValue {
    let path: [String]
    let node: Node
    let inside: [String]

    func scaled(by factor: Double, rounded: Bool) -> Node? {
        guard !inside.isEmpty else { return node.scaled(by: factor, rounded: rounded) }
        guard let part = node.at(inside)?.scaled(by: factor, rounded: rounded),
            case .success(let list) = node.setting(inside, to: part, at: node.location)
        else { return nil }
        return list
    }
}

extension AssumedValue.Setting {
    /// Creates a change to a given value.
    ///
    /// If the value is an item of a list, the override sets the whole list, with only this item changed.
    fileprivate init(_ text: String, of found: FoundValue?, at path: String, below root: [String]) {
        self.text = text
        guard let found, !found.inside.isEmpty,
            case .success(let list) = found.node.setting(
                found.inside, to: Node(.scalar(text, quoted: false), at: found.node.location), at: found.node.location)
        else {
            overrides = [["\(path)=\(text)"]]
            return
        }
        overrides = [["\((root + found.path).joined(separator: "."))=\(list.label)"]]
    }

    /// Creates a change of all values by a factor; nil when none of them is a quantity.
    fileprivate init?(_ found: [FoundValue], below root: [String], times factor: Double) {
        func overrides(rounded: Bool) -> [String] {
            found.compactMap { value in
                guard let scaled = value.scaled(by: factor, rounded: rounded) else { return nil }
                return "\((root + value.path).joined(separator: "."))=\(scaled.label)"
            }
        }
        let exact = overrides(rounded: false)
        guard let first = exact.first else { return nil }
        let isSingle = found.count == 1 && found[0].node.scalar != nil
        text = isSingle ? String(first.split(separator: "=", maxSplits: 1)[1]) : "x \(factor.short)"
        let rounded = overrides(rounded: true)
        self.overrides = rounded == exact ? [exact] : [exact, rounded]
    }
}

extension Node {
    /// Finds the part of a tree that comes from a file and contains a key.
    ///
    /// If there are several, the one nearest to the root is used.
    ///
    /// For a key that the file omits, the result is the first part that comes from the file.
    fileprivate func root(of file: String, holding key: [String]) -> (path: [String], node: Node)? {
        var level: [(path: [String], node: Node)] = [([], self)]
        var whole: (path: [String], node: Node)?
        while !level.isEmpty {
            for part in level {
                if part.node.values(at: key).contains(where: { $0.node.location.source.name == file }) { return part }
                if whole == nil, (part.node.entries ?? []).contains(where: { $0.value.location.source.name == file }) {
                    whole = part
                }
            }
            level = level.flatMap { part in (part.node.entries ?? []).map { (part.path + [$0.key], $0.value) } }
        }
        return whole
    }

    /// Values at a path of keys; `*` in the path matches every key.
    ///
    /// If a value is an item of a list, the result contains the whole list.
    fileprivate func values(at key: [String]) -> [FoundValue] {
        guard let first = key.first else { return [FoundValue(path: [], node: self, inside: [])] }
        if items != nil { return at(key) == nil ? [] : [FoundValue(path: [], node: self, inside: key)] }
        let rest = Array(key.dropFirst())
        return (entries ?? []).filter { first == "*" || $0.key == first }.flatMap { entry in
            entry.value.values(at: rest).map {
                FoundValue(path: [entry.key] + $0.path, node: $0.node, inside: $0.inside)
            }
        }
    }

    /// Multiplies every quantity of a tree by a factor, but limits shares to 100 %.
    ///
    /// The result is nil for a table, and for a tree without a quantity.
    fileprivate func scaled(by factor: Double, rounded: Bool) -> Node? {
        switch content {
        case .scalar(let text, let isQuoted):
            guard !isQuoted, let scaled = scaledQuantity(text, by: factor, rounded: rounded) else { return nil }
            return Node(.scalar(scaled, quoted: false), at: location)
        case .map(let entries):
            let kept = entries.filter { !["source", "note"].contains($0.key) }
            let changed = kept.map { ($0, $0.value.scaled(by: factor, rounded: rounded)) }
            guard changed.contains(where: { $0.1 != nil }) else { return nil }
            return Node(
                .map(changed.map { Entry(key: $0.key, location: $0.location, value: $1 ?? $0.value) }), at: location)
        case .list(let items):
            let changed = items.compactMap { $0.scalar == nil ? nil : $0.scaled(by: factor, rounded: rounded) }
            return changed.count == items.count && !items.isEmpty ? Node(.list(changed), at: location) : nil
        }
    }
}

/// Multiplies a quantity such as `180 mW` by a factor; nil for words, times of day, dates, temperatures and zero.
private func scaledQuantity(_ text: String, by factor: Double, rounded: Bool) -> String? {
    let number = text.prefix { $0.isNumber || ".+-eE".contains($0) }
    let unit = text.dropFirst(number.count)
    guard let value = Double(number), value.isFinite, value != 0, !unit.contains("deg"), !unit.contains("°"),
        unit.isEmpty || unit.first == " "
    else { return nil }
    var scaled = value * factor
    if unit == " %", value <= 100 { scaled = min(scaled, 100) }
    if rounded, !number.contains(".") { scaled = scaled.rounded() }
    return scaled == value ? nil : scaled.short + unit
}

extension Double {
    /// Text with at most six decimals, without an exponent if possible.
    fileprivate var short: String {
        let digits = (self * 1e6).rounded() / 1e6
        return digits == digits.rounded() && abs(digits) < 1e15 ? String(Int64(digits)) : String(digits)
    }
}
