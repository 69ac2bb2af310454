// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import PhoneCore
import Processes
import Scenario
import Vocabulary

extension AppAnswers {
    /// How often the app's other processes die while they work, and how the user notices; nil if the app has none.
    var processes: Answer? {
        let isAndroid = study.experiment.points[0].device.os.family == .android
        let kinds = study.model.traits.processes.map(\.kind).filter { $0.isOfAndroid == isAndroid }
        guard !kinds.isEmpty else { return nil }
        let failures = figure(
            "process_failures_per_day", study.values("process_failures_per_day", study.facts), "1/d", .lower)
        let down = figure("process_down_s_per_day", study.values("process_down_s_per_day", study.facts), "s/d", .lower)
        var sentences = ["They die \(failures) times a day while they work."]
        sentences += kinds.map { "If its \(Self.missed[$0]?.name ?? "") dies, \(Self.missed[$0]?.effect ?? "")." }
        if kinds.contains(where: { $0.need == .always }) {
            sentences.append("Its tunnel or sticky service is down for \(down) s a day.")
        }
        return answer("processes", "What happens to its other processes?", sentences, [failures, down])
    }

    /// Name of each kind of process, and the effect of its death.
    private static let missed: [AppProcess.Kind: (name: String, effect: String)] = [
        .notificationService: ("notification service", "the alert is shown without the extension's changes"),
        .widget: ("widget extension", "the widget keeps its old content"),
        .share: ("share extension", "nothing is shared"),
        .keyboard: ("keyboard", "the system's keyboard comes up"),
        .clip: ("app clip", "the user has to start over"),
        .service: ("service", "the app has to bind the service again"),
        .children: ("child process", "the work of the child is lost"),
        .tunnel: ("tunnel", "there is no tunnel until its process has started again"),
        .sticky: ("sticky service", "the service is down until it has started again"),
    ]
}
