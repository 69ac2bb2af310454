// SPDX-License-Identifier: GPL-3.0-or-later
// Measures contains the declarations of what a run counts. Each declaration is next to the code that counts.
// In: declarations (`MeasureBuilder`) and, during a run, amounts and values (`RunMeasures`). Out: the catalogue of
// metrics and their values. Tables, targets, listings and the schema take the names of metrics from the catalogue.
// The module contains no model of the phone; identifiers of apps come from `Vocabulary`.
// Read first: `MeasureBuilder.swift`, then `RunMeasures.swift`.

/// A counter or a sum (of seconds, bytes or joules) of the whole phone; set to zero at the start and after the warm-up.
@frozen
public struct Count: BitwiseCopyable, Sendable {
    @usableFromInline let index: Int32

    @usableFromInline
    init(index: Int) { self.index = Int32(index) }
}

/// A counter or a sum whose amounts each belong to an app, so that single apps can have metrics.
@frozen
public struct AppCount: BitwiseCopyable, Sendable {
    /// Index among all counts.
    @usableFromInline let index: Int32
    /// Index among the counts of apps.
    @usableFromInline let column: Int32

    @usableFromInline
    init(index: Int, column: Int) {
        self.index = Int32(index)
        self.column = Int32(column)
    }
}

/// The time integral of a piecewise constant value.
@frozen
public struct TimeShare: BitwiseCopyable, Sendable {
    @usableFromInline let index: Int32

    init(index: Int) { self.index = Int32(index) }
}

/// A distribution of positive values, in bins of 1 % (`LogHistogram`).
@frozen
public struct Distribution: BitwiseCopyable, Sendable {
    @usableFromInline let index: Int32

    init(index: Int) { self.index = Int32(index) }
}

/// A distribution of values each of which belongs to an app.
@frozen
public struct AppDistribution: BitwiseCopyable, Sendable {
    @usableFromInline let index: Int32
    @usableFromInline let column: Int32

    init(index: Int, column: Int) {
        self.index = Int32(index)
        self.column = Int32(column)
    }
}

/// A meter whose value is kept elsewhere, such as in the energy ledger.
///
/// The value is read at the end of the warm-up and at the end of the run.
@frozen
public struct Gauge: BitwiseCopyable, Sendable {
    @usableFromInline let index: Int32

    init(index: Int) { self.index = Int32(index) }
}

/// A meter whose value is kept elsewhere, with a value for the phone and one for each app.
@frozen
public struct AppGauge: BitwiseCopyable, Sendable {
    @usableFromInline let index: Int32
    @usableFromInline let column: Int32

    init(index: Int, column: Int) {
        self.index = Int32(index)
        self.column = Int32(column)
    }
}

/// The first instant after the warm-up at which an event happened.
@frozen
public struct FirstTime: BitwiseCopyable, Sendable {
    @usableFromInline let index: Int32

    init(index: Int) { self.index = Int32(index) }
}
