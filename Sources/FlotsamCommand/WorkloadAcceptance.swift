// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Recording
import Scenario
import UserStudies
import Workload

/// `flotsam data workload accept`: holds every persona and a population against recorded users, and writes the table.
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
        // As many apps as the persona says; days begin on a Monday.
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
            # Workloads against recorded users

            How near generated users come to recorded ones: the tests of `docs/sources/users-and-traces.md`, section 7,
            with the limits for users who are nobody in particular. \(days) days of each of \(seeds) seeds, and
            \(people) people of the population, live with an iPhone 13 under the policies of the quickstart, because
            when they charge hangs on the battery. An interval holds the value in 95 % of 200 draws of the seeds, or
            people. Tests 17 and 18 of the section are of energy and stand in [validation.md](validation.md).
            `android-2013` stands for phones of another time and is not held against these; hours of the day are not
            asked of `night-shift`, as nobody was recorded who works at night.

            Tests 13 and 14 are of other people (`docs/sources/users-and-traces.md`, section 2.5). The 26 users behind
            the hours of test 14 had their phones on the charger for 42 % of the time, because the recorder drained
            them; the four behind test 13 for 17, 16, 43 and 8 %. Who is on it for as long as their mean, 21 %, misses
            the hours by 0.21 at least, where 0.15 is asked. Personas and population stand between the two, because
            they top up often and long from chargers that give little; `light`, whose phone lasts for two days, does
            not.

            The page is written by `flotsam data workload accept -o docs/workloads.md`. What is not passed is left so,
            and named here.

            <!-- shown by: flotsam data workload accept; source -->


            """
        text += summary(judged)
        text += Self.fitting
        for one in judged {
            text += "\n## \(one.name)\n\n| test | statistic | asked | found | interval | passed |\n"
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

    /// How personas are fitted; it stands here because the same distances judge a fit.
    private static let fitting = """

        ## Personas of recordings

        `flotsam data workload fit` starts from what the recording shows, draws recordings of that persona as long as
        the real one, and moves each figure until they show the same (indirect inference: Gourieroux, Monfort and
        Renault 1993, doi:10.1002/jae.3950080507). So what a short recording distorts is undone: a fortnight shows
        too few apps, and days that differ too much. The interval is two standard errors to either side, the larger
        one of recordings of the persona and of the recording's own days drawn again. Top-ups of a real phone are
        fitted to the levels that were passed and those at which it was plugged in. How notifications are answered
        hangs on how they come: these three shares are moved together, and are told worst. The distances at the end
        of the file are those of the section's tests for a persona fitted to one user.

        <!-- shown by: PersonaFitStatisticalTests -->

        """

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
