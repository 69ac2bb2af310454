// SPDX-License-Identifier: GPL-3.0-or-later
import Files

/// Texts of the commented experiments that `flotsam new` writes.
public enum ExperimentTemplate {
    /// Text of an experiment.
    ///
    /// - Parameters:
    ///   - name: Name of the experiment: lower-case letters, digits and hyphens.
    ///   - path: Path of the future file. Its first line names the schema for editors, by a path relative to the file
    ///     or by the path of an installed schema.
    public static func text(name: String, path: String = "experiments/new.yaml") -> String {
        schemaLine(path) + body(name: name)
    }

    /// Text of an experiment about an app of the user.
    public static func appText(name: String, path: String) -> String {
        schemaLine(path) + "# \(name): how does one app fare on a phone that it shares with a hundred others?\n"
            + head(name: name) + app + rest(app: "myapp")
    }

    /// Text of an experiment about the app in a file in the same folder.
    public static func text(asking file: String) -> String {
        head(name: "ask") + "app: \"\(file)\"\n" + rest(app: nil)
    }

    private static func schemaLine(_ path: String) -> String {
        let (file, near) = ("schema/experiment.json", "../models/schema/experiment.json")
        if FilePath.exists(FilePath.join(FilePath.folder(of: path), near)) { return line(near) }
        let found = ModelLibrary.located(experiment: path).folders.lazy.map { FilePath.join($0, file) }
        return found.first(where: FilePath.exists).map(line) ?? ""
    }

    private static func line(_ schema: String) -> String { "# yaml-language-server: $schema=\(schema)\n" }

    private static func head(name: String) -> String {
        """
        schema: 1
        name: \(name)
        seed: 20260101
        start: 2026-03-02 00:00
        duration: 8 d
        warmup: 1 d
        replications: 10                  # this many users, each with different days

        """
    }

    private static let app = """

        app:                              # or the path of a file that contains this map
          name: myapp
          category: news                  # supplies every key that you leave out
          footprint: 400 MiB              # on screen; less in the background, as for the category
          opened: 6 / d                   # by the user; or 3 / week
          refresh: {every: 1 h, processor: 3 s, wait: 2 s, bytes: 500 kB}    # BGAppRefreshTask, requested by the last
          processing: {per_day: 1, time: 2 min, needs_power: true}           # BGProcessingTask
          pushes: {silent_per_day: 6}     # content-available without an alert

        """

    private static func rest(app: String?) -> String {
        """

        device: iphone-13                 # flotsam list devices
        apps: {catalog: everyday, count: 120}   # the other apps on the phone
        user: {persona: average}          # flotsam list personas
        policies: {eviction: jetsam, scheduling: opportunistic}
        # sweep: {axes: {app.footprint: [400 MiB, 200 MiB]}}

        """ + (app.map { "metrics: {primary: cold_launches_per_day(app=\($0))}     # flotsam list metrics\n" } ?? "")
    }

    private static func body(name: String) -> String {
        """
        # \(name): write here, in one sentence, the question that this experiment answers.
        schema: 1
        name: \(name)                     # results go to results/\(name)
        question: Which eviction order costs the fewest relaunches?
        seed: 20260101                    # another seed gives other users; the same seed gives the same results
        start: 2026-03-02 00:00           # a Monday; the persona's working days depend on it
        duration: 5 d                     # includes the warm-up
        warmup: 1 d                       # excluded from every metric
        replications: 10                  # each has a different workload, which is the same for every policy

        device: iphone-13                 # flotsam list devices; or {base: iphone-13, memory: {ram: 3 GiB}}
        apps: {catalog: everyday, count: 120}
        user: {persona: average}          # flotsam list personas; or {trace: FILE.csv, persona: average}

        policies:                         # flotsam list policies; every combination is run
          eviction:
            - jetsam
            - lru
            # - gdsf[cost=launch-energy]  # parameters are in brackets
          scheduling:
            - opportunistic
        baseline: {eviction: jetsam, scheduling: opportunistic}

        # sweep:                          # repeats everything for each value, or each combination of values
        #   axes:
        #     device.memory.ram: [3 GiB, 4 GiB, 6 GiB]

        metrics: {primary: relaunches_per_day}     # flotsam list metrics
        analysis: {level: 95 %, equivalence: 1 %}  # differences within 1 % count as equivalent
        output: {tables: [runs, device_hours]}     # also app_days, events, requests, decisions, callbacks

        """
    }
}
