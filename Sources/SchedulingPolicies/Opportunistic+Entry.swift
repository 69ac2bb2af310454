// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

extension Opportunistic {
    static let entry = SchedulingPolicyEntry(
        PolicyDescriptor(
            name: "opportunistic",
            summary:
                "Starts work if no rule vetoes it and its weighted score reaches a falling threshold; apps about to be "
                + "used score higher.",
            source: "Apple WWDC20 session 10063 and public dasd logs (ably-flutter README, cocoa-mhlw/cocoa#644)",
            family: .ios),
        Parameters(), scores + vetoes + weights
    ) { parameters, _ in Opportunistic(parameters) }

    private static let scores: [Parameter<Parameters>] = [
        Parameter(
            \.thresholdStart, "threshold-start", .fraction, 0...1,
            "Score needed at the earliest begin; assumption, because the threshold of dasd is not public"),
        Parameter(
            \.thresholdEnd, "threshold-end", .fraction, 0...1,
            "Score needed at the deadline; assumption, set so that a rarely used app gets 1 or 2 refreshes a day"),
        Parameter(
            \.spacing, "spacing", .duration, 0...86400,
            "Shortest time between two refreshes of an app (owntracks/ios#467: every 15 min at best)"),
        Parameter(
            \.fullLikelihood, "full-likelihood", .fraction, 0...1,
            "Smallest likelihood of use within 30 min that has the score 1; assumption"),
    ]

    private static let vetoes: [Parameter<Parameters>] = [
        Parameter(
            \.idle, "idle", .duration, 0...3600,
            "Time for which the phone must be locked before processing starts (Apple developer forums, thread 119758)"),
        Parameter(
            \.groupLimit, "group-limit", .number, 1...1000,
            "Largest number of background launches at once; assumption (cocoa-mhlw/cocoa#644 shows that a limit exists)"
        ),
        Parameter(
            \.criticalLevel, "critical-level", .fraction, 0...1,
            "Battery level below which nothing runs without a charger (WWDC20 session 10063)"),
        Parameter(
            \.rescoring, "rescoring", .duration, 1...86400,
            "Time between two checks of a request below the threshold; assumption"),
        Parameter(
            \.forgotten, "forgotten", .duration, 0...31_536_000,
            "Time without an open after which an app gets no processing (BGTaskRequest.h: a week)"),
        Parameter(
            \.processingOnBattery, "processing-on-battery", .number, 0...1,
            "1: processing may run without a charger; in field reports, it needs a charger (cwa-documentation#432)"),
        Parameter(
            \.forgottenRefresh, "forgotten-refresh", .duration, 0...31_536_000,
            "Time without an open after which an app gets no refresh; a week is an assumption, and "
                + "flutter_background_fetch#32 and #151 report days"),
        Parameter(
            \.processorLimit, "processor-limit", .fraction, 0...1,
            "Largest busy share of the processor at which work starts (cocoa#644: Required 50 Observed 90)"),
        Parameter(
            \.thermalVeto, "thermal-veto", .number, 0...4,
            "Lowest thermal level at which nothing starts; 4 for no limit (macOS log: thermalLevel >= 2)"),
    ]

    private static let weights: [Parameter<Parameters>] = [
        weight(\.weights.application, "application", "the likelihood of use (ably-flutter README)"),
        weight(\.weights.network, "network", "the network (macOS log in 'Mitigating Mac Enrollment Failures', 2020)"),
        weight(
            \.weights.deviceActivity, "device-activity",
            "whether the phone is in use (ably-flutter README, cocoa#644)"),
        weight(\.weights.memory, "memory", "memory pressure (ably-flutter README)"),
        weight(\.weights.processor, "processor", "the processor (cocoa#644)"),
        weight(\.weights.thermal, "thermal", "heat (macOS log in 'Mitigating Mac Enrollment Failures', 2020)"),
        weight(\.weights.herd, "herd", "the waiting time after a long absence of the user (ably-flutter README)"),
        weight(\.weights.battery, "battery", "the battery (macOS log in 'Mitigating Mac Enrollment Failures', 2020)"),
        weight(\.weights.group, "group", "the number of launches at once (cocoa#644)"),
        weight(
            \.weights.refreshTotal, "refresh-total",
            "all parts together; parts that the log does not print score 1 (ably-flutter README, a push launch)"),
        weight(
            \.weights.processingTotal, "processing-total",
            "all parts together for processing; parts that the log does not print score 1 (cocoa#644)"),
    ]

    private static func weight(
        _ path: any WritableKeyPath<Parameters, Double> & Sendable, _ name: String, _ what: String
    ) -> Parameter<Parameters> {
        Parameter(path, "weight-" + name, .number, 0...1000, "Weight of " + what)
    }
}
