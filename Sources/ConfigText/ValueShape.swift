// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Form of a value, in the detail that a schema can express.
public indirect enum ValueShape: Hashable, Sendable {
    /// Any value, or a value that only its reader can check.
    case any
    /// A text.
    case text
    /// One of the given words.
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
    /// A value that has one of several forms.
    case either([ValueShape])
    /// A list of values that have one form.
    case list(ValueShape)
}
