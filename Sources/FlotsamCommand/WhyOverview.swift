// SPDX-License-Identifier: GPL-3.0-or-later
import Experiments
import Measures
import Phone
import PhoneCore
import Quantities
import Recording
import Vocabulary

/// Causes of waiting and of kills over a whole run, one line per app.
struct WhyOverview {
    private struct Line {
        var app: String
        var runs: Int
        var held: HeldBack?
        var kills: Int
        var killed: String
    }

    private let lines: [Line]
    /// Kills of daemons and extensions by name, the most frequent first.
    private let others: [(name: String, kills: Int)]

    init(_ recorder: StoryRecorder, names: [String], of run: RunSpecification, end: SimTime) {
        let apps = run.apps.count
        var lines: [Line] = []
        for index in 0..<apps {
            let app = AppID(index)
            let story = RequestStory(recorder, app: app, kind: .refresh, from: .zero, to: end)
            let kills = recorder.exits.filter { $0.app == app && $0.reason != nil }
            guard !story.lives.isEmpty || !story.refused.isEmpty || !kills.isEmpty else { continue }
            // An app whose Background App Refresh is off makes no request.
            let isOff = run.apps[index].refreshPeriod > .zero && RefreshSwitch(of: app, in: run).sentence != nil
            let off = isOff ? HeldBack.switchedOff(for: end - .zero) : nil
            let held = story.held.first(where: \.isByRule) ?? off
            lines.append(
                Line(
                    app: names[index], runs: story.runs.count, held: held, kills: kills.count,
                    killed: Self.commonest(kills.compactMap { $0.reason?.name })))
        }
        self.lines = lines.sorted { ($1.runs, $0.app) < ($0.runs, $1.app) }
        let system = recorder.exits.filter { $0.reason != nil && Int($0.app.index) >= apps }
        others = Dictionary(grouping: system, by: \.app.index).map {
            (RowNames(apps: names).name(of: AppID(Int($0.key))), $0.value.count)
        }.sorted { ($1.kills, $0.name) < ($0.kills, $1.name) }
    }

    private static func commonest(_ names: [String]) -> String {
        var counts: [String: Int] = [:]
        for name in names { counts[name, default: 0] += 1 }
        return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? ""
    }

    /// Adds the apps, then the daemons and extensions.
    func add(to report: inout Report) {
        report.table(
            "apps", lines,
            [
                .left("app", "app") { Report.Cell($0.app) }, .right("refreshes", "refreshes") { Report.Cell($0.runs) },
                .left("held back longest by", "held_back_by") { Report.Cell($0.held?.reason ?? "") },
                .right("for", "held_back_s") {
                    Report.Cell($0.held.map { Moment.length($0.time) } ?? "", $0.held?.time.seconds ?? 0)
                },
                .right("kills", "kills") { Report.Cell($0.kills) },
                .left("most by", "kill_reason") { Report.Cell($0.killed) },
            ])
        report.say(daemons)
        report.table("daemons", others, [.data("name") { .string($0.name) }, .data("kills") { .integer($0.kills) }])
        report.say(
            "\n" + fitting("One app in full: --app NAME; one instant: --at 2d14:05; what mattered most: --decisions 10")
        )
    }

    /// Kills of daemons and extensions in one line, because few users know their names and their work never waits.
    private var daemons: String {
        guard !others.isEmpty else { return "" }
        let sum = others.reduce(0) { $0 + $1.kills }
        let most = others.prefix(3).map { "\($0.name) \($0.kills)" }.joined(separator: ", ")
        return "\n\(count(sum, "kill")) of \(others.count) daemons and extensions, mostly \(most)\n"
    }
}
