// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText

/// Consequence of a failed run.
public enum FailureRule: Sendable, Equatable {
    /// Continues with the other runs.
    case proceed
    /// Begins no further run.
    case stop
    /// Repeats the run up to a number of times after the other runs; then continues without it.
    case retry(Int)

    /// Description of a valid text.
    public static let expectation = "continue, stop or retry(N) with N from 1 to 100"

    /// Reads a rule as users write it; nil for any other text.
    public init?(_ text: String) {
        switch text {
        case "continue": self = .proceed
        case "stop": self = .stop
        default:
            guard text.hasPrefix("retry("), text.hasSuffix(")"), let times = Int(text.dropFirst(6).dropLast()),
                (1...100).contains(times)
            else { return nil }
            self = .retry(times)
        }
    }

    /// Text of the rule as users write it.
    public var text: String {
        switch self {
        case .proceed: "continue"
        case .stop: "stop"
        case .retry(let times): "retry(\(times))"
        }
    }

    static var reader: ValueReader<FailureRule> {
        .scalar(expectation, example: "retry(2)") { text, cursor in
            if let rule = FailureRule(text) { return rule }
            cursor.expected(expectation)
            return nil
        }
    }
}
