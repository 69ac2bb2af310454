// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Testing

@Suite struct NearestNameTests {
    @Test(arguments: [
        ("jetsm", "jetsam"), ("jestam", "jetsam"), ("Jetsam", "jetsam"), ("largest_first", "largest-first"),
        ("oportunistic", "opportunistic"), ("opport", "opportunistic"), ("lur", "lru"),
    ])
    func `a typo finds its name`(typo: String, name: String) {
        let names = ["jetsam", "lru", "largest-first", "random", "opportunistic", "immediate"]
        #expect(nearest(to: typo, in: names) == name)
    }

    @Test(arguments: ["", "x", "battery", "zz"])
    func `a stranger finds nothing`(word: String) {
        #expect(nearest(to: word, in: ["jetsam", "lru", "random"]) == nil)
    }

    @Test func `the nearer of two names wins`() {
        #expect(nearest(to: "warmupp", in: ["warmer", "warmup"]) == "warmup")
    }
}
