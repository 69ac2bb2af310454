// SPDX-License-Identifier: GPL-3.0-or-later

/// A type that options can carry.
public protocol ArgumentValue {
    /// Reads the value, or nil when the text is none.
    init?(argument: String)
    /// What is expected, with an article: "a whole number".
    static var expectation: String { get }
}

extension String: ArgumentValue {
    /// Any text.
    public init?(argument: String) { self = argument }
    /// What is expected.
    public static var expectation: String { "a text" }
}

extension Int: ArgumentValue {
    /// A whole number.
    public init?(argument: String) {
        guard let value = Int(argument) else { return nil }
        self = value
    }
    /// What is expected.
    public static var expectation: String { "a whole number" }
}

extension UInt64: ArgumentValue {
    /// A whole number from 0.
    public init?(argument: String) {
        guard let value = UInt64(argument) else { return nil }
        self = value
    }
    /// What is expected.
    public static var expectation: String { "a whole number from 0" }
}

extension Double: ArgumentValue {
    /// A finite number.
    public init?(argument: String) {
        guard let value = Double(argument), value.isFinite else { return nil }
        self = value
    }
    /// What is expected.
    public static var expectation: String { "a number" }
}
