// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// Results turned into answers: sentences, one app, one decision flipped, one policy against another.
@Suite(.serialized) struct AnswerTests {
    private func finished(replications: Int = 6, eviction: String = "[jetsam, lru]") throws -> Laboratory {
        let laboratory = try Laboratory()
        try laboratory.write(eviction: eviction, replications: replications, tables: "[runs]")
        let ending = try laboratory.run("run", "small.yaml", "-o", "a", "--set", "device.memory.ram=3 GiB")
        #expect(ending.code == 0, "\(ending.errors)")
        return laboratory
    }

    private func object(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test func `run and compare end in the same sentences, which JSON has as well`() throws {
        let laboratory = try finished()
        let compared = try laboratory.run("compare", "a")
        let json = try object(try laboratory.run("compare", "a", "--json").out)
        let sentences = try #require(json["sentences"] as? [String])
        let first = try #require(sentences.first)
        // The figures are those of comparisons.csv.
        let rows = try laboratory.text("a/comparisons.csv").split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let row = try #require(rows.first { $0[0] == "relaunches_per_day" })
        let relative = try #require(Double(row[6]))
        let percent = abs(relative) * 100
        let written = percent >= 9.95 ? String(format: "%.0f %%", percent) : String(format: "%.2g %%", percent)
        #expect(first.contains(written) && first.contains("lru") && first.contains("6 pairs"), "\(first)")
        let flat = compared.out.split { $0 == "\n" || $0 == " " }.joined(separator: " ")
        for sentence in sentences { #expect(flat.contains(sentence), "\(sentence)") }
        let cautions = try #require(json["cautions"] as? [String])
        let end = ([try #require(sentences.last)] + cautions.map { "caution: " + $0 }).joined(separator: " ")
        let answer = try #require(json["answer"] as? [String: String])
        #expect(Set(answer.keys) == ["wins", "ties", "costs", "trust", "next"])
        #expect(flat.contains(end + " The answer Wins: \(answer["wins"] ?? "") Ties: "), "\(end)")
        #expect(flat.hasSuffix("Next: " + (answer["next"] ?? "")), "\(flat.suffix(200))")
        #expect(compared.out.contains("lower is better") && compared.out.contains("exploratory:"))
    }

    @Test func `the answer names the system that runs, and each one of a sweep`() throws {
        let laboratory = try Laboratory()
        try laboratory.write(eviction: "[jetsam, lru]", replications: 2, tables: "[runs]")
        let cases = [
            ("device.os={profile: ios-17, freezer: {slots: 5}}", "iphone-13 with ios-17;"),
            ("device.os=ios-16", "iphone-13 with ios-16;"),
            ("sweep={axes: {device.os: [ios-17, ios-18.5]}}", "iphone-13 with each os of the sweep;"),
            ("sweep={axes: {device: [iphone-13, iphone-15]}}", "each device of the sweep;"),
        ]
        for (index, (set, phone)) in cases.enumerated() {
            #expect(try laboratory.run("run", "small.yaml", "-o", "a\(index)", "--set", set).code == 0, "\(set)")
            let json = try object(try laboratory.run("compare", "a\(index)", "--json").out)
            let trust = (json["answer"] as? [String: String])?["trust"] ?? ""
            #expect(trust.hasPrefix("2 users on " + phone), "\(set): \(trust)")
        }
    }

    @Test func `verdicts have colours when they are asked for, and never in a file unasked`() throws {
        let laboratory = try finished(eviction: "[jetsam, unbounded]")
        let plain = try laboratory.run("compare", "a").out
        #expect(!plain.contains("\u{1b}") && plain.contains("better"))
        let colored = try laboratory.run("compare", "a", "--color", "always").out
        #expect(colored.contains("\u{1b}[32mbetter\u{1b}[0m"))
        #expect(colored.replacing(/\x1b\[[0-9]+m/, with: "") == plain)
        #expect(try laboratory.run("compare", "a", "--color", "never").out == plain)
        #expect(try laboratory.run("compare", "a", "--color", "red").errors.contains("always, never or auto"))
    }

    @Test func `ask answers about the app that new writes`() throws {
        let laboratory = try Laboratory()
        #expect(try laboratory.run("new", "--app", "mine.yaml").code == 0)
        let checked = try laboratory.run("check", "mine.yaml").out
        #expect(checked.hasPrefix("mine.yaml: ok: mine, 10 runs\n  note: iphone-13 with ios-18.5: "))
        let words = ["mine.yaml", "--set", "replications=2", "--set", "duration=2 d", "--set", "apps.count=30"]
        let ending = try laboratory.start(["ask"] + words).ending()
        #expect(ending.code == 0, "\(ending.errors)")
        // The runs are there for the next question, and the answers for programs.
        #expect(ending.out.hasSuffix("\nresults: results/mine; next: flotsam why results/mine#0\n"))
        #expect(try laboratory.run("repeat", "results/mine#1").code == 0)
        let kept = try object(try laboratory.text("results/mine/answers.json"))
        #expect(kept["seed"] as? String == "20260101")
        let answers = try #require(kept["answers"] as? [[String: Any]])
        #expect(answers.count == 8)
        for answer in [answers[2], answers[4]] {
            let reasons = try #require(answer["reasons"] as? [[String: Any]])
            let shares = reasons.compactMap { $0["share"] as? Double }
            #expect(shares.isEmpty || abs(shares.reduce(0, +) - 1) < 1e-9)
        }
        let questions = answers.compactMap { $0["question"] as? String }
        #expect(questions == ["cold", "life", "deaths", "refreshes", "nights", "pushes", "energy", "help"])
        let figures = try #require(answers[0]["figures"] as? [[String: Any]])
        let kinds = try figures.prefix(4).map { try #require($0["value"] as? Double) }
        #expect(kinds[0] > 0 && abs(kinds[0] - kinds[1] - kinds[2] - kinds[3]) < 1e-9, "\(kinds)")
        #expect(figures.allSatisfy { ($0["n"] as? Int ?? 0) + ($0["without_value"] as? Int ?? 0) == 2 })
        let changes = try #require(answers[7]["changes"] as? [[String: Any]])
        #expect(
            Set(changes.compactMap { $0["change"] as? String }) == [
                "half_footprint", "rarer_refresh", "more_frequent_refresh", "keep_pending", "half_the_silent_pushes",
                "processing_needs", "system_ios-18", "system_ios-26",
            ])
        #expect(ending.out.contains("half the footprint (200 MiB instead of 400 MiB)"))
        #expect(
            ending.out.contains(
                "2 users are too few to distinguish a change from sampling noise: set replications to 6."))
        #expect(
            try laboratory.run("ask", "mine.yaml", "--set", "app.footprint=9 GiB").errors.contains("killed on screen"))
    }

    @Test func `ask against answers of before ends with 2 when something got surely worse by more than the limit`()
        throws
    {
        let laboratory = try Laboratory()
        #expect(try laboratory.run("new", "--app", "mine.yaml").code == 0)
        let settings = ["replications=6", "duration=4 d", "apps.count=20", "app.refresh.enabled=true"]
        let words = ["mine.yaml", "-q"] + settings.flatMap { ["--set", $0] }
        let before = try laboratory.start(["ask", "--json", "--quick", "-o", "before"] + words).ending()
        #expect(before.code == 0, "\(before.errors)")
        try before.out.write(
            to: laboratory.folder.appending(path: "baseline.json"), atomically: true, encoding: .utf8)
        let same = try laboratory.start(["ask", "--against", "baseline.json"] + words).ending()
        #expect(same.code == 0 && same.out.hasSuffix("No figure is significantly worse by more than 5 %.\n"), "\(same)")
        // Whoever had several refreshes a day has two at most.
        let worse = ["--set", "app.refresh.every=12 h", "-o", "after"]
        let after = try laboratory.start(["ask", "--against", "before"] + words + worse).ending()
        #expect(after.code == 2, "\(after.out.suffix(1500))\(after.errors)")
        #expect(try /\nrefreshes\.ran_per_day .* worse\n/.firstMatch(in: after.out) != nil, "\(after.out.suffix(1500))")
        let far = ["--limit", "1000000 %"]
        let allowed = try laboratory.start(["ask", "--against", "before"] + words + worse + far).ending()
        #expect(allowed.code == 0, "\(allowed.out.suffix(1500))")
        let others = try laboratory.start(["ask", "--against", "before", "--set", "seed=7"] + words).ending()
        #expect(others.code == 1 && others.errors.contains("so their users differ"), "\(others.errors)")
        let parts = [("user", "user.persona=heavy"), ("device", "device=iphone-15"), ("apps", "apps.count=21")]
        for (key, setting) in parts {
            let other = try laboratory.start(["ask", "--against", "before"] + words + ["--set", setting]).ending()
            #expect(
                other.code == 1
                    && other.errors.contains("the value of \(key) differs from the one in before/answers.json"),
                "\(other.errors)")
        }
        // Lists of any lengths, and numbers of any size, are refused and never trap.
        for (list, told) in [
            ("", "has no figure in common"), ("1e308, -1e308", "a number that is too large for an answer"),
        ] {
            let text = try laboratory.text("before/answers.json")
                .replacing(/(?s)"values": \[.*?\]/, with: "\"values\": [\(list)]")
            try text.write(to: laboratory.folder.appending(path: "odd.json"), atomically: true, encoding: .utf8)
            let odd = try laboratory.start(["ask", "--against", "odd.json"] + words).ending()
            #expect(odd.code == 1 && odd.errors.contains(told), "\(odd.errors)")
        }
        for wrong in ["mine.yaml", "nowhere", "."] {
            let none = try laboratory.start(["ask", "--against", wrong] + words).ending()
            #expect(none.code == 1, "\(wrong): \(none.errors)")
        }
    }

    @Test func `ask prints which share of a user's opens came about, of one persona and of people`() throws {
        let laboratory = try Laboratory()
        #expect(try laboratory.run("new", "--app", "mine.yaml").code == 0)
        let words = ["--set", "app.opened={share: 4 %}", "--set", "replications=4", "--set", "duration=6 d"]
        let users = [[], ["--set", "user={population: smartphone-users, size: 4}"]]
        for user in users {
            let ending = try laboratory.start(["ask", "mine.yaml", "--quick"] + words + user).ending()
            #expect(ending.code == 0, "\(ending.errors)")
            let found = try #require(try /That is ([0-9.]+) \[[0-9.]+, [0-9.]+\]\s+%/.firstMatch(in: ending.out))
            #expect(abs((Double(found.1) ?? 0) - 4) < 1, "\(ending.out)")
            let flat = ending.out.split { $0 == "\n" || $0 == " " }.joined(separator: " ")
            #expect(flat.contains("of all opens by the user; the declared share is 4 %."))
        }
    }

    @Test func `ask takes the file of an app alone, and an experiment about none is told what to add`() throws {
        let laboratory = try Laboratory()
        let app = "name: mine\ncategory: news\nopened: 9 / d\nrefresh: {every: 0 s, bytes: 1 kB}\n"
        try app.write(to: laboratory.folder.appendingPathComponent("app.yaml"), atomically: true, encoding: .utf8)
        let words = ["--set", "replications=2", "--set", "duration=2 d"]
        let ending = try laboratory.start(["ask", "app.yaml", "--quick"] + words).ending()
        #expect(ending.code == 0, "\(ending.errors)")
        #expect(ending.out.contains("In none, because the app never requests a refresh."))
        try laboratory.write()
        let none = try laboratory.run("ask", "small.yaml")
        #expect(none.code == 1 && none.errors.contains("small.yaml does not name the app to study"))
        try laboratory.link("models")
        let catalogue = try laboratory.run("ask", "models/apps/everyday.yaml")
        #expect(catalogue.code == 1 && catalogue.errors.contains("is an app catalogue, not an experiment"))
    }

    @Test func `a spared app is told from one that is not killed then`() throws {
        let laboratory = try finished(replications: 1)
        let why = try object(try laboratory.run("why", "a#jetsam/0", "--json").out)
        let apps = try #require(why["apps"] as? [[String: Any]])
        let killed = try #require(apps.first { ($0["kills"] as? Int ?? 0) > 0 }?["app"] as? String)
        let story = try object(try laboratory.run("why", "a#jetsam/0", "--app", killed, "--json").out)
        let exits = try #require(story["exits"] as? [[String: Any]])
        let kill = try #require(exits.first { $0["reason"] as? String != "" && $0["runner_up"] as? String != "" })
        let time = try #require(kill["t_s"] as? Double)
        let flip = try laboratory.run("repeat", "a#jetsam/0", "--spare", killed, "--at", "\(time)", "--json")
        #expect(flip.code == 0, "\(flip.errors)")
        let changed = try object(flip.out)
        #expect(abs(try #require(changed["t_s"] as? Double) - time) < 1e-6)
        let steps = try #require(changed["steps"] as? [[String: Any]])
        #expect((steps[0]["what"] as? String)?.contains("killed") == true, "\(steps)")
        let never = try laboratory.run("repeat", "a#0", "--spare", killed, "--at", "0d00:01")
        #expect(never.code == 1)
        #expect(never.errors.contains("\(killed) is not killed at 0d00:01:00"), "\(never.errors)")
        #expect(
            never.errors.contains("\(killed) is killed at ") && never.errors.contains("; killed at about that time: "))
    }

    @Test func `one policy against another: what is avoided less what is caused is the difference`() throws {
        let laboratory = try finished()
        let json = try object(try laboratory.run("why", "a", "--policy", "lru", "--against", "jetsam", "--json").out)
        let opens = try #require(json["opens"] as? [[String: Any]])
        let days = try #require(json["days"] as? Double)
        let avoided = opens.count { $0["avoided"] as? Bool == true }
        let net = Double(opens.count - 2 * avoided) / days / 6
        let compared = try object(try laboratory.run("compare", "a", "--json").out)
        let rows = try #require(compared["comparisons"] as? [[String: Any]])
        let row = try #require(rows.first { $0["metric"] as? String == "relaunches_per_day" })
        let difference = try #require(row["difference"] as? Double)
        #expect(avoided > 0 && abs(net - difference) < 1e-9, "\(net) \(difference)")
        let text = try laboratory.run("why", "a", "--policy", "lru", "--against", "jetsam")
        #expect(text.out.contains("The runs first differ in replication"), "\(text.out)")
    }

    @Test func `a run is named by policy and replication, an instant by its date`() throws {
        let laboratory = try finished(replications: 1)
        let byNumber = try laboratory.run("why", "a#1", "--app", "pigeon", "--at", "1d14:05").out
        #expect(!byNumber.isEmpty)
        let byName = try laboratory.run("why", "a#lru+opportunistic/0", "--app", "pigeon", "--at", "2026-03-03T14:05")
        #expect(byName.out == byNumber)
        let outside = try laboratory.run("why", "a#0", "--app", "pigeon", "--at", "2026-03-01T14:05")
        #expect(outside.code == 1 && outside.errors.contains("the run, which begins on 2026-03-02 and lasts 2 days"))
        for date in ["9999-12-31T03:00", "1500-01-01T00:00"] {
            let far = try laboratory.run("why", "a#0", "--app", "pigeon", "--at", date)
            #expect(far.code == 1 && far.errors.contains("\(date) lies outside of the run, which begins on 2026-03-02"))
        }
        #expect(try laboratory.run("repeat", "a#lru/7").errors.contains("a replication from 0 to 0"))
        #expect(try laboratory.run("repeat", "a#lur/0").errors.contains("did you mean \"lru\"?"))
    }

    @Test func `the decisions that mattered most are those that a replay of each finds`() throws {
        let laboratory = try finished(replications: 1)
        let words = ["why", "a#jetsam/0", "--decisions", "10", "--json", "--trials"]
        let all = try object(try laboratory.start(words + ["100000"]).ending().out)
        let decisions = try #require(all["decisions"] as? [[String: Any]])
        let (kills, starts) = (all["kills"] as? Int ?? 0, all["starts"] as? Int ?? 0)
        #expect(decisions.count == 10 && kills > 0 && starts > 0)
        #expect(try #require(all["tried"] as? Int) > (kills + starts) / 2)
        let waits = try decisions.map { abs(try #require($0["wait_s"] as? Double)) }
        #expect(waits == waits.sorted(by: >) && waits[0] > 0)
        for decision in [decisions[0], decisions[9]] {
            let flip = try #require(decision["flip"] as? String)
            let app = try #require(decision["app"] as? String)
            let what = try #require(decision["what"] as? String)
            var replay = [
                "repeat", "a#jetsam/0", "--" + flip, app, "--at", "\(try #require(decision["t_s"] as? Double))",
            ]
            if what.contains("processing") { replay += ["--kind", "processing"] }
            let one = try laboratory.start(replay + ["--json"]).ending()
            #expect(one.code == 0, "\(one.errors)")
            let costs = try #require(try object(one.out)["costs"] as? [[String: Any]])
            func sum(_ key: String) -> Double { costs.compactMap { $0[key] as? Double }.reduce(0, +) }
            #expect(abs(sum("wait_s") - (decision["wait_s"] as? Double ?? .nan)) < 1e-9, "\(decision)")
            #expect(sum("kills") == decision["kills"] as? Double)
            let joules = try object(one.out)["energy_j"] as? Double ?? .nan
            #expect(abs(joules - (decision["energy_j"] as? Double ?? .nan)) < 1e-6)
        }
        let few = try object(try laboratory.start(words + ["20"]).ending().out)
        #expect(try #require(few["tried"] as? Int) <= 20)
        let text = try laboratory.run("why", "a#jetsam/0", "--decisions", "3", "--trials", "20")
        #expect(text.out.contains("of \(kills + starts) decisions (\(kills) kills of apps"), "\(text.out)")
        // The command that it prints is one that works.
        let line = try #require(text.out.split(separator: "\n").last { $0.contains("flotsam repeat ") })
        let command = line.split(separator: " ").drop { $0 != "repeat" }.map { String($0).replacing("'", with: "") }
        #expect(try laboratory.start(command).ending().code == 0, "\(line)")
        #expect(try laboratory.run("why", "a", "--decisions", "3").errors.contains("a#0"))
    }

    @Test func `daemons are named, and overviews are of apps`() throws {
        let laboratory = try finished(replications: 1)
        let overview = try object(try laboratory.run("why", "a#0", "--json").out)
        let apps = try #require(overview["apps"] as? [[String: Any]]).compactMap { $0["app"] as? String }
        #expect(!apps.isEmpty && !apps.contains { $0.hasPrefix("daemon-") })
        let daemons = try #require(overview["daemons"] as? [[String: Any]])
        #expect(daemons.contains { ($0["name"] as? String)?.hasPrefix("daemon-") == true })
        let text = try laboratory.run("why", "a#0", "--app", try #require(daemons[0]["name"] as? String)).out
        #expect(text.contains("was killed") || text.contains(" ended "), "\(text)")
    }
}
