// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Files
import TestSupport
import Testing

@testable import Experiments

@Suite struct ReproductionTests {
    /// The page of an experiment whose text is written as it stands between the quotes of JSON.
    private func read(_ written: String, bytes: [UInt8] = []) throws -> Reproduction {
        let folder = try TemporaryFolder()
        let body =
            #"{"name": "a", "replications": 1, "fingerprints": [null], "versions": {}, "experiment": "#
            + #"{"path": "a.yaml", "written": "\#(written)", "overrides": []}}"#
        let page = "<html>" + Reproduction.marks.0 + body + Reproduction.marks.1 + "</html>"
        let path = folder.path + "/page.html"
        try replaceFile(path) { try $0.write(Array(page.utf8) + bytes) }
        return try Reproduction(page: path)
    }

    @Test func `an emoji of the experiment comes back, however the page writes it`() throws {
        for written in ["name: 🦭", #"name: \ud83e\uddad"#, #"name: \uD83E\uDDAD"#] {
            #expect(try read(written).written == "name: 🦭")
        }
    }

    @Test(arguments: [
        (#"name: \ud83e"#, "half of a surrogate pair"), (#"name: \udead"#, "half of a surrogate pair"),
        ("a\nb", "escaped"),
    ])
    func `a page whose experiment cannot be read back whole is refused`(written: String, expected: String) {
        let problems = #expect(throws: Diagnostics.self) { try read(written) }
        #expect(problems?.description.contains("is not valid JSON at byte ") == true)
        #expect(problems?.description.contains(expected) == true)
    }

    @Test func `a page that is not UTF-8 is refused`() {
        let problems = #expect(throws: Diagnostics.self) { try read("name: a", bytes: [0xff]) }
        #expect(problems?.description.contains("not UTF-8 text: the byte 0xff") == true)
    }
}
