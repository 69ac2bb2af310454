// SPDX-License-Identifier: GPL-3.0-or-later
import Files

/// The commented experiment that `flotsam new` writes.
public enum ExperimentTemplate {
    /// The text for an experiment of a name (lower-case letters, digits and hyphens).
    ///
    /// - Parameter path: Where it will stand; an editor is told of the schema when the schema is found from there.
    public static func text(name: String, path: String = "experiments/new.yaml") -> String {
        let schema = "../models/schema/experiment.json"
        let isThere = FilePath.exists(FilePath.join(FilePath.folder(of: path), schema))
        return (isThere ? "# yaml-language-server: $schema=\(schema)\n" : "") + body(name: name)
    }

    private static func body(name: String) -> String {
        """
        # \(name): say here in one sentence which question this experiment answers.
        schema: 1
        name: \(name)                     # results go to results/\(name)
        question: Which eviction order costs the fewest relaunches?
        seed: 20260101                    # another seed, another set of users; the same seed, the same bits
        start: 2026-03-02 00:00           # a Monday; the persona's working days hang on it
        duration: 5 d                     # includes the warm-up
        warmup: 1 d                       # deleted from every metric
        replications: 10                  # each sees a workload of its own, the same for every policy

        device: iphone-13                 # flotsam list devices; or {base: iphone-13, memory: {ram: 3 GiB}}
        apps: {catalog: everyday, count: 120}
        user: {persona: average}          # flotsam list personas; or {trace: FILE.csv, persona: average}

        policies:                         # flotsam list policies; every combination is run
          eviction:
            - jetsam
            - lru
            # - gdsf[cost=launch-energy]  # parameters stand in brackets
          scheduling:
            - opportunistic
        baseline: {eviction: jetsam, scheduling: opportunistic}

        # sweep:                          # repeats everything for each value, or each combination of values
        #   axes:
        #     device.memory.ram: [3 GiB, 4 GiB, 6 GiB]

        metrics: {primary: relaunches_per_day}     # flotsam list metrics
        analysis: {level: 95 %, equivalence: 1 %}  # differences within 1 % count as none
        output: {tables: [runs, device_hours]}     # also app_days, events, requests, decisions, callbacks

        """
    }
}
