import Quantities
import Vocabulary

extension Opportunistic {
    static let entry = SchedulingPolicyEntry(
        PolicyDescriptor(
            name: "opportunistic",
            summary: "Vetoes, then a weighted score that favours apps about to be used, against a falling bar.",
            source: "Apple WWDC20 session 10063 and public dasd logs (ably-flutter README, cocoa-mhlw/cocoa#644)",
            parameters: parameterList)
    ) { arguments in Opportunistic(Parameters(arguments.values)) }

    private static let parameterList: [PolicyParameter] =
        [
            PolicyParameter(
                name: "threshold-start", dimension: .fraction, defaultValue: 0.8, range: 0...1,
                meaning: "Score needed at the floor; assumption, the bar of dasd is not public"),
            PolicyParameter(
                name: "threshold-end", dimension: .fraction, defaultValue: 0.4, range: 0...1,
                meaning: "Score needed at the deadline; assumption, set so that a rarely used app gets one or two a day"
            ),
            PolicyParameter(
                name: "spacing", dimension: .duration, defaultValue: 900, range: 0...86400,
                meaning: "Shortest time between two refreshes of an app (owntracks/ios#467: every 15 min at best)"),
            PolicyParameter(
                name: "full-likelihood", dimension: .fraction, defaultValue: 0.1, range: 0...1,
                meaning: "Likelihood of use within 30 min that scores 1; assumption"),
            PolicyParameter(
                name: "idle", dimension: .duration, defaultValue: 300, range: 0...3600,
                meaning: "Time since locking before processing (Apple developer forums, thread 119758)"),
            PolicyParameter(
                name: "group-limit", dimension: .number, defaultValue: 2, range: 1...1000,
                meaning: "Background launches at once; assumption (cocoa-mhlw/cocoa#644 shows that a limit exists)"),
            PolicyParameter(
                name: "critical-level", dimension: .fraction, defaultValue: 0.2, range: 0...1,
                meaning: "Battery level below which nothing runs off the charger (WWDC20 session 10063)"),
            PolicyParameter(
                name: "rescoring", dimension: .duration, defaultValue: 1800, range: 1...86400,
                meaning: "Time between two looks at a request below the bar; assumption"),
            PolicyParameter(
                name: "forgotten", dimension: .duration, defaultValue: 604_800, range: 0...31_536_000,
                meaning: "Time without an open after which an app gets no processing (BGTaskRequest.h: a week)"),
            PolicyParameter(
                name: "processing-on-battery", dimension: .number, defaultValue: 0, range: 0...1,
                meaning: "1 lets processing run off the charger; field reports show the charger (cwa-documentation#432)"
            ),
            PolicyParameter(
                name: "forgotten-refresh", dimension: .duration, defaultValue: 604_800, range: 0...31_536_000,
                meaning: "The same for refreshes (flutter_background_fetch#32 and #151: days; the week is assumed)"),
            PolicyParameter(
                name: "processor-limit", dimension: .fraction, defaultValue: 0.5, range: 0...1,
                meaning: "Share of the processor that may be busy at a start (cocoa#644: Required 50 Observed 90)"),
            PolicyParameter(
                name: "thermal-veto", dimension: .number, defaultValue: 2, range: 0...4,
                meaning: "Thermal level from which on nothing starts, 4 for none (macOS log: thermalLevel >= 2)"),
        ] + weightList

    private static let weightList: [PolicyParameter] = [
        weight("application", 50, "the likelihood of use (ably-flutter README)"),
        weight("network", 8.4, "the network (macOS log in 'Mitigating Mac Enrollment Failures', 2020)"),
        weight("device-activity", 5, "whether somebody uses the phone (ably-flutter README, cocoa#644)"),
        weight("memory", 5, "memory pressure (ably-flutter README)"),
        weight("processor", 5, "the processor (cocoa#644)"),
        weight("thermal", 5, "heat (macOS log in 'Mitigating Mac Enrollment Failures', 2020)"),
        weight("herd", 1, "the time after a long absence (ably-flutter README)"),
        weight("battery", 1, "the battery (macOS log in 'Mitigating Mac Enrollment Failures', 2020)"),
        weight("group", 0.5, "launches at once (cocoa#644)"),
        weight("refresh-total", 97.02, "everything; parts not printed score 1 (ably-flutter README, a push launch)"),
        weight("processing-total", 29.61, "everything of processing; parts not printed score 1 (cocoa#644)"),
    ]

    private static func weight(_ name: String, _ value: Double, _ what: String) -> PolicyParameter {
        PolicyParameter(
            name: "weight-" + name, dimension: .number, defaultValue: value, range: 0...1000,
            meaning: "Weight of " + what)
    }
}

extension Opportunistic.Parameters {
    /// Creates the parameters from values in the order of the descriptor.
    init(_ values: [Double]) {
        self.init()
        guard values.count == 24 else { return }
        thresholdStart = values[0]
        thresholdEnd = values[1]
        spacing = .seconds(values[2])
        fullLikelihood = values[3]
        idle = .seconds(values[4])
        groupLimit = Int(values[5])
        criticalLevel = values[6]
        rescoring = .seconds(values[7])
        forgotten = .seconds(values[8])
        processingOnBattery = values[9] >= 0.5
        forgottenRefresh = .seconds(values[10])
        processorLimit = values[11]
        thermalVeto = UInt8(values[12].rounded())
        weights.application = values[13]
        weights.network = values[14]
        weights.deviceActivity = values[15]
        weights.memory = values[16]
        weights.processor = values[17]
        weights.thermal = values[18]
        weights.herd = values[19]
        weights.battery = values[20]
        weights.group = values[21]
        weights.refreshTotal = values[22]
        weights.processingTotal = values[23]
    }
}
