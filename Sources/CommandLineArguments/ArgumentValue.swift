// SPDX-License-Identifier: GPL-3.0-or-later

/// Type of an option's value.
public protocol ArgumentValue {
    /// Reads the value; nil when the text is invalid.
    init?(argument: String)
    /// Description of a valid value, with an article: "a whole number".
    static var expectation: String { get }
}

extension String: ArgumentValue {
    /// Reads any text.
    public init?(argument: String) { self = argument }
    /// Description of a valid value.
    public static var expectation: String { "a text" }
}

extension Int: ArgumentValue {
    /// Reads a whole number.
    public init?(argument: String) {
        guard let value = Int(argument) else { return nil }
        self = value
    }
    /// Description of a valid value.
    public static var expectation: String { "a whole number" }
}

extension UInt64: ArgumentValue {
    /// Reads a whole number from 0.
    public init?(argument: String) {
        guard let value = UInt64(argument) else { return nil }
        self = value
    }
    /// Description of a valid value.
    public static var expectation: String { "a whole number from 0" }
}

extension Double: ArgumentValue {
    /// Reads a finite number.
    public init?(argument: String) {
        guard let value = Double(argument), value.isFinite else { return nil }
        self = value
    }
    /// Description of a valid value.
    public static var expectation: String { "a number" }
}
