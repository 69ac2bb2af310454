// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Phone
import Scenario
import Recording
import Statistics
import Testing

@testable import Experiments

/// The sentences of a verdict, word for word.
///
/// Every list of differences is m + s and m - s by turns over twelve pairs, so the half-width of Student's interval is
/// s times 2.200985 / √11 = 0.663622, and the interval has no skewness to allow for.
@Suite struct FindingsTests {
    /// The spread of differences whose half-width is one.
    private static let one = 1 / 0.663622

    /// Signs that sum to zero, and so do the products of two of different rows.
    private static let signs: [[Double]] = [
        [1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1], [1, 1, -1, -1, 1, 1, -1, -1, 1, 1, -1, -1],
    ]

    /// The sentences on policies whose difference from the baseline, 100 relaunches a day, is a mean with a half-width.
    private func sentences(
        _ policies: [(name: String, mean: Double, halfWidth: Double)], replications: Int = 12, points: Int = 1,
        primary: String = "relaunches_per_day", remarks: [String: [String]] = [:], others: [String] = [],
        isOfSchedules: Bool = false
    ) throws -> [String] {
        let names = ["jetsam"] + policies.map(\.name)
        let plan = Plan(
            name: "x", schema: 1, seed: 1, axes: points > 1 ? ["device.memory.ram"] : [],
            points: (0..<points).map {
                PlannedPoint(values: points > 1 ? ["\($0 + 3) GiB"] : [], configuration: UInt64($0 + 1))
            },
            policies: names.map {
                isOfSchedules
                    ? PlannedPolicy(eviction: "jetsam", scheduling: $0)
                    : PlannedPolicy(eviction: $0, scheduling: "opportunistic", remarks: remarks[$0] ?? [])
            }, baseline: 0, replications: replications, tables: [], analysis: Analysis(primary: primary))
        let judgement = try judge(plan) { run in
            let user = 10 * Self.signs[0][run.replication % 12]
            guard run.policy > 0 else { return 100 + user }
            // At the second point the first two rivals change places.
            let swapped = run.point == 1 && run.policy < 3 ? 3 - run.policy : run.policy
            let policy = policies[swapped - 1]
            let sign = Self.signs[(swapped - 1) % 2][run.replication % 12]
            return 100 + user + policy.mean + sign * policy.halfWidth * Self.one
        }
        return Findings(judgement, others: others.compactMap { plan.metrics.index(of: $0) }).sentences
    }

    @Test func `the winner comes first, with the difference, its interval and the pairs`() throws {
        let found = try sentences([("lru", -53, 11), ("largest", 20, 4)])
        #expect(found[0] == "lru has 53 % fewer relaunches per day than jetsam [42, 64], 12 pairs.")
        #expect(found[1] == "Against jetsam, worse: largest (20 % more).")
        // The variance of each policy is that of the users, 100, plus for lru that of the differences, 16.58²; the sum
        // over the latter is 1.36 for the pattern that adds to the users' own.
        #expect(found.count == 4)
        // Each metric of these made-up runs is the same, the bound as well.
        #expect(
            found[2] == "No order of eviction can save more than 53 % of jetsam's relaunches per day here, with the "
                + "opens, the background work and the daemons of these runs; lru saves 53 %.")
    }

    @Test func `schedules compared by age are told what fresh copies need at least`() throws {
        func bound(_ primary: String, isOfSchedules: Bool) throws -> String? {
            try sentences([("hush", -53, 11), ("never", 20, 4)], primary: primary, isOfSchedules: isOfSchedules)
                .first { $0.hasPrefix("To keep every copy") }
        }
        // Each metric of these made-up runs is the same: 100 under the baseline, 47 under hush, the freshest.
        let said = try #require(try bound("content_age_s_mean", isOfSchedules: true))
        #expect(
            said
                == "To keep every copy at most fresh_for old at each open, a schedule needs at least 47 fetch "
                + "occasions a day "
                + "outside of sessions; jetsam uses 100 and leaves 10000 % of opens with an older copy, hush uses "
                + "47 and leaves 4700 % of opens with an older copy.")
        #expect(try bound("content_age_s_mean", isOfSchedules: false) == nil)
        #expect(try bound("relaunches_per_day", isOfSchedules: true) == nil)
    }

    @Test func `no more than all relaunches can be spared`() throws {
        let found = try sentences([("lru", -95, 11)])
        #expect(found[0] == "lru has 95 % fewer relaunches per day than jetsam [84, 100], 12 pairs.")
    }

    @Test func `a tie with the winner is said, with the pairs that would tell`() throws {
        // lru and gdsf differ by 2 ± √(5² + 5²) = 7.07 of a mean of 47; a half-width of 0.47 takes
        // 12 · (7.07 / 0.47)² = 2716.2 pairs, 2705 more.
        let found = try sentences([("lru", -53, 5), ("gdsf", -51, 5)])
        #expect(
            found[0]
                == "lru has 53 % fewer relaunches per day than jetsam [48, 58], 12 pairs; no significant difference "
                + "from gdsf; about 2705 more pairs would detect a difference of 2 %.")
        #expect(found[1] == "Against jetsam, also better: gdsf (51 % fewer).")
    }

    @Test func `an equal of the winner is called equivalent`() throws {
        // 0.1 ± 0.14 of a mean of 47 lies within 1 %.
        let found = try sentences([("lru", -53, 0.1), ("gdsf", -52.9, 0.1)])
        #expect(
            found[0]
                == "lru has 53 % fewer relaunches per day than jetsam [53, 53], 12 pairs; gdsf is equivalent to it.")
    }

    @Test func `of more than five that are open three are told, and the number of the others`() throws {
        let many = (1...6).map { (name: "p\($0)", mean: -Double($0) / 5, halfWidth: 3.0) }
        let found = try sentences(many)
        #expect(
            found[0].hasPrefix(
                "No policy is significantly better than jetsam in relaunches per day, 12 pairs: no significant "
                    + "difference from p6 (1.2 % fewer [-1.8, 4.2]), p5 (1 % fewer [-2, 4]), p4 (0.8 % fewer "
                    + "[-2.2, 3.8]) and 3 more; "))
        let five = try sentences(Array(many.prefix(5)))
        #expect(
            five[0].contains("and p1 (0.2 % fewer [-2.8, 3.2]); ") && !five[0].contains("and 3 more;")
        )
    }

    @Test func `undecided, equivalent and worse rivals are told when nobody wins`() throws {
        // ± 3 of 100: 12 · (3 / 1)² = 108 pairs, 96 more.
        let found = try sentences([("lru", -2, 3), ("gdsf", 0.2, 0.5), ("fifo", 8, 2)])
        #expect(
            found[0] == "No policy is significantly better than jetsam in relaunches per day, 12 pairs: no significant "
                + "difference from lru (2 % fewer [-1, 5]); gdsf (0.2 % more [-0.3, 0.7]) is equivalent within 1 %; "
                + "fifo (8 % more [6, 10]) is worse; about 96 more pairs would detect a difference of 2 %.")
    }

    @Test func `too few pairs decide nothing`() throws {
        #expect(
            try sentences([("lru", -53, 5)], replications: 4) == [
                "4 pairs decide nothing, because a verdict needs 5 that differ."
            ])
    }

    @Test func `a policy that differs in no pair is said to`() throws {
        #expect(
            try sentences([("lru", 0, 0)])[0]
                == "No policy is significantly better than jetsam in relaunches per day, 12 pairs: no significant "
                + "difference from lru (differs in 0 of 12).")
    }

    private static let remarks = ["belady": ["reads the future, so it is a reference and not a rival"]]

    @Test func `a policy with foresight is no winner, and the winner's share of its gap is told`() throws {
        let found = try sentences([("lru", -30, 0), ("belady", -60, 0)], remarks: Self.remarks)
        #expect(found[0].hasPrefix("No policy is significantly better than jetsam"))
        let won = try sentences([("lru", -30, 3), ("belady", -60, 3)], remarks: Self.remarks)
        #expect(won[0] == "lru has 30 % fewer relaunches per day than jetsam [27, 33], 12 pairs.")
        let told = "belady, a heuristic with foresight, has 60 % fewer [57, 63] relaunches per day: lru closes 50 % of "
        #expect(won.contains { $0.hasPrefix(told + "that gap [") })
    }

    @Test func `a rival that beats the policy with foresight is said to, and no share is above 100 per cent`() throws {
        let won = try sentences([("gdsf", -60, 3), ("belady", -26, 3)], remarks: Self.remarks)
        #expect(won[0].hasPrefix("gdsf has 60 % fewer"))
        #expect(
            won.contains(
                "belady, a heuristic with foresight, has 26 % fewer [23, 29] relaunches per day: gdsf does better, so "
                    + "belady is not a bound."))
        // A share of 102 % that may as well be one below 100 %.
        let even = try sentences([("gdsf", -61, 9), ("belady", -60, 3)], remarks: Self.remarks)
        #expect(
            even.contains {
                $0.hasSuffix("relaunches per day: the difference between gdsf and belady is not significant.")
            })
        // 58 of 60, give or take 9: its interval reaches beyond the gap.
        let near = try sentences([("gdsf", -58, 9), ("belady", -60, 3)], remarks: Self.remarks)
        #expect(near.contains { $0.contains("gdsf closes 97 % of that gap [") && $0.hasSuffix(", 100 or more].") })
    }

    @Test func `a policy with foresight that loses, or whose gap is open, has no share`() throws {
        let lost = try sentences([("gdsf", -30, 3), ("belady", 20, 3)], remarks: Self.remarks)
        #expect(
            lost.contains(
                "belady, a heuristic with foresight, has 20 % more [17, 23] relaunches per day: jetsam does better, so "
                    + "belady is not a bound."))
        let open = try sentences([("gdsf", -30, 3), ("belady", -2, 3)], remarks: Self.remarks)
        #expect(open.contains("belady, a heuristic with foresight, has 2 % fewer [-1, 5] relaunches per day."))
    }

    @Test func `where all others are references, what they reach is all there is to say`() throws {
        let told = "belady, a heuristic with foresight, has 60 % fewer [57, 63] relaunches per day."
        #expect(try sentences([("belady", -60, 3)], remarks: Self.remarks).first == told)
        let both = try sentences([("belady", -60, 3), ("unbounded", -90, 3)], points: 2, remarks: Self.remarks)
        #expect(
            both.first == "device.memory.ram = 3 GiB: " + told.dropLast()
                + "; unbounded, a phone with unlimited memory, has 90 % fewer [87, 93] relaunches per day.")
    }

    @Test func `remarks of older results are worded as those of today`() throws {
        let text =
            #"{"name": "belady+never", "eviction": "belady", "scheduling": "never", "#
            + #""remarks": ["reads the future: a bound, not a rival", "other"]}"#
        let policy = try #require(PlannedPolicy(json: try JSONValue(parsing: text)))
        #expect(policy.remarks == ["reads the future, so it is a reference and not a rival", "other"])
        #expect(policy.isReference && !PlannedPolicy(eviction: "lru", scheduling: "never").isReference)
    }

    /// One rival at two sweep points, with a mean difference and a half-width at each; the pattern of its differences
    /// may be another one at the second.
    private func sweep(_ points: [(mean: Double, halfWidth: Double)], isOther: Bool) throws -> [String] {
        let plan = Plan(
            name: "x", schema: 1, seed: 1, axes: ["ram"],
            points: ["3 GiB", "4 GiB"].enumerated().map { PlannedPoint(values: [$1], configuration: UInt64($0 + 1)) },
            policies: ["jetsam", "lru"].map { PlannedPolicy(eviction: $0, scheduling: "opportunistic") }, baseline: 0,
            replications: 12, tables: [], analysis: Analysis(primary: "relaunches_per_day"))
        let judgement = try judge(plan) { run in
            guard run.policy > 0 else { return 100 }
            let sign = Self.signs[isOther && run.point == 1 ? 1 : 0][run.replication]
            return 100 + points[run.point].mean + sign * points[run.point].halfWidth * Self.one
        }
        return Findings(judgement).sentences
    }

    @Test func `sure at one sweep point and open at another is no dependence on the point`() throws {
        let found = try sweep([(-27, 3), (-25, 30)], isOther: true)
        #expect(
            found[0]
                == "Compared with jetsam in relaunches per day, lru is better at ram = 3 GiB, undecided at ram = 4 "
                + "GiB; "
                + "no difference between points is significant.")
        #expect(!found.contains { $0.contains("depends") })
    }

    @Test func `differences of the same users that surely part between points are a dependence`() throws {
        let found = try sweep([(-27, 3), (0, 3)], isOther: true)
        #expect(
            found[0]
                == "Compared with jetsam in relaunches per day, lru is better at ram = 3 GiB, undecided at ram = 4 "
                + "GiB; "
                + "the difference depends on the sweep point.")
    }

    @Test func `the same winner at every point is said to win there`() throws {
        let found = try sweep([(-27, 3), (-40, 3)], isOther: true)
        #expect(
            found[0] == "lru has the best mean relaunches per day at all 2 sweep points, and is significantly better "
                + "than jetsam at each.")
    }

    @Test func `a sweep says first where who wins`() throws {
        let found = try sentences([("lru", -53, 3), ("gdsf", -20, 3)], points: 2)
        #expect(
            found == [
                "The policy that is best in relaunches per day depends on the sweep point: lru at device.memory.ram = "
                    + "3 GiB; gdsf at device.memory.ram = 4 GiB.",
                "device.memory.ram = 3 GiB: lru has 53 % fewer relaunches per day than jetsam [50, 56], 12 pairs.",
                "device.memory.ram = 4 GiB: gdsf has 53 % fewer relaunches per day than jetsam [50, 56], 12 pairs.",
            ])
    }

    @Test func `a metric that judges nothing ranks nobody`() throws {
        #expect(
            try sentences([("lru", -53, 5)], primary: "refreshes_per_day") == [
                "For refreshes per day, neither a higher nor a lower value is better, so this metric ranks no policy; "
                    + "choose another primary metric."
            ])
    }

    @Test func `what the winner costs is marked as exploratory`() throws {
        let found = try sentences(
            [("lru", -53, 11)], others: ["kills_per_day", "resumes_per_day", "refreshes_per_day", "battery_pct_at_22h"])
        #expect(
            found.contains(
                "Other metrics (exploratory), lru against jetsam: better: 53 % fewer [42, 64] kills per day; worse: "
                    + "53 % fewer [42, 64] resumes per day, 53 points lower [42, 64] battery level at 22:00; neither "
                    + "way is better: 53 % fewer [42, 64] refreshes per day."))
    }

    @Test func `pairing is valued by the runs it saves`() throws {
        // lru's differences follow signs of their own, ± 10: variances 100 and 200 against 100, all times 12/11.
        let found = try sentences([("none", 0, 0), ("lru", -53, 6.63622)])
        #expect(
            found.last
                == "Running both policies with the same users divided the variance of the difference between lru and "
                + "jetsam by 3: 12 pairs are worth 36 independent runs of each.")
    }

    @Test func `differences that are equal up to rounding are not worth a number of runs`() throws {
        let found = try sentences([("none", 0, 0), ("lru", -53, 1e-12)])
        #expect(found[0].hasPrefix("lru has 53 % fewer relaunches per day than jetsam"))
        #expect(!found.contains { $0.hasPrefix("Running both policies") })
    }

    @Test func `ranks are those that all pairs leave open`() throws {
        let plan = Plan(
            name: "x", schema: 1, seed: 1, points: [PlannedPoint(values: [], configuration: 1)],
            policies: ["a", "b", "c", "d"].map { PlannedPolicy(eviction: $0, scheduling: "s") }, baseline: 0,
            replications: 12, tables: [], analysis: Analysis(primary: "relaunches_per_day"))
        let means = [100.0, 50, 51, 150]
        let judgement = try judge(plan) { run in
            means[run.policy] + Double(5 + run.policy) * Self.signs[run.policy % 2][run.replication]
        }
        let ranking = try #require(Findings(judgement).ranking(0))
        #expect(ranking.entries.map(\.policy) == [1, 2, 0, 3])
        #expect(ranking.entries.map(\.text) == ["1 to 2", "1 to 2", "3", "4"])
        #expect(ranking.comparisons == 6)
    }

    @Test func `ranks correct the comparisons of all pairs together`() throws {
        let plan = Plan(
            name: "x", schema: 1, seed: 1, points: [PlannedPoint(values: [], configuration: 1)],
            policies: ["a", "b", "c"].map { PlannedPolicy(eviction: $0, scheduling: "s") }, baseline: 0,
            replications: 5, tables: [], analysis: Analysis(primary: "relaunches_per_day"))
        // Differences of mean 1 and deviation 0.66: t = 3.4, p = 0.027 for each neighbour, and t = 6.4, p = 0.003 for
        // the ends. Holm makes 0.055, 0.055 and 0.009 of them: only the ends differ surely.
        let steps = [[0, 0, 0, 0, 0], [1.9, 0.4, 1.2, 0.3, 1.2], [0.4, 1.2, 1.9, 1.2, 0.3]]
        let judgement = try judge(plan) { run in
            10 + Double(run.replication) + (0...run.policy).reduce(0) { $0 + steps[$1][run.replication] }
        }
        let ranking = try #require(Findings(judgement).ranking(0))
        #expect(ranking.entries.map(\.text) == ["1 to 2", "1 to 3", "2 to 3"])
    }

    @Test(arguments: [
        ("content_age_s_mean", "mean content age"), ("launch_ms_p95", "95th-percentile launch"),
        ("energy_wh_per_day", "energy per day"), ("battery_pct_at_22h", "battery level at 22:00"),
        ("hours_below_20_pct_per_day", "hours below 20 % per day"), ("relaunches_per_day", "relaunches per day"),
        ("exits_bg_cpu_limit_per_day", "exits background CPU limit per day"),
    ])
    func `a metric's title is its name in words`(name: String, title: String) throws {
        let metrics = MetricList(MetricCatalog.catalogue)
        let entry = metrics.entries[try #require(metrics.index(of: name))]
        #expect(entry.title == title)
    }

    @Test func `the title of an app's metric names the app`() throws {
        let request = try MetricCatalog.catalogue.request("relaunches_per_day(app=mail)")
        let metrics = MetricList(MetricCatalog.catalogue, ofApps: [request])
        #expect(metrics.entries.last?.title == "relaunches of mail per day")
        #expect(Set(metrics.entries.map(\.title)).count == metrics.entries.count)
    }
}
