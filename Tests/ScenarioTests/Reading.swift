// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Testing

@testable import Scenario

/// A text as a tree.
func tree(_ text: String, name: String = "a.yaml") throws -> Node {
    try YAML.parse(SourceText(name: name, text: text)).get()
}

/// What a body reports about a text.
func problems(_ text: String, _ body: (Cursor) -> Void) throws -> Diagnostics {
    let report = ConfigReport()
    body(Cursor(try tree(text), report: report))
    return report.problems
}

/// The library that comes with the sources.
let library = ModelLibrary.located()
