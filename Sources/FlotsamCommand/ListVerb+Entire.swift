// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Recording
import Scenario

extension ListVerb {
    /// Every value of a model.
    static func entire(
        _ kind: ModelLibrary.Kind, _ name: String, _ library: ModelLibrary
    ) throws(Diagnostics) -> Listing {
        let model = try library.shown(kind, named: name)
        let summary = library.summaries(kind).first { $0.name == name }?.text ?? ""
        var listing = Listing(["key", "value", "from", "why"])
        listing.head = "\(kind.noun) \(name)" + (summary.isEmpty ? "" : ": \(summary)") + "\n"
        listing.head += model.files.first ?? ""
        let bases = model.files.dropFirst()
        listing.head += (bases.isEmpty ? "" : ", which is based on \(bases.joined(separator: ", "))") + "\n\n"
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
