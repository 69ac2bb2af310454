// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Workload

/// A person of a population, with habits and traits.
public struct Person: Sendable {
    /// Habits of the person.
    public internal(set) var persona: Persona
    /// Name of the person's kind; empty if the population has no kinds.
    public let kind: String
    /// Values of the person's traits, in the order of the population.
    ///
    /// A trait has the value of the first key that it changes.
    public let traits: [Double]
}

/// Names of a trait in tables and sentences.
public struct TraitName: Sendable, Equatable {
    /// Short name of the trait.
    public var name: String
    /// Title of the trait in words.
    public var title: String
    /// Words for the values 0, 1 and so on; empty if the values are plain numbers.
    public var words: [String]

    /// Creates a name.
    public init(name: String, title: String, words: [String] = []) {
        self.name = name
        self.title = title
        self.words = words
    }
}

/// People that an experiment draws.
///
/// Replication k uses person k.
public struct People: Sendable {
    /// Traits in which the people differ.
    public let traits: [TraitName]
    /// One person for each replication.
    public internal(set) var people: [Person]
}

extension ExperimentLoader {
    /// Largest number of people in an experiment.
    static let mostPeople = 1_000_000

    /// Draws the people of `user: {population: P, size: N}` and reads their typical persona; nil if the value has
    /// errors.
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
            // An error in one person probably occurs in many, so reading stops after the first person with problems.
            guard let habits = self.persona(habits(of: kind, population, numbers, base), tree) else { return nil }
            let traits = zip(population.traits, numbers).map { $0.effects[0].value(at: $1) }
            people.append(Person(persona: habits, kind: kind?.name ?? "", traits: traits))
        }
        let names = population.traits.map { TraitName(name: $0.name, title: $0.title, words: $0.effects[0].words) }
        return (typical, persona, People(traits: names, people: people))
    }

    /// Tree of a person: the persona, changed by the values of the person's kind, and then by the person's own values.
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

    /// Reads the composed habits.
    ///
    /// A separate report is used, so that the schema does not repeat the keys of a persona.
    private func persona(_ tree: Node, _ cursor: Cursor) -> Persona? {
        let own = ConfigReport()
        let persona = PersonaReader.read(Cursor(tree, path: cursor.path, report: own))
        report.add(own.problems)
        return persona
    }
}
