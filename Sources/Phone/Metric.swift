/// One number per run: what it is called, what it means, and which way is better.
struct Metric: Sendable {
    /// Which way a metric is better.
    enum Direction: String, Sendable {
        case lower, higher, neutral
    }

    /// Name as in experiment files and tables.
    let name: String
    /// Unit, or `1` for shares.
    let unit: String
    /// What is counted, and over what.
    let definition: String
    /// Which way is better.
    let better: Direction

    init(_ name: String, _ unit: String, _ better: Direction, _ definition: String) {
        self.name = name
        self.unit = unit
        self.better = better
        self.definition = definition
    }
}
