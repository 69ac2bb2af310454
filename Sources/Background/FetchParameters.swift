// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Effect of the results of the older fetch interface on an app's fetch interval.
public struct FetchParameters: Sendable {
    /// Factor that multiplies the time until the next fetch after a fetch that found new content.
    public var afterNewData = 0.5
    /// Factor that multiplies the time until the next fetch after a fetch without new content.
    public var afterNoData = 1.25
    /// Factor that multiplies the time until the next fetch after a failed fetch.
    public var afterFailure = 1.5
    /// Largest product of the three factors over several fetches.
    public var longest = 4.0

    /// Creates the profile of a current phone.
    public init() {}

    /// The product of factors after one more result, from 1 to `longest`.
    public func stretch(_ before: Double, foundNew: Bool, failed: Bool) -> Double {
        let factor = failed ? afterFailure : foundNew ? afterNewData : afterNoData
        return min(max(before * factor, 1), longest)
    }
}

extension FetchParameters {
    /// The keys of these parameters in files, with their allowed values.
    public static let keys: [FileKey<FetchParameters>] = [
        .number(\.afterNewData, "after_new_data", 0.01...100, example: "1.25"),
        .number(\.afterNoData, "after_no_data", 0.01...100, example: "1.25"),
        .number(\.afterFailure, "after_failure", 0.01...100, example: "1.25"),
        .number(\.longest, "longest", 1...1000, example: "4"),
    ]
}
