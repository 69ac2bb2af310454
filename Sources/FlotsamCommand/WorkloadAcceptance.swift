// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Files
import Recording
import Scenario
import UserStudies
import Workload

/// `flotsam data workload accept`: compares every persona and a population with recorded users, and writes the table.
struct WorkloadAcceptance {
    private static let mark = "<!-- written by: flotsam data workload accept -->"

    let population: String
    let people: Int
    let days: Int
    let seeds: Int
    let setting: Setting

    private struct Judged {
        let name: String
        let study: AcceptanceStudy
    }

    func run(output: OutputTarget?) throws -> Int32 {
        try output?.check(mark: Self.mark)
        var judged = try ModelLibrary.located().names(.personas).filter { $0 != "android-2013" }.map { name in
            try judge("{persona: \(name)}", count: seeds, name: name, title: name)
        }
        judged.append(
            try judge(
                "{population: \(population), size: \(people)}", count: people, name: nil,
                title: "\(population), \(people) people"))
        let text = page(judged)
        guard let output else { return Console.out(text) }
        try output.write(Array(text.utf8), mark: Self.mark)
        let passed = judged.map { "\($0.name) \($0.study.rows.count(where: \.passed)) of \($0.study.rows.count)" }
        return Console.out("\(output.path): passed by " + passed.joined(separator: ", ") + "\n")
    }

    private func judge(_ user: String, count: Int, name: String?, title: String) throws(Diagnostics) -> Judged {
        // The number of apps is that of the persona; the first day is a Monday.
        let experiment = try SimulatedUsers.experiment(
            user: user, apps: nil, days: days, replications: count, seed: 20_260_101, setting)
        let samples = SimulatedUsers.samples(of: experiment, count: count)
        return Judged(
            name: title,
            study: AcceptanceStudy(persona: name, samples: samples, base: experiment.points[0].user.persona))
    }

    private func page(_ judged: [Judged]) -> String {
        var text = """
            \(Self.mark)
            # Users against recordings

            This page compares generated users with recorded users. [users.md](../users.md) explains the users.
            The command `flotsam data workload accept -o docs/evidence/users.md` writes this page.

            The tests are those of [recorded users, section 7](../../models/recordings.md#7-acceptance-tests), with
            the limits of the column "population". Each persona is simulated for \(days) days with each of \(seeds)
            seeds, and each of \(people) people of the population for \(days) days. Their phone is an iPhone 13 under
            the policies of the quickstart, because the charges depend on its battery. The interval covers the value
            in 95 % of 200 bootstrap samples of the seeds, or of the people.

            Some tests do not apply. `android-2013` models a phone of an earlier decade. `night-shift` is not tested
            for the hours of the day, because none of the recorded people works at night. `lived` has no daily counts
            in test 8.

            Tests 13 and 14 come from different people. The 26 users of test 14 had their phones on the charger for
            42 % of the time, because the recorder drained them. The four users of test 13 had their phones on the
            charger for 17, 16, 43 and 8 %, on average 21 %. A user who charges for 21 % of the time has a mean error
            of at least 0.21 in test 14 (on the charger, by hour). The limit is 0.15. Most personas and the population
            lie between the two groups: they charge often and for long, from weak chargers. `light` charges less,
            because its phone lasts for two days.

            <!-- shown by: flotsam data workload accept; source -->


            """
        text += summary(judged)
        for one in judged {
            text += "\n## \(one.name)\n\n| test | statistic | required | found | interval | passed |\n"
            text += "|---|---|---|---|---|---|\n"
            for row in one.study.rows {
                let ends = [row.interval.lowerBound, row.interval.upperBound].map(PersonaFit.short)
                text += "| \(row.number) | \(row.statistic) | \(row.band) | \(PersonaFit.short(row.found)) | "
                text += "\(ends[0]) to \(ends[1]) | \(row.passed ? "yes" : "**no**") |\n"
            }
            text += "\n<!-- shown by: flotsam data workload accept -->\n"
        }
        return text
    }

    private func summary(_ judged: [Judged]) -> String {
        var text = "| users | passed | not passed |\n|---|---|---|\n"
        for one in judged {
            let missed = one.study.rows.filter { !$0.passed }
            text +=
                "| \(one.name) | \(one.study.rows.count - missed.count) of \(one.study.rows.count) | "
                + "\(missed.map { "\($0.statistic) (\($0.number))" }.joined(separator: "; ")) |\n"
        }
        return text
    }
}
