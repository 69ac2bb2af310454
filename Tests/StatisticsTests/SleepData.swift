// SPDX-License-Identifier: GPL-3.0-or-later

/// Student's data on two sleeping drugs, ten patients each, in hours gained; the data set `sleep` of R.
///
/// Source: A. R. Cushny and A. R. Peebles (1905), used by Student, The probable error of a mean, Biometrika 6 (1908).
enum SleepData {
    static let first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
    static let second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
}
