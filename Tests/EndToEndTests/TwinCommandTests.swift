// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// `flotsam twin` from a file to an answer.
@Suite(.serialized) struct TwinCommandTests {
    /// A made-up bug report: its parts, and the history of the example phone.
    private static func report(in laboratory: Laboratory) throws {
        let parts = try String(
            contentsOf: Laboratory.package.appending(path: "Tests/ImportersTests/PhoneFiles/bugreport-parts.txt"),
            encoding: .utf8)
        let history = try String(
            contentsOf: Laboratory.package.appending(path: "docs/examples/my-phone/history.txt"), encoding: .utf8)
        try (parts + history).write(
            to: laboratory.folder.appending(path: "bugreport.txt"), atomically: true, encoding: .utf8)
    }

    private static let files = [
        "device.yaml", "levels.csv", "replay.csv", "start.yaml", "trace.csv", "twin.html", "twin.yaml",
    ]

    @Test func `a bug report becomes models, a table, answers and a page, twice the same`() throws {
        let laboratory = try Laboratory()
        try Self.report(in: laboratory)
        let ending = try laboratory.run("twin", "bugreport.txt", "--what-if", "memory=3GiB", "-n", "6")
        #expect(ending.code == 0, "\(ending.errors)")
        #expect(ending.out.contains("Pixel 7, Android 14, 8 GiB: device pixel-7, system android-14"))
        #expect(ending.out.contains("energy off the charger, 31 h"))
        #expect(ending.out.contains("what if memory=3GiB\n  relaunches: "))
        let names = try FileManager.default.contentsOfDirectory(
            atPath: laboratory.folder.appending(path: "twin").path
        ).sorted()
        #expect(names == Self.files)
        #expect(try laboratory.run("check", "twin/twin.yaml").code == 0)
        let device = try laboratory.text("twin/device.yaml")
        #expect(device.contains("\n  ram: 8 GiB\n") && device.contains("battery: {capacity: 4270 mAh}"))
        let page = try laboratory.text("twin/twin.html")
        #expect(page.contains("<polyline") && page.contains("<td>memory=3GiB</td>") && !page.contains("http"))
        try laboratory.run("twin", "bugreport.txt", "--what-if", "memory=3GiB", "-n", "6", "-o", "again")
        for name in Self.files {
            let (one, other) = (try laboratory.text("twin/" + name), try laboratory.text("again/" + name))
            #expect(one == other, "\(name)")
        }
    }

    @Test func `the processes of a report are there when runs begin, and levels are answered side by side`() throws {
        let laboratory = try Laboratory()
        try Self.report(in: laboratory)
        let ending = try laboratory.run(
            "twin", "bugreport.txt", "-n", "4", "--what-if", "memory=3GiB,8GiB", "--what-if", "policy=lru")
        #expect(ending.code == 0, "\(ending.errors)")
        let start = try laboratory.text("twin/start.yaml")
        #expect(
            start.contains(
                "{name: \"com.example.chat\", kind: app, band: 0, state: suspended, footprint: 142000 KiB"), "\(start)")
        #expect(try laboratory.text("twin/device.yaml").contains("start_state: start.yaml"))
        let scenario = try laboratory.run("lab", "scenario", "twin/start.yaml")
        #expect(scenario.code == 0, "\(scenario.out) \(scenario.errors)")
        #expect(ending.out.contains("The replayed phone has, per day: relaunches "))
        // The phone has 8 GiB.
        let same = ending.out.split(separator: "what if memory=8GiB\n").last?.split(separator: "what if").first ?? ""
        #expect(same.split(separator: "\n").filter { $0.hasSuffix(": no change") }.count == 6, "\(same)")
        let asked = ending.out.split(separator: "\n").filter { $0.hasPrefix("what if") }
        #expect(asked == ["what if memory=3GiB", "what if memory=8GiB", "what if policy=lru"])
        let page = try laboratory.text("twin/twin.html")
        #expect(page.contains("<tr><td>the replayed phone</td>") && page.contains("<td>memory=8GiB</td>"))
    }

    @Test func `most of the recorded hours are as the replay has them`() throws {
        let laboratory = try Laboratory()
        try Self.report(in: laboratory)
        try laboratory.run("twin", "bugreport.txt", "--halves")
        let rows = try laboratory.text("twin/replay.csv").split(separator: "\n").dropFirst(2)
        let levels = rows.filter { $0.hasPrefix("battery level") }
        #expect(levels.count == 23)
        #expect(levels.count { $0.hasSuffix(",") } >= 18, "\(levels.joined(separator: "\n"))")
    }

    @Test func `no serial, address or account of a report is kept, and no name of an app if that is asked`() throws {
        let laboratory = try Laboratory()
        try Self.report(in: laboratory)
        let secrets = ["2B111FDH2000XX", "jane", "192.0.2", "aa:bb:cc", "Example Mobile", "wificountry"]
        for words in [[], ["--anonymous"]] as [[String]] {
            let ending = try laboratory.start(
                ["twin", "bugreport.txt", "-n", "2", "--force"] + words, program: "flotsam"
            )
            .ending()
            #expect(ending.code == 0, "\(ending.errors)")
            var kept = ending.out + ending.errors
            for name in Self.files { kept += try laboratory.text("twin/" + name) }
            for secret in secrets { #expect(!kept.contains(secret), "\(words) \(secret)") }
            #expect(kept.contains("com.example.chat") == words.isEmpty)
        }
    }

    @Test(arguments: [
        (["nothing.txt"], "nothing.txt"), (["bugreport.txt", "--what-if", "policy=lruu"], "did you mean \"lru\"?"),
        (["bugreport.txt", "--what-if", "without com.example.chatt"], "did you mean \"com.example.chat\"?"),
        (["bugreport.txt", "--zone", "Mars/North"], "Mars/North"),
        (["bugreport.txt", "-n", "1"], "--replications expects 2"),
        (["bugreport.txt", "bugreport.txt", "--fleet"], "--fleet expects one folder"),
    ]) func `a mistake is named, and nothing is written`(words: [String], message: String) throws {
        let laboratory = try Laboratory()
        try Self.report(in: laboratory)
        let ending = try laboratory.start(["twin"] + words, program: "flotsam").ending()
        #expect(ending.code == 1)
        #expect(ending.errors.contains(message), "\(ending.errors)")
        #expect(!FileManager.default.fileExists(atPath: laboratory.folder.appending(path: "twin").path))
    }

    @Test func `a file that is not its own is not replaced, and nothing else is written`() throws {
        let laboratory = try Laboratory()
        try Self.report(in: laboratory)
        try FileManager.default.createDirectory(
            at: laboratory.folder.appending(path: "twin"), withIntermediateDirectories: true)
        try "mine\n".write(
            to: laboratory.folder.appending(path: "twin/device.yaml"), atomically: true, encoding: .utf8)
        let ending = try laboratory.run("twin", "bugreport.txt", "-n", "2")
        #expect(ending.code == 1 && ending.errors.contains("device.yaml exists already"), "\(ending.errors)")
        #expect(try laboratory.text("twin/device.yaml") == "mine\n")
    }

    @Test func `a JetsamEvent becomes a phone with its start state, which another memory leaves out`() throws {
        let laboratory = try Laboratory()
        let report = Laboratory.package.appending(path: "docs/examples/JetsamEvent.ips").path
        let ending = try laboratory.run(
            "twin", report, "-n", "2", "--what-if", "memory=6GiB", "--what-if", "policy=lru")
        #expect(ending.code == 0, "\(ending.errors)")
        #expect(try laboratory.text("twin/device.yaml").contains("start_state: start.yaml"))
        #expect(ending.out.contains("no file contains battery levels"))
        #expect(ending.out.contains("what if policy=lru"))
    }

    @Test func `a fleet has a row for each phone, and the ends of all`() throws {
        let laboratory = try Laboratory()
        try Self.report(in: laboratory)
        let fleet = laboratory.folder.appending(path: "fleet")
        try FileManager.default.createDirectory(at: fleet, withIntermediateDirectories: true)
        let metrics = Laboratory.package.appending(path: "Tests/ImportersTests/PhoneFiles/metrics.json")
        for name in ["a.json", "b.json"] {
            try FileManager.default.copyItem(at: metrics, to: fleet.appending(path: name))
        }
        try FileManager.default.copyItem(
            at: laboratory.folder.appending(path: "bugreport.txt"), to: fleet.appending(path: "c.txt"))
        let ending = try laboratory.run("twin", "--fleet", "fleet", "--anonymous")
        #expect(ending.code == 0, "\(ending.errors)")
        #expect(ending.out.contains("bg_memory_pressure    14       2"))
        let rows = try laboratory.text("twin/fleet.csv").split(separator: "\n").dropFirst(2)
        #expect(
            rows.map { String($0.prefix(22)) } == [
                "phone-1,ios,ios-18.5,4", "phone-2,ios,ios-18.5,4", "phone-3,android,androi",
            ])
    }

    @Test func `payloads of a fleet become people and an experiment that runs`() throws {
        let laboratory = try Laboratory()
        let fleet = laboratory.folder.appending(path: "phones")
        try FileManager.default.createDirectory(at: fleet, withIntermediateDirectories: true)
        let text = try String(
            contentsOf: Laboratory.package.appending(path: "Tests/ImportersTests/PhoneFiles/metrics.json"),
            encoding: .utf8)
        for (number, peak) in ["201.160 kB", "412.160 kB", "603.160 kB"].enumerated() {
            let own = text.replacing("412.160 kB", with: peak).replacing(
                "\"metaData\"",
                with:
                    "\"applicationTimeMetrics\": {\"cumulativeForegroundTime\": \"\(700 * (number + 1)) sec\"},"
                    + "\"metaData\""
            )
            try own.write(to: fleet.appending(path: "\(number).json"), atomically: true, encoding: .utf8)
        }
        let ending = try laboratory.run("twin", "--fleet", "phones", "-o", "fleet")
        #expect(ending.code == 0, "\(ending.errors)")
        #expect(ending.out.contains("com.example.feed, 3 phones, 3 days:"), "\(ending.out)")
        #expect(ending.out.contains("traits taken from the phones: pick-ups a day, seconds in an app"), "\(ending.out)")
        #expect(ending.out.contains("others are those of the persona average"))
        let experiment = try laboratory.text("fleet/fleet.yaml")
        #expect(experiment.contains("device: {base: iphone-13, os: ios-18.5, memory: {ram: 4 GiB}}"), "\(experiment)")
        #expect(experiment.contains("user: {population: ./people.yaml, size: 20}"))
        #expect(experiment.contains("exits_bg_memory_pressure_per_day"))
        let check = try laboratory.run("check", "fleet/fleet.yaml")
        #expect(check.code == 0, "\(check.out) \(check.errors)")
    }
}
