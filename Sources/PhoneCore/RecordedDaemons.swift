// SPDX-License-Identifier: GPL-3.0-or-later
import Platform
import Processes
import Quantities

/// Limits of daemons, and the variation of their sizes, from published reports and tables.
///
/// The data of two sources are joined by the names of daemons. Report 04 has footprints and their lifetime maxima (F.
/// Memon, "iOS Crash Dump Analysis"; iPhone 11, iOS 14.2). Limits come from the rows of
/// `com.apple.jetsamproperties.D22.plist` (github eycorsican/jetsamproperties, March 2019; an iPhone X). 221 of the
/// report's 359 daemons are in both.
package struct RecordedDaemons: Sendable {
    /// Share of the daemons with their own limits; the others have the device's limit.
    let limitedShare: Double
    /// Minimum, deciles and maximum of footprint divided by active limit.
    let fill: [Double]
    /// Minimum, deciles and maximum of inactive limit divided by active limit.
    let inactive: [Double]

    /// Data of 157 idle and ageing daemons, of which 100 have their own limits.
    static let idle = RecordedDaemons(
        limitedShare: 0.64, fill: [0.012, 0.073, 0.094, 0.126, 0.144, 0.177, 0.205, 0.252, 0.402, 0.585, 1.018],
        inactive: [0.056, 0.637, 1, 1, 1, 1, 1, 1, 1, 1, 1])
    /// Data of 23 working daemons, of which 18 have their own limits.
    static let working = RecordedDaemons(
        limitedShare: 0.78, fill: [0.052, 0.148, 0.172, 0.250, 0.451, 0.502, 0.575, 0.602, 0.630, 0.663, 0.917],
        inactive: [0.122, 0.291, 0.5, 0.63, 0.714, 0.721, 0.727, 1, 1, 1, 1])
    /// Data of 41 daemons in the bands above the foreground, of which 35 have their own limits.
    static let core = RecordedDaemons(
        limitedShare: 0.85, fill: [0.021, 0.056, 0.136, 0.206, 0.243, 0.271, 0.345, 0.472, 0.552, 0.626, 0.782],
        inactive: [0.047, 0.573, 0.75, 0.933, 1, 1, 1, 1, 1, 1, 1])

    /// The smallest limit in the table, in MiB.
    private static let least = 4.0

    /// The limits of a daemon with this footprint, in whole mebibytes.
    ///
    /// Active limits are soft and inactive limits are fatal, as in 318 of 375 rows with limits.
    ///
    /// - Parameters:
    ///   - spread: Three numbers from 0 to 1, evenly spread over the daemons and independent of their sizes. They
    ///   determine whether the daemon has limits, its footprint relative to the limit, and the ratio of the two limits.
    func limits(
        of footprint: ByteCount, spread: (Double, Double, Double)
    ) -> (active: MemoryLimit, inactive: MemoryLimit) {
        guard spread.0 < limitedShare else { return (.standard, .standard) }
        let active = max(Self.least, (footprint.mebibytes / quantile(fill, at: spread.1)).rounded(.up))
        // A daemon that was idle in the report was not above its fatal limit at that time.
        let lower = max(Self.least, footprint.mebibytes, active * quantile(inactive, at: spread.2)).rounded(.up)
        return (
            MemoryLimit(.mebibytes(active), isFatal: false),
            MemoryLimit(.mebibytes(min(active, lower)), isFatal: true)
        )
    }

    /// Lifetime maximum divided by present footprint of the report's 270 idle daemons, most of them 43 h old.
    private static let maxima = [1, 1.021, 1.037, 1.052, 1.065, 1.091, 1.121, 1.193, 1.383, 1.972, 13.096]
    /// Size of one spell of work relative to the ordinary size.
    ///
    /// The arguments are a number from 0 to 1 and the mean time between two spells.
    ///
    /// The largest of a daemon's spells in 43 h has the distribution `maxima`. The quantile q of this maximum is the
    /// quantile q^(1 / spells) of one spell.
    package static func spellFactor(_ uniform: Double, gap: SimDuration) -> Double {
        quantile(maxima, at: pow(uniform, SimDuration.hours(43) / gap))
    }
}

/// Quantile by linear interpolation between deciles.
///
/// Above the last decile, the weight is a fourth power, so that the mean of daemons' sizes is right within 15 %.
func quantile(_ deciles: [Double], at share: Double) -> Double {
    let index = min(9, Int(share * 10))
    let part = share * 10 - Double(index)
    let weight = index == 9 ? part * part * part * part : part
    return deciles[index] + (deciles[index + 1] - deciles[index]) * weight
}
