// SPDX-License-Identifier: GPL-3.0-or-later
import Numerics

/// How strongly each input affects a result, by Morris' elementary effects.
///
/// An elementary effect is the change of the result along one step of a trajectory, divided by the length of the step.
/// The length is a share of the input's range, so an effect has the unit of the result.
///
/// Source: M. D. Morris, Technometrics 33 (1991) 161-174, doi:10.1080/00401706.1991.10484804. The mean of absolute
/// effects: F. Campolongo, J. Cariboni, A. Saltelli, Environmental Modelling & Software 22 (2007) 1509-1518,
/// doi:10.1016/j.envsoft.2006.10.004.
public struct ElementaryEffects: Equatable, Sendable {
    /// Mean effect of each input; negative if the result falls.
    public let mean: [Double]
    /// Mean of the absolute effects of each input, a measure of its importance.
    public let size: [Double]
    /// Standard deviation of each input's effects; zero for one trajectory.
    ///
    /// A deviation that is large compared with `size` means that the effect is not linear or that inputs interact.
    public let deviation: [Double]

    /// Computes the effects.
    ///
    /// - Parameters:
    ///   - points: points as laid out by `SamplingDesign.morris`, each coordinate from 0 to 1.
    ///   - values: the result at each point.
    public init(points: [[Double]], values: [Double]) {
        let inputs = points[0].count
        guard points.count == values.count && points.count.isMultiple(of: inputs + 1) else {
            fatalError("elementary effects need complete trajectories, with one value for each point")
        }
        var effects = [[Double]](repeating: [], count: inputs)
        for start in stride(from: 0, to: points.count, by: inputs + 1) {
            for index in start..<start + inputs {
                let (from, to) = (points[index], points[index + 1])
                guard let input = from.indices.first(where: { from[$0] != to[$0] }) else { continue }
                effects[input].append((values[index + 1] - values[index]) / (to[input] - from[input]))
            }
        }
        let moments = effects.map { Moments($0) }
        mean = moments.map(\.mean)
        size = effects.map { Moments($0.map { abs($0) }).mean }
        deviation = moments.map(\.standardDeviation)
    }
}
