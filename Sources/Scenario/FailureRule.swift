// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText

/// Reaction to a failed run.
public enum FailureRule: Sendable, Equatable {
    /// Continue with the other runs.
    case proceed
    /// Start no other run.
    case stop
    /// Repeat the run after the other runs, up to a number of times. If all attempts fail, continue without the run.
    case retry(Int)

    /// Description of the valid texts.
    public static let expectation = "continue, stop or retry(N) with N from 1 to 100"

    /// Reads a rule in the form for users; nil for any other text.
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

    /// Text of the rule in the form for users.
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
