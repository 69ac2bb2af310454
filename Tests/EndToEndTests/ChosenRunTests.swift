// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// Runs chosen by a condition, or found by their token.
@Suite(.serialized) struct ChosenRunTests {
    @Test func `a run that a token names is found and done again`() throws {
        let laboratory = try Laboratory()
        try laboratory.write(replications: 1)
        #expect(try laboratory.run("run", "small.yaml", "-o", "results/a", "--quiet").code == 0)
        let rows = try laboratory.text("results/a/runs.csv").split(separator: "\n")
        let columns = rows[0].split(separator: ",", omittingEmptySubsequences: false)
        let token = try #require(
            columns.firstIndex(of: "token").map { index in
                String(rows[2].split(separator: ",", omittingEmptySubsequences: false)[index])
            })
        let found = try laboratory.run("repeat", token)
        #expect(found.code == 0, "\(found.errors)")
        #expect(found.out.hasPrefix("run 1 of results/a: ") && found.out.contains("the result matches bit for bit"))
        let none = try laboratory.run("repeat", "m3-0123456789abcdef")
        #expect(none.code == 1 && none.errors.contains("none of the 1 directories of results"), "\(none.errors)")
    }

    @Test func `only the runs that meet a condition are done, by run and by exec`() throws {
        let laboratory = try Laboratory()
        try laboratory.write(replications: 3, tables: "[runs]")
        let condition = "policy == lru && replication < 2"
        let some = try laboratory.run("run", "small.yaml", "-o", "a", "--quiet", "--where", condition)
        #expect(some.code == 0, "\(some.errors)")
        #expect(some.errors.contains("2 of 6 runs done; all 2 that meet the condition are done"), "\(some.errors)")
        let rows = try laboratory.text("a/runs.csv").split(separator: "\n").dropFirst()
        #expect(rows.map { $0.split(separator: ",")[0] } == ["1", "3"])
        #expect(try laboratory.run("run", "small.yaml", "-o", "a", "--quiet").code == 0)
        #expect(try laboratory.run("cluster", "init", "small.yaml", "-o", "b").code == 0)
        #expect(
            try laboratory.run("cluster", "exec", "b", "--where", condition).out.contains(
                "2 runs requested; 0 done before, 2"))
        #expect(try laboratory.run("cluster", "exec", "b", "--quiet", "--where", "policy != lru || run == 5").code == 0)
        #expect(try laboratory.run("cluster", "merge", "b", "--quiet").code == 0)
        #expect(try laboratory.bytes("a/runs.csv") == laboratory.bytes("b/runs.csv"))
        let wrong = try laboratory.run("cluster", "exec", "b", "--where", "polcy == lru")
        #expect(wrong.code == 1 && wrong.errors.contains("did you mean \"policy\"?"), "\(wrong.errors)")
    }

    @Test func `progress is told to programs as objects, one a line`() throws {
        let laboratory = try Laboratory()
        try laboratory.write(replications: 2, tables: "[runs]")
        let told = try laboratory.run("run", "small.yaml", "-o", "a", "--quiet", "--progress", "json")
        #expect(told.code == 0, "\(told.errors)")
        let lines = try told.errors.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(!lines.isEmpty && lines.allSatisfy { $0["runs"] as? Int == 4 && $0["failed"] as? Int == 0 })
        #expect(lines.last?["done"] as? Int == 4)
        let wrong = try laboratory.run("run", "small.yaml", "-o", "a", "--progress", "xml")
        #expect(wrong.code == 1 && wrong.errors.contains("--progress expects line or json"), "\(wrong.errors)")
    }
}
