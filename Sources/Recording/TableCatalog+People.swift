// SPDX-License-Identifier: GPL-3.0-or-later
import Measures

extension TableCatalog {
    /// Tables that exist only for experiments with a population.
    public static func ofPeople(axes: [Column], traits: [(name: String, title: String)]) -> [TableSchema] {
        [people(traits: traits), who(axes: axes)]
    }

    /// One row per person.
    public static func people(traits: [(name: String, title: String)]) -> TableSchema {
        TableSchema(
            "people", title: "traits of the people",
            columns: [
                Column("replication", "", .integer, "replication, from 0, in which the person has the phone"),
                Column("kind", "", .string, "kind of the person; empty where the population has no kinds"),
            ] + traits.map { Column($0.name, "", .number, $0.title) })
    }

    /// One row per metric, policy (except the baseline), sweep point and group of people.
    public static func who(axes: [Column]) -> TableSchema {
        let unit = "unit of the metric"
        return TableSchema(
            "who", title: "people for whom a policy is worse or better than the baseline",
            columns: [metric, Column("baseline", "", .string, "policy compared with"), policy] + axes + [
                Column(
                    "trait", "", .string,
                    "trait that defines the group; kind for a kind of people; empty for all people"),
                Column("group", "", .string, "all; low, middle or high third of a trait; or a kind of people"),
                Column("from", "", .number, "smallest value of the trait in the group"),
                Column("to", "", .number, "largest value of the trait in the group"),
                Column("people", "1", .integer, "number of people in the group with a value under both policies"),
                Column(
                    "harmed", "1", .integer,
                    "number of people whose value is worse by more than the band of equivalence (a share of their "
                        + "value under the baseline)"),
                Column("helped", "1", .integer, "number of people whose value is better by more than this band"),
                Column("harmed_share", "1", .number, "harmed divided by people"),
                Column("share_low", "1", .number, "lower end of the Wilson interval of harmed_share"),
                Column("share_high", "1", .number, "upper end of the Wilson interval of harmed_share"),
                Column("difference", unit, .number, "policy minus baseline, mean over the people"),
                Column(
                    "low", unit, .number,
                    "lower end of the interval of the difference; empty where too few pairs differ"),
                Column(
                    "high", unit, .number,
                    "upper end of the interval of the difference; empty where too few pairs differ"),
                Column(
                    "worst_tenth", unit, .number,
                    "mean difference over the tenth of people who lose most; their number is rounded up"),
                Column(
                    "tau", "1", .number,
                    "Kendall's tau-b of the trait and the loss, over all people; if above 0, people with high values "
                        + "of the trait lose more"
                ),
                Column(
                    "tau_p", "1", .number,
                    "p-value of tau by the normal approximation, corrected by Holm's method over the traits"),
            ])
    }
}
