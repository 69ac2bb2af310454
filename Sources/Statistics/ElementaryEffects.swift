// SPDX-License-Identifier: GPL-3.0-or-later
import Numerics

/// How strongly each input acts on a result, by Morris' elementary effects.
///
/// An elementary effect is the change of the result along one step of a trajectory over the length of the step, which
/// is measured in whole ranges: the unit of an effect is that of the result.
///
/// Source: M. D. Morris, Technometrics 33 (1991) 161-174, doi:10.1080/00401706.1991.10484804; the mean of the sizes
/// from F. Campolongo, J. Cariboni, A. Saltelli, Environmental Modelling & Software 22 (2007) 1509-1518,
/// doi:10.1016/j.envsoft.2006.10.004.
public struct ElementaryEffects: Equatable, Sendable {
    /// The mean effect of each input: negative where the result falls.
    public let mean: [Double]
    /// The mean size of each input's effects: how much it matters.
    public let size: [Double]
    /// The standard deviation of each input's effects: large beside the size where it is not linear or acts through
    /// others; zero for one trajectory.
    public let deviation: [Double]

    /// Works out the effects.
    ///
    /// - Parameters:
    ///   - points: as `SamplingDesign.morris` lays them out, in ranges: 0 to 1.
    ///   - values: the result at each point.
    public init(points: [[Double]], values: [Double]) {
        let inputs = points[0].count
        guard points.count == values.count && points.count.isMultiple(of: inputs + 1) else {
            fatalError("whole trajectories")
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
