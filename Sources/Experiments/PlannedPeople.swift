// SPDX-License-Identifier: GPL-3.0-or-later
import Recording
import Scenario

/// People of a plan, one per replication, and the traits in which they differ.
public struct PlannedPeople: Sendable, Equatable {
    /// Person of one replication.
    public struct Person: Sendable, Equatable {
        /// Kind of the person; empty if the population has no kinds.
        public let kind: String
        /// Values of the person's traits, in the order of the names.
        public let traits: [Double]

        /// Creates a person.
        public init(kind: String, traits: [Double]) {
            self.kind = kind
            self.traits = traits
        }
    }

    /// Traits in which the people differ.
    public private(set) var traits: [TraitName]
    /// People with one value for each trait.
    public private(set) var people: [Person]

    /// Creates a list of people.
    public init(traits: [TraitName], people: [Person]) {
        guard (people.allSatisfy { $0.traits.count == traits.count }) else {
            fatalError("each person needs one value for each trait")
        }
        self.traits = traits
        self.people = people
    }

    /// People of an experiment; nil without a population, or if the people are not the same at all sweep points.
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

    /// Kinds of people, sorted; empty if the population has none.
    var kinds: [String] { Set(people.map(\.kind)).subtracting([""]).sorted() }
}

extension PlannedPeople: JSONDocument {
    static let fields: [JSONField<PlannedPeople>] = [
        .value(\.traits, "traits"), .value(\.kindOfEach, "kinds"), .value(\.traitsOfEach, "values"),
    ]

    init() { self.init(traits: [], people: []) }

    /// The kind of each person; the manifest has one list for each property.
    private var kindOfEach: [String] {
        get { people.map(\.kind) }
        set { people = newValue.map { Person(kind: $0, traits: []) } }
    }
    private var traitsOfEach: [[Double]] {
        get { people.map(\.traits) }
        set { people = zip(people, newValue).map { Person(kind: $0.kind, traits: $1) } }
    }

    var isSound: Bool { people.allSatisfy { $0.traits.count == traits.count } }
}

extension TraitName: JSONDocument {
    static let fields: [JSONField<TraitName>] = [
        .value(\.name, "name"), .value(\.title, "title"), .value(\.words, "words", usually: []),
    ]

    init() { self.init(name: "", title: "") }
}
