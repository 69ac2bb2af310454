// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Workload

/// One of a population: their habits, and what sets them apart.
public struct Person: Sendable {
    /// Their habits.
    public internal(set) var persona: Persona
    /// The kind of people they belong to; empty where the population names none.
    public let kind: String
    /// Their traits, in the order of the population: the value of the first key that each moves.
    public let traits: [Double]
}

/// A trait as tables and sentences name it.
public struct TraitName: Sendable, Equatable {
    /// Its name.
    public var name: String
    /// In words.
    public var title: String
    /// What its numbers stand for, from 0; empty where they are numbers.
    public var words: [String]

    /// Creates a name.
    public init(name: String, title: String, words: [String] = []) {
        self.name = name
        self.title = title
        self.words = words
    }
}

/// The people whom an experiment draws: replication k is person k.
public struct People: Sendable {
    /// In what they differ.
    public let traits: [TraitName]
    /// All of them.
    public internal(set) var people: [Person]
}

extension ExperimentLoader {
    /// Most people of an experiment.
    static let mostPeople = 1_000_000

    /// Draws the people of `user: {population: P, size: N}`, and the persona that they resemble; nil when it is wrong.
    func readPopulation(_ cursor: Cursor, size: Int) -> (typical: Persona, charger: Cursor?, people: People)? {
        guard let whole = trees.whole(cursor, .populations) else { return nil }
        let tree = Cursor(whole, path: cursor.path, report: report)
        guard let population = PopulationReader.read(tree) else { return nil }
        guard let named = whole["persona"], !named.isNull else {
            tree.fail("the key \"persona\" is missing", hint: "for instance persona: average")
            return nil
        }
        let persona = tree.child(named, key: "persona")
        guard let base = trees.whole(persona, .personas) else { return nil }
        let typical = habits(of: nil, population, [Double](repeating: 0, count: population.traits.count), base)
        guard let typical = self.persona(typical, tree) else { return nil }
        var people: [Person] = []
        people.reserveCapacity(size)
        for number in 0..<size {
            let numbers = population.draw(person: number, seed: peopleSeed)
            let kind = population.kind(person: number, seed: peopleSeed)
            // What is wrong with one is wrong with many: the first one's problems are enough.
            guard let habits = self.persona(habits(of: kind, population, numbers, base), tree) else { return nil }
            let traits = zip(population.traits, numbers).map { $0.effects[0].value(at: $1) }
            people.append(Person(persona: habits, kind: kind?.name ?? "", traits: traits))
        }
        let names = population.traits.map { TraitName(name: $0.name, title: $0.title, words: $0.effects[0].words) }
        return (typical, persona, People(traits: names, people: people))
    }

    /// The tree of a person: the persona, what their kind shares, and their own values.
    private func habits(of kind: Population.Kind?, _ population: Population, _ numbers: [Double], _ base: Node) -> Node
    {
        var tree = kind?.habits.map { $0.laid(over: base) } ?? base
        for (trait, number) in zip(population.traits, numbers) {
            for effect in trait.effects {
                switch tree.setting(effect.path, to: effect.node(at: number), at: effect.location) {
                case .success(let changed): tree = changed
                case .failure(let problems): report.add(problems)
                }
            }
        }
        return tree
    }

    /// Reads habits that were put together here; their keys are those of a persona, and no schema has them again.
    private func persona(_ tree: Node, _ cursor: Cursor) -> Persona? {
        let own = ConfigReport()
        let persona = PersonaReader.read(Cursor(tree, path: cursor.path, report: own))
        report.add(own.problems)
        return persona
    }
}
