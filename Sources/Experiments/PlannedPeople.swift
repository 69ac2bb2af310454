// SPDX-License-Identifier: GPL-3.0-or-later
import Recording
import Scenario

/// The people of a plan, one for each replication, and in what they differ.
public struct PlannedPeople: Sendable, Equatable {
    /// One of them.
    public struct Person: Sendable, Equatable {
        /// The kind of people they belong to; empty where the population names none.
        public let kind: String
        /// Their traits, in the order of the names.
        public let traits: [Double]

        /// Creates a person.
        public init(kind: String, traits: [Double]) {
            self.kind = kind
            self.traits = traits
        }
    }

    /// In what they differ.
    public let traits: [TraitName]
    /// Each person has one value for each trait.
    public let people: [Person]

    /// Creates a list of people.
    public init(traits: [TraitName], people: [Person]) {
        precondition(people.allSatisfy { $0.traits.count == traits.count }, "a person has one value for each trait")
        self.traits = traits
        self.people = people
    }

    /// The people of an experiment; nil without a population, and where the sweep points have different ones.
    init?(_ experiment: Experiment) {
        let all = experiment.points.map { point in
            point.people.map { people in
                PlannedPeople(
                    traits: people.traits, people: people.people.map { Person(kind: $0.kind, traits: $0.traits) })
            }
        }
        guard let first = all.first.flatMap({ $0 }), all.allSatisfy({ $0 == first }) else { return nil }
        self = first
    }

    /// The kinds, sorted; empty where the population names none.
    var kinds: [String] { Set(people.map(\.kind)).subtracting([""]).sorted() }
}

extension PlannedPeople {
    /// As the manifest keeps it.
    var json: JSONValue {
        .object([
            "traits": .array(
                traits.map { trait in
                    let words = trait.words.isEmpty ? [:] : ["words": JSONValue.array(trait.words.map { .string($0) })]
                    return .object(["name": .string(trait.name), "title": .string(trait.title)].merging(words) { $1 })
                }),
            "kinds": .array(people.map { .string($0.kind) }),
            "values": .array(people.map { .array($0.traits.map { .number($0) }) }),
        ])
    }

    /// Reads it back; nil when it is incomplete.
    init?(json: JSONValue) {
        guard let names = json["traits"]?.array, let kinds = json["kinds"]?.array?.compactMap(\.string),
            let values = json["values"]?.array, kinds.count == values.count
        else { return nil }
        let traits = names.compactMap { each -> TraitName? in
            guard let name = each["name"]?.string, let title = each["title"]?.string else { return nil }
            return TraitName(name: name, title: title, words: each["words"]?.array?.compactMap(\.string) ?? [])
        }
        let people = zip(kinds, values).compactMap { kind, list -> Person? in
            guard let numbers = list.array?.compactMap(\.number), numbers.count == traits.count else { return nil }
            return Person(kind: kind, traits: numbers)
        }
        guard traits.count == names.count, people.count == kinds.count else { return nil }
        self.init(traits: traits, people: people)
    }
}
