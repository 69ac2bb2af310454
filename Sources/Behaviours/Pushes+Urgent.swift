// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Measures
import PhoneCore
import Power
import Quantities
import RandomStreams
import Vocabulary

/// Messages of high priority, which run their app at once, even in Doze.
///
/// Source: Firebase, "Set and manage Android message priority".
extension Pushes {
    /// State of messages of high priority, on a phone whose apps get such messages.
    struct Urgent {
        var messages: UrgentMessages
        var streams: [RandomStream]

        /// Creates the state; nil on a phone where no app gets messages of high priority.
        init?(_ core: borrowing PhoneCore) {
            let parameters = core.device.background.pushes
            guard parameters.hasUrgent else { return nil }
            var isUsed = false
            for index in core.apps.indices where core.apps[index].traits.urgentShare > 0 { isUsed = true }
            guard isUsed else { return nil }
            messages = UrgentMessages(apps: core.apps.count, parameters: parameters)
            streams = core.streams("urgent")
        }
    }

    /// Measures of messages of high priority.
    package struct UrgentMeasures: Sendable {
        let delivered: AppCount
        let downgraded: AppCount

        init(_ builder: inout MeasureBuilder) {
            delivered = builder.perDayOfApp(
                "urgent_pushes_per_day", .neutral, "silent pushes of high priority that ran their app at once")
            downgraded = builder.perDayOfApp(
                "downgraded_pushes_per_day", .lower,
                "silent pushes of high priority that were treated as normal ones, because the app showed too few "
                    + "notifications or had too many messages")
        }
    }

    /// Delivers a silent push if it has high priority and is not downgraded; returns whether it has run its app.
    mutating func deliverUrgent(_ app: AppID, _ core: inout PhoneCore) -> Bool {
        let index = Int(app.index)
        let traits = core.apps[index].traits
        let isUrgent = drawUrgent(index) < traits.urgentShare
        let isShown = drawUrgent(index) < traits.urgentShownShare
        guard isUrgent, !core.power.isDead, core.power.interface != nil else { return false }
        let bucket = core.standbyBucket(of: app)
        guard urgent?.messages.passes(app, bucket, at: core.now) == true else {
            core.measures.add(measures.urgent.downgraded, of: app)
            writeRow(.downgradedPush, app, &core)
            return false
        }
        urgent?.messages.record(app, shown: isShown, at: core.now)
        core.measures.add(measures.urgent.delivered, of: app)
        writeRow(.urgentPush, app, &core)
        _ = gate.hold(app, sent: core.now)
        release(app, &core)
        if isShown { showLocal(of: app, &core) }
        return true
    }

    private mutating func drawUrgent(_ index: Int) -> Double { urgent?.streams[index].uniform() ?? 1 }

    /// Records an alert that was shown; alerts also have high priority.
    mutating func noteShown(_ app: AppID, _ core: borrowing PhoneCore) {
        urgent?.messages.record(app, shown: true, at: core.now)
    }
}
