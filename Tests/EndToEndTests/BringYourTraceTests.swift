// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// The page that goes from a phone to a comparison: its commands are run, and print what it shows.
@Suite(.serialized) struct BringYourTraceTests {
    /// A command of the page with the lines that it shows.
    private struct Step {
        var words: [String]
        var lines: [String] = []
    }

    private func steps() throws -> [Step] {
        let path = Laboratory.package.appending(path: "docs/your-phone.md")
        let page = try String(contentsOf: path, encoding: .utf8)
        var steps: [Step] = []
        var isOpen = false
        for line in page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line.hasPrefix("```") {
                isOpen = line == "```console"
            } else if isOpen, line.hasPrefix("$ flotsam ") {
                steps.append(Step(words: line.dropFirst(10).split(separator: " ").map(String.init)))
            } else if isOpen {
                steps[steps.count - 1].lines.append(line)
            }
        }
        return steps
    }

    @Test func `the commands of the page print what it shows`() throws {
        let laboratory = try Laboratory()
        let example = Laboratory.package.appending(path: "docs/examples/my-phone")
        for name in ["history.txt", "my-days.yaml"] {
            try FileManager.default.copyItem(
                at: example.appending(path: name), to: laboratory.folder.appending(path: name))
        }
        let steps = try steps()
        #expect(steps.count == 3)
        for step in steps {
            let ending = try laboratory.start(step.words, program: "flotsam").ending()
            #expect(ending.code == 0, "\(ending.errors)")
            let printed = Set((ending.out + ending.errors).split(separator: "\n").map(String.init))
            for line in step.lines { #expect(printed.contains(line), "\(step.words): \(line)") }
        }
        // What the page quotes of the experiment is in it.
        #expect(try laboratory.text("my-days.yaml").contains("user: {trace: trace.csv, persona: average}"))
    }

    /// Charging recorded on the first of three days: without a persona the phone dies, with one it does not.
    @Test func `a phone that is dead is named beside the verdict, a persona keeps it alive`() throws {
        let laboratory = try Laboratory()
        var trace = "# start: 2026-03-02\n# covered_s: 0 to 432000\n# covered_charging_s: 0 to 86400\n"
        trace += "t_s,event,app,value\n0,network,,wifi\n100,plug,,level=0.2\n20000,unplug,,1\n"
        for hour in 24..<120 {
            trace += "\(hour * 3600),unlock,,\n\(hour * 3600 + 1),open,video,1500\n\(hour * 3600 + 1502),lock,,\n"
        }
        try trace.write(to: laboratory.folder.appending(path: "t.csv"), atomically: true, encoding: .utf8)
        try laboratory.write(duration: "5 d")
        let text = try laboratory.text("small.yaml")
        for (user, isDead) in [("{trace: t.csv}", true), ("{trace: t.csv, persona: average}", false)] {
            let changed = text.replacingOccurrences(of: "{persona: average}", with: user)
            let path = isDead ? "alone.yaml" : "filled.yaml"
            try changed.write(to: laboratory.folder.appending(path: path), atomically: true, encoding: .utf8)
            let ending = try laboratory.run("run", path, "-o", path + ".d")
            #expect(ending.code == 0, "\(ending.errors)")
            #expect(ending.out.contains("the battery is dead") == isDead, "\(ending.out)")
            let filled = "note: filled in from the persona: charging (recorded on 1 of 5 days)"
            #expect(ending.out.contains(filled) != isDead, "\(ending.out)")
            #expect(ending.errors.contains("charging: 1 of 5 days were recorded") == isDead, "\(ending.errors)")
        }
    }
}
