// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import Diagnostics
import Experiments
import Quantities
import Scenario

extension ArgumentReader {
    /// Printer of progress, in the form that the option selects.
    func progress(isQuiet: Bool) -> ProgressPrinter {
        let form: String = option(
            "--progress", value: "FORM",
            help: "line, or json (one object per line on standard error, even with --quiet)", default: "line")
        if !["line", "json"].contains(form) { report("--progress expects line or json, found \"\(form)\"") }
        return ProgressPrinter(isQuiet: isQuiet, isJSON: form == "json")
    }

    /// Options for the supervision of workers, as a function of the experiment's rule for failed runs.
    func supervision() -> (FailureRule) -> Supervision {
        let rule: String? = option(
            "--on-error", value: "RULE",
            help: "What happens if a run fails: \(FailureRule.expectation) (default: the experiment's)")
        let time: String? = option(
            "--timeout", value: "TIME",
            help: "Ends a run after this time (default: ten times the median of its sweep point, at least 60 s)")
        let onError = rule.flatMap { FailureRule($0) }
        if let rule, onError == nil { report("--on-error expects \(FailureRule.expectation), found \"\(rule)\"") }
        let seconds = time.flatMap { try? UnitText.parse($0, as: .time) }.flatMap { $0 > 0 ? $0 : nil }
        if let time, seconds == nil { report("--timeout expects a time such as \"5 min\", found \"\(time)\"") }
        return { fallback in
            Supervision(
                onError: onError ?? fallback, patience: seconds.map { Patience(seconds: $0) } ?? .standard)
        }
    }
}
