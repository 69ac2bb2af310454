// SPDX-License-Identifier: GPL-3.0-or-later
import CYAML
import Diagnostics

/// Reads YAML into a tree of nodes.
public enum YAML {
    /// Reads a file.
    public static func load(path: String) -> Result<Node, Diagnostics> {
        SourceText.read(path: path).flatMap(parse)
    }

    /// Reads a text.
    ///
    /// An empty text is a null.
    public static func parse(_ source: SourceText) -> Result<Node, Diagnostics> {
        var parser = yaml_parser_t()
        guard yaml_parser_initialize(&parser) == 1 else {
            return .failure(Diagnostics("no memory for the YAML parser"))
        }
        defer { yaml_parser_delete(&parser) }
        var text = source.text
        return text.withUTF8 { bytes in
            if let problem = excess(bytes, source) { return .failure(problem) }
            yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING)
            yaml_parser_set_input_string(&parser, bytes.baseAddress, bytes.count)
            return readDocument(&parser, source)
        }
    }

    /// Problem for a file with too much nesting, or with too many names or directives.
    ///
    /// The work of libyaml is quadratic in these numbers.
    private static func excess(_ bytes: UnsafeBufferPointer<UInt8>, _ source: SourceText) -> Diagnostics? {
        func problem(_ message: String, line: Int, column: Int) -> Diagnostics {
            Diagnostics([
                Node.Location(source: source, line: line, column: column, length: 1).problem(message)
            ])
        }
        let directives = source.lines.indices.lazy.filter { source.lines[$0].utf8.first == UInt8(ascii: "%") }
        if let index = directives.dropFirst(Limits.directives).first {
            return problem(
                "the file has more than \(Limits.directives) lines that begin with %", line: index + 1, column: 1)
        }
        var parser = yaml_parser_t()
        guard yaml_parser_initialize(&parser) == 1 else { return nil }
        defer { yaml_parser_delete(&parser) }
        yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(&parser, bytes.baseAddress, bytes.count)
        var (depth, anchors, aliases) = (0, 0, 0)
        while true {
            var event = yaml_event_t()
            guard yaml_parser_parse(&parser, &event) == 1 else { return nil }
            defer { yaml_event_delete(&event) }
            let (line, column) = (Int(event.start_mark.line) + 1, Int(event.start_mark.column) + 1)
            if event.hasAnchor { anchors += 1 }
            if anchors > Limits.anchors {
                return problem(
                    "the file defines more than \(Limits.anchors) names with \"&\"", line: line, column: column)
            }
            switch event.type {
            case YAML_STREAM_END_EVENT, YAML_NO_EVENT: return nil
            case YAML_SEQUENCE_START_EVENT, YAML_MAPPING_START_EVENT:
                depth += 1
                guard depth > Limits.depth else { continue }
                return problem("lists and maps are nested more than \(Limits.depth) deep", line: line, column: column)
            case YAML_ALIAS_EVENT:
                aliases += 1
                guard aliases > Limits.aliases else { continue }
                return problem(
                    "the file uses names with \"*\" more than \(Limits.aliases) times", line: line, column: column)
            case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: depth -= 1
            default: continue
            }
        }
    }

    private static func readDocument(_ parser: inout yaml_parser_t, _ source: SourceText) -> Result<Node, Diagnostics> {
        var document = yaml_document_t()
        guard yaml_parser_load(&parser, &document) == 1 else { return .failure(syntaxProblem(parser, source)) }
        defer { yaml_document_delete(&document) }
        guard let root = yaml_document_get_root_node(&document) else {
            let location = Node.Location(source: source, line: 1, column: 1, length: 1)
            return .success(Node(.scalar("", quoted: false), at: location))
        }
        var builder = TreeBuilder(source: source)
        let node = builder.build(root.pointee, in: &document, depth: 0)
        if builder.problems.isEmpty, let problem = problemAfter(&parser, source) { return .failure(problem) }
        guard let node, builder.problems.isEmpty else { return .failure(builder.problems) }
        return .success(node)
    }

    /// Problem after the first document: invalid text or a second document.
    private static func problemAfter(_ parser: inout yaml_parser_t, _ source: SourceText) -> Diagnostics? {
        var document = yaml_document_t()
        guard yaml_parser_load(&parser, &document) == 1 else { return syntaxProblem(parser, source) }
        defer { yaml_document_delete(&document) }
        guard let second = yaml_document_get_root_node(&document) else { return nil }
        let location = Node.Location(
            source: source, line: Int(second.pointee.start_mark.line) + 1, column: 1, length: 1)
        return Diagnostics([location.problem("a second document begins here, but only one is read")])
    }

    private static func syntaxProblem(_ parser: yaml_parser_t, _ source: SourceText) -> Diagnostics {
        Diagnostics([YAMLMistake(parser, source).diagnostic])
    }
}

extension yaml_event_t {
    /// Whether the event defines a name for its node with `&`.
    fileprivate var hasAnchor: Bool {
        switch type {
        case YAML_SCALAR_EVENT: data.scalar.anchor != nil
        case YAML_SEQUENCE_START_EVENT: data.sequence_start.anchor != nil
        case YAML_MAPPING_START_EVENT: data.mapping_start.anchor != nil
        default: false
        }
    }
}

/// Converts libyaml's table of nodes to a tree.
///
/// Aliases become copies, so the number of nodes is limited.
private struct TreeBuilder {
    let source: SourceText
    var problems = Diagnostics()
    private var count = 0
    private var size = 0

    init(source: SourceText) { self.source = source }

    mutating func build(_ node: yaml_node_t, in document: inout yaml_document_t, depth: Int) -> Node? {
        let location = location(of: node)
        count += 1
        guard depth <= Limits.depth else {
            problems.append(location.problem("lists and maps are nested more than \(Limits.depth) deep"))
            return nil
        }
        if node.type == YAML_SCALAR_NODE { size += node.data.scalar.length }
        guard count <= Limits.nodes, size <= 2 * Limits.bytes else {
            let excess = count > Limits.nodes ? "\(Limits.nodes) values" : "\(2 * Limits.bytes >> 20) MiB"
            problems.append(
                location.problem(
                    "the file expands to more than \(excess)", hint: "use fewer names with \"*\" inside each other"))
            return nil
        }
        switch node.type {
        case YAML_SCALAR_NODE:
            let quoted = node.data.scalar.style != YAML_PLAIN_SCALAR_STYLE
            return Node(.scalar(visible(node, at: location), quoted: quoted), at: location)
        case YAML_SEQUENCE_NODE: return buildList(node, at: location, in: &document, depth: depth)
        case YAML_MAPPING_NODE: return buildMap(node, at: location, in: &document, depth: depth)
        default: return nil
        }
    }

    private mutating func buildList(
        _ node: yaml_node_t, at location: Node.Location, in document: inout yaml_document_t, depth: Int
    ) -> Node? {
        var items: [Node] = []
        let indices = node.data.sequence.items
        for index in UnsafeBufferPointer(start: indices.start, count: indices.start.distance(to: indices.top)) {
            guard let item = yaml_document_get_node(&document, index),
                let built = build(item.pointee, in: &document, depth: depth + 1)
            else { return nil }
            items.append(built)
        }
        return Node(.list(items), at: location)
    }

    private mutating func buildMap(
        _ node: yaml_node_t, at location: Node.Location, in document: inout yaml_document_t, depth: Int
    ) -> Node? {
        var entries: [Node.Entry] = []
        var lines: [String: Int] = [:]
        let pairs = node.data.mapping.pairs
        for pair in UnsafeBufferPointer(start: pairs.start, count: pairs.start.distance(to: pairs.top)) {
            guard let key = yaml_document_get_node(&document, pair.key)?.pointee,
                let value = yaml_document_get_node(&document, pair.value)?.pointee
            else { return nil }
            let keyLocation = self.location(of: key)
            guard key.type == YAML_SCALAR_NODE else {
                problems.append(keyLocation.problem("a key must be a word"))
                continue
            }
            guard key.data.scalar.length <= Limits.key else {
                problems.append(keyLocation.problem("the key has more than \(Limits.key) bytes"))
                continue
            }
            let name = visible(key, at: keyLocation)
            if let first = lines[name] {
                problems.append(
                    keyLocation.problem("the key \"\(name.excerpt)\" appears twice"), hint: { "first at line \(first)" }
                )
                continue
            }
            lines[name] = keyLocation.line
            guard let built = build(value, in: &document, depth: depth + 1) else { return nil }
            entries.append(Node.Entry(key: name, location: keyLocation, value: built))
        }
        return Node(.map(entries), at: location)
    }

    /// Text of a word.
    ///
    /// If the word contains control characters, a problem is reported.
    private mutating func visible(_ node: yaml_node_t, at location: Node.Location) -> String {
        let scalar = node.data.scalar
        let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
        if let control = text.firstControl {
            problems.append(
                location.problem("the text contains the control character \(control)", hint: "leave the character out"))
        }
        return text
    }

    private func location(of node: yaml_node_t) -> Node.Location {
        let start = node.start_mark
        let end = node.end_mark
        let sameLine = start.line == end.line && node.type != YAML_MAPPING_NODE
        return Node.Location(
            source: source, line: Int(start.line) + 1, column: Int(start.column) + 1,
            length: sameLine ? max(1, Int(end.column) - Int(start.column)) : 1)
    }
}
