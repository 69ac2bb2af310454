// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// What a value may look like, as far as a schema can say it.
public indirect enum ValueShape: Hashable, Sendable {
    /// Anything, or something that only its reader knows.
    case any
    /// A text.
    case text
    /// One of some words.
    case words([String])
    /// A number in a range.
    case number(ClosedRange<Double>)
    /// A whole number in a range.
    case integer(ClosedRange<Int>)
    /// True or false.
    case flag
    /// A number with a unit.
    case quantity(Quantities.Dimension)
    /// A share from 0 % to 100 %.
    case share
    /// One of several.
    case either([ValueShape])
    /// A list of such values.
    case list(ValueShape)
}
