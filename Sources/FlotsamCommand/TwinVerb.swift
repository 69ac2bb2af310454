// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import ConfigText
import Diagnostics
import Experiments
import Files
import Importers
import Quantities
import Recording
import Scenario
import Vocabulary
import Workload

/// `flotsam twin`: rebuilds a phone from its own files, compares its replay with the recording and answers what-if
/// questions.
enum TwinVerb: Verb {
    static let name = "twin"
    static let summary = "Rebuilds a phone from its files, replays it, tests changes"
    static let example = "flotsam twin docs/examples/my-phone/history.txt --what-if memory=3GiB"

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        let output = arguments.option(
            "--output", "-o", value: "DIR", help: "Folder for models, table and page", default: "twin")
        let asked: [String] = arguments.options(
            "--what-if", value: "CHANGE",
            help:
                "Change to try: memory=4GiB,8GiB, policy=lru, battery=5000mAh, app.NAME.footprint=-30%, 'without "
                + "NAME', or a setting"
        )
        let isHalved = arguments.flag(
            "--halves", help: "Fits the first half of the recording, and predicts the second")
        let isAnonymous = arguments.flag("--anonymous", help: "Replaces names of apps by numbers")
        let isFleet = arguments.flag(
            "--fleet", help: "FILE is a folder that contains a file or a folder for each phone")
        let zone = arguments.option(
            "--zone", value: "Z", help: "Time zone of the phone, if no file contains it", as: String.self)
        let runs = arguments.option("--replications", "-n", value: "N", help: "Number of runs per replay", default: 20)
        let force = arguments.flag("--force", help: "Replaces existing files")
        let json = arguments.flag("--json", help: "Prints JSON")
        let paths = arguments.inputs(
            "FILE", help: "Files of one phone (bug report, dumps, logs, reports, payloads), or their folder", 1...1000)
        if !(2...1000).contains(runs) { arguments.report("--replications expects 2 to 1000, found \(runs)") }
        if isFleet, paths.count > 1 { arguments.report("--fleet expects one folder, found \(paths.count)") }
        if let code = arguments.settled() { return code }
        if let zone { try checkZone(zone) }
        var options = RecordingOptions(zone: zone ?? "")
        options.skip = SkipLimit("1 %") ?? .standard
        let folder = TwinFolder(path: output, isForced: force, setting: setting)
        if isFleet {
            return try TwinFleet(folder: folder, options: options, isAnonymous: isAnonymous).run(paths[0], json: json)
        }
        let phone = try readPhone(paths: paths, options)
        let model = try TwinModel(phone, library: .located(), isAnonymous: isAnonymous)
        let changes = try asked.flatMap { (text: String) throws(Diagnostics) -> [TwinChange] in
            try TwinChange.levels(
                text, apps: model.apps.map(\.name), evictions: setting.policies.eviction.map(\.descriptor.name),
                schedulings: setting.policies.scheduling.map(\.descriptor.name))
        }
        try folder.check()
        let twin = try Twin(model, isHalved: isHalved, runs: runs) { model throws(Diagnostics) in
            try folder.load(model, replications: runs)
        }
        let answers = try twin.answers(changes, runs: runs) { overrides throws(Diagnostics) in
            try folder.load(overrides)
        }
        let text = TwinText(twin: twin, answers: answers, persona: try folder.writePersona(of: twin.model))
        try folder.write(text)
        let code = text.report.out(json: json)
        if !json { Console.out("\nmodels and page: \(folder.path)\n") }
        return code
    }
}

/// Folder of a twin's files.
struct TwinFolder {
    let path: String
    let isForced: Bool
    let setting: Setting

    /// Line that identifies the twin's files.
    static let mark = "# written by: flotsam twin"
    /// Files of the twin.
    ///
    /// A file that this verb did not write is never replaced.
    private static let names = [
        "trace.csv", "levels.csv", "start.yaml", "profile.yaml", "device.yaml", "twin.yaml", "replay.csv", "twin.html",
    ]

    /// Refuses a folder with a file that must not be replaced, before anything is written.
    func check() throws(Diagnostics) {
        for name in Self.names { try target(name).check(mark: Self.mark) }
    }

    /// Writes the models, and reads the experiment made from them.
    func load(_ model: TwinModel, replications: Int) throws(Diagnostics) -> Experiment {
        do {
            try createDirectory(path)
            if var trace = model.trace {
                trace.notes.append(String(Self.mark.dropFirst(2)))
                try write(trace.encoded(), to: "trace.csv")
                try write("# recorded level of the battery\n" + model.levelsText, to: "levels.csv")
            }
            if let text = model.startText { try write(text, to: "start.yaml") }
            if let profile = model.phone.profile { try write(profile.yaml, to: "profile.yaml") }
            try write(model.deviceText, to: "device.yaml")
            try write(model.experimentText(replications: replications), to: "twin.yaml")
        } catch let error as Diagnostics {
            throw error
        } catch {
            throw Diagnostics("\(path): \(error)")
        }
        return try load([])
    }

    /// Reads the twin's experiment with further settings.
    func load(_ overrides: [String]) throws(Diagnostics) -> Experiment {
        try loadExperiment(
            path: FilePath.join(path, "twin.yaml"), overrides: overrides, catalog: setting.policies)
    }

    /// Writes the user as a persona if there are enough days, and prints the fitted values.
    func writePersona(of model: TwinModel) throws -> String? {
        guard WorkloadFit.canFit(model) else { return nil }
        do {
            let fit = WorkloadFit(base: "average", name: "me", setting: setting)
            return try fit.fit([FilePath.join(path, "trace.csv")], to: target("persona.yaml"))
                .replacing(path + "/", with: "")
        } catch let error as Diagnostics {
            return "no persona: " + (error.list.first?.message ?? "")
        }
    }

    /// Writes the table, the answers and the page.
    func write(_ text: TwinText) throws {
        try createDirectory(path)
        try write(text.table, to: "replay.csv")
        try target("twin.html").write(Array(TwinPage(text).html.utf8), mark: Self.mark)
    }

    func write(_ text: String, to name: String) throws {
        try write(Array((Self.mark + "\n" + text).utf8), to: name)
    }

    private func write(_ bytes: [UInt8], to name: String) throws {
        try target(name).write(bytes, mark: Self.mark)
    }

    /// Path of a file in the folder.
    func target(_ name: String) -> OutputTarget { OutputTarget(FilePath.join(path, name), isForced: isForced) }
}
