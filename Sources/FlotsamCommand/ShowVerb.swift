// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import Diagnostics
import Recording
import Scenario

/// `flotsam show`: everything that a model says or inherits, with where it comes from.
enum ShowVerb: Verb {
    static let name = "show"
    static let summary = "Shows one device, policy or other model whole: what it inherits, sources, assumptions"
    static let example = "flotsam show device iphone-14"

    /// Words for one of a kind, and the topic of `list` that it is of.
    private static let kinds: [(word: String, topic: String)] = [
        ("policy", "policies"), ("device", "devices"), ("apps", "apps"), ("persona", "personas"),
        ("population", "populations"), ("processor", "processors"), ("radio", "radios"), ("cell", "cells"),
        ("charger", "chargers"), ("system", "systems"), ("metric", "metrics"), ("table", "tables"),
    ]

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        let json = arguments.flag("--json", help: "Print JSON")
        let words = arguments.operands(
            "KIND NAME", help: kinds.map(\.word).joined(separator: ", ") + "; then the name of one", 2...2,
            choices: kinds.map(\.word))
        let topic = words.first.flatMap { word in kinds.first { [$0.word, $0.topic].contains(word) }?.topic }
        if let word = words.first, topic == nil {
            arguments.report("cannot show \"\(word)\"", hint: nameHint(word, in: kinds.map(\.word)))
        }
        if let code = arguments.settled() { return code }
        guard let topic, words.count == 2 else { return ExitCode.usage }
        guard topic == "apps" else { return try ListVerb.show(topic, words[1], json: json, setting) }
        let listing = try listing(.apps, words[1], .located())
        return json
            ? Console.out(listing.json.pretty) : Console.page(listing.text(width: Console.terminal?.columns))
    }

    /// Every value of a model.
    static func listing(
        _ kind: ModelLibrary.Kind, _ name: String, _ library: ModelLibrary
    ) throws(Diagnostics) -> Listing {
        let model = try library.shown(kind, named: name)
        let summary = library.summaries(kind).first { $0.name == name }?.text ?? ""
        var listing = Listing(["key", "value", "from", "why"])
        listing.head = "\(kind.noun) \(name)" + (summary.isEmpty ? "" : ": \(summary)") + "\n"
        listing.head += model.files.first ?? ""
        let bases = model.files.dropFirst()
        listing.head += (bases.isEmpty ? "" : ", which begins from \(bases.joined(separator: ", "))") + "\n\n"
        for value in model.values {
            let shown = value.text.count > 44 ? value.text.prefix(43) + "…" : value.text[...]
            let file = value.file.split(separator: "/").last.map(String.init) ?? value.file
            listing.add(
                Listing.Cell(value.key), Listing.Cell(String(shown), .string(value.text)),
                Listing.Cell("\(file):\(value.line)", .string("\(value.file):\(value.line)")),
                Listing.Cell((value.isAssumed ? "assumption: " : "") + value.source))
        }
        return listing
    }
}
