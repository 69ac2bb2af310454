// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Platform
import Quantities
import RandomStreams

/// A population of people who differ in some traits.
///
/// Each trait is a standard normal number that changes one or more keys of a persona. Traits may be correlated.
///
/// Each person's traits are drawn from separate random streams, so person k does not depend on the size of the
/// population.
struct Population {
    /// The effect of a trait on one value.
    struct Effect: Equatable {
        /// Conversion of a standard normal number z to a value, where m is the median and s the spread.
        enum Scale: String, CaseIterable, Sendable {
            /// Value m exp(s z).
            case log
            /// Value m + s z.
            case linear
            /// Value 1 / (1 + exp(-(ln(m / (1 - m)) + s z))), for shares and probabilities.
            case logit
        }

        /// Path of the key in the persona.
        var path: [String]
        var median: Double
        var spread: Double
        var scale: Scale
        /// Unit after the number; empty if there is none.
        var unit = ""
        /// Allowed range.
        ///
        /// Values outside it are replaced by the nearer end.
        var range: ClosedRange<Double> = -Double.infinity...Double.infinity
        /// Whether the value is rounded to a whole number.
        var isWhole = false
        /// Words of a key whose values are words.
        ///
        /// The value is the index of a word, from 0.
        var words: [String] = []
        /// Plausible interval of the median.
        var interval: ClosedRange<Double>?
        /// Location of the key in the file.
        var location: Node.Location

        /// Value for a standard normal number.
        func value(at z: Double) -> Double {
            let raw =
                switch scale {
                case .log: median * exp(spread * z)
                case .linear: median + spread * z
                case .logit: 1 / (1 + exp(-(log(median / (1 - median)) + spread * z)))
                }
            let cut = min(max(raw, range.lowerBound), range.upperBound)
            return isWhole ? cut.rounded() : cut
        }

        /// Value as in a persona file, where shares are percentages.
        func node(at z: Double) -> Node {
            if !words.isEmpty {
                return Node(.scalar(words[min(Int(value(at: z)), words.count - 1)], quoted: false), at: location)
            }
            let isShare = scale == .logit
            let number = UnitText.plain(value(at: z) * (isShare ? 100 : 1))
            let unit = isShare ? "%" : unit
            return Node(.scalar(unit.isEmpty ? number : "\(number) \(unit)", quoted: false), at: location)
        }

        static func == (left: Effect, right: Effect) -> Bool {
            left.path == right.path && left.median == right.median && left.spread == right.spread
                && left.scale == right.scale
        }
    }

    /// A trait in which people differ.
    struct Trait {
        var name: String
        /// Title in words, such as "pick-ups a day".
        var title: String
        var effects: [Effect]
    }

    /// A kind of people, with their common values.
    struct Kind {
        var name: String
        var share: Double
        var habits: Node?
    }

    var name: String
    var traits: [Trait]
    var kinds: [Kind]
    /// Lower triangular matrix L.
    ///
    /// The product of L and its transpose is the correlation matrix of the traits.
    var factor: [[Double]]

    /// Draws the traits of a person, as standard normal numbers.
    func draw(person: Int, seed: UInt64) -> [Double] {
        let fresh = traits.map { trait in
            var stream = stream(person, seed, trait.name)
            return stream.normal()
        }
        return factor.map { row in zip(row, fresh).reduce(0) { $0 + $1.0 * $1.1 } }
    }

    /// Draws the kind of a person; nil if the population has no kinds.
    func kind(person: Int, seed: UInt64) -> Kind? {
        var stream = stream(person, seed, "kind")
        var left = stream.uniform() * kinds.reduce(0) { $0 + $1.share }
        for kind in kinds {
            left -= kind.share
            if left < 0 { return kind }
        }
        return kinds.last
    }

    private func stream(_ person: Int, _ seed: UInt64, _ purpose: String) -> RandomStream {
        RandomStream(StreamKey(seed: seed, replication: person, entity: "person", purpose: purpose))
    }

    /// Lower triangular factor of the Cholesky decomposition of a matrix; nil if the matrix is not positive definite.
    static func cholesky(_ matrix: [[Double]]) -> [[Double]]? {
        var factor: [[Double]] = []
        for row in matrix.indices {
            var line = [Double](repeating: 0, count: row + 1)
            for column in 0...row {
                let other = column == row ? line : factor[column]
                let rest = matrix[row][column] - (0..<column).reduce(0) { $0 + line[$1] * other[$1] }
                if column < row {
                    line[column] = rest / factor[column][column]
                } else {
                    guard rest > 1e-12 else { return nil }
                    line[column] = rest.squareRoot()
                }
            }
            factor.append(line)
        }
        return factor
    }
}
