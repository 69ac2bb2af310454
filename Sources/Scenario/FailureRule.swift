// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText

/// What follows when a run fails.
public enum FailureRule: Sendable, Equatable {
    /// The other runs go on.
    case proceed
    /// No further run is begun.
    case stop
    /// The run is tried again, after the others, so many times at most; then the others go on.
    case retry(Int)

    /// What a text must be.
    public static let expectation = "continue, stop or retry(N) with N from 1 to 100"

    /// Reads a rule as users write it; nil when it is none.
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

    /// The rule as users write it.
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
