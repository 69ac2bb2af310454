// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// What files of strangers do to the program: nothing waits, nothing fills memory, nothing acts on the terminal.
@Suite struct StrangerTests {
    private static let folder = Laboratory.package.appending(path: "Tests/Strangers")

    /// A laboratory with copies of the files.
    private func laboratory() throws -> Laboratory {
        let laboratory = try Laboratory()
        for name in try FileManager.default.contentsOfDirectory(atPath: Self.folder.path) {
            try FileManager.default.copyItem(
                at: Self.folder.appending(path: name), to: laboratory.folder.appending(path: name))
        }
        return laboratory
    }

    private static let head = "# start: 2026-03-02\n# covered_s: 0 to 86400\nt_s,event,app,value\n"

    /// Whether bytes that act on a terminal are in a text.
    private func acts(_ text: String) -> Bool {
        text.unicodeScalars.contains { scalar in
            scalar.value < 32 && scalar != "\n" && scalar != "\t" || (127..<160).contains(scalar.value)
                || (0x202a...0x202e).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        }
    }

    @Test func `a trace that never ends is refused at once`() throws {
        let ending = try laboratory().run("check", "trace_devzero.yaml")
        #expect(ending.code == 1)
        #expect(
            ending.errors.hasPrefix(
                "trace_devzero.yaml:10:15: error: cannot read \"/dev/zero\": it is not a regular file (at user.trace)\n"
            ))
    }

    @Test func `escape sequences in the name of a policy are refused and not printed`() throws {
        let ending = try laboratory().run("check", "esc_policy.yaml")
        #expect(ending.code == 1 && ending.out.isEmpty)
        #expect(
            ending.errors == """
                esc_policy.yaml:12:14: error: the text contains the control character U+001B
                  12 |   eviction: ["\\e[31mX\\e]52;c;cHduZWQ=\\a", lru]
                     |              ^~~~~~~~~~~~~~~~~~~~~~~~~~~
                  hint: leave the character out

                """)
    }

    @Test func `names of files in an archive, of files and of options do not act on the terminal`() throws {
        let laboratory = try laboratory()
        let archive = try laboratory.run("data", "import", "batterystats", "escname.zip", "-o", "a.csv")
        #expect(archive.code == 1)
        #expect(
            archive.errors.hasPrefix("error: escname.zip contains 2 files: \\u{1b}]0;PWN\\u{7}a, \\u{1b}[31mb…\n"))
        for words in [["check", "\u{1b}[2J.yaml"], ["check", "--\u{9b}31m"], ["\u{1b}]0;x"], ["list", "\u{202e}x"]] {
            let ending = try laboratory.start(words).ending()
            #expect(ending.code == 1 && !acts(ending.errors) && ending.errors.contains("\\u{"), "\(words)")
        }
    }

    @Test func `names from a trace do not act on the terminal or in JSON`() throws {
        let laboratory = try laboratory()
        let rows = "0,unlock,,30\n1,open,a\u{1b}[31m\u{9b}\u{202e}b,12\n40,lock,,\n"
        try (Self.head + rows).write(
            to: laboratory.folder.appending(path: "t.csv"), atomically: true, encoding: .utf8)
        for words in ["data workload stats t.csv", "data workload stats t.csv --json", "data workload card t.csv"] {
            let ending = try laboratory.start(words.split(separator: " ").map(String.init)).ending()
            #expect(!acts(ending.out + ending.errors), "\(words): \(ending)")
        }
    }

    @Test(arguments: [
        ["check", "FIFO"], ["run", "FIFO"], ["check", "--plan", "FIFO"], ["run", "--status", "FIFO"],
        ["compare", "FIFO"],
        ["repeat", "FIFO"], ["lab", "scenario", "FIFO"], ["data", "workload", "stats", "FIFO"],
        ["data", "import", "batterystats", "FIFO", "-o", "a.csv"],
        ["data", "import", "aware", "FIFO", "--zone", "UTC", "-o", "a.csv"],
        ["data", "import", "power-profile", "FIFO", "-o", "a.yaml"],
        ["data", "import", "jetsam-report", "FIFO", "-o", "a.yaml"],
        ["lab", "battery", "--cell", "lco-reference", "--load", "FIFO"],
        ["lab", "would-kill", "FIFO", "--policy", "jetsam"],
    ])
    func `no verb waits for a FIFO or reads a device`(_ words: [String]) throws {
        let laboratory = try laboratory()
        #expect(mkfifo(laboratory.folder.path + "/pipe", 0o600) == 0)
        for file in ["pipe", "/dev/zero"] {
            let ending = try laboratory.start(words.map { $0 == "FIFO" ? file : $0 }).ending()
            #expect(ending.code == 1, "\(words) \(file): \(ending)")
        }
    }

    @Test func `a trace that is a FIFO, and a folder with one for its manifest or a segment, do not wait`() throws {
        let laboratory = try laboratory()
        try laboratory.write(duration: "1 d", tables: "[runs]")
        #expect(mkfifo(laboratory.folder.path + "/pipe", 0o600) == 0)
        let trace = try laboratory.run("check", "small.yaml", "--set", "user={trace: pipe}")
        #expect(trace.code == 1)
        #expect(trace.errors.contains("error: cannot read \"pipe\": it is not a regular file (at user.trace)\n"))
        try FileManager.default.createDirectory(
            at: laboratory.folder.appending(path: "results/segments"), withIntermediateDirectories: true)
        #expect(mkfifo(laboratory.folder.path + "/results/manifest.json", 0o600) == 0)
        #expect(mkfifo(laboratory.folder.path + "/results/segments/000000.seg", 0o600) == 0)
        for verb in ["run --status", "compare", "repeat", "report"] {
            #expect(try laboratory.shell("flotsam \(verb) results").code == 1, "\(verb)")
        }
    }

    @Test func `standard input is a file of its own, from a pipe too`() throws {
        let laboratory = try laboratory()
        let trace = (Self.head + "0,unlock,,30\n1,open,a,12\n40,lock,,\n").replacing("\n", with: "\\n")
        let ending = try laboratory.shell("printf '\(trace)' | flotsam data workload stats -")
        #expect(ending.code == 0, "\(ending)")
        let endless = try laboratory.shell("flotsam data import batterystats - -o a.csv < /dev/zero")
        #expect(endless.code == 1)
        #expect(
            endless.errors
                == "error: cannot read -: it has more bytes than the limit of 268435456\n")
    }
}
