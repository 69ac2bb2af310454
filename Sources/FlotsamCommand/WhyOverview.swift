// SPDX-License-Identifier: GPL-3.0-or-later
import Experiments
import Phone
import PhoneCore
import Quantities
import Recording
import Vocabulary

/// What held back whom, over a whole run: one line per app.
struct WhyOverview {
    private struct Line {
        var app: String
        var runs: Int
        var held: HeldBack?
        var kills: Int
        var killed: String
    }

    private let lines: [Line]

    init(_ recorder: StoryRecorder, names: [String], end: SimTime) {
        var lines: [Line] = []
        for index in names.indices {
            let app = AppID(index)
            let story = RequestStory(recorder, app: app, kind: .refresh, from: .zero, to: end)
            let kills = recorder.exits.filter { $0.app == app && $0.reason != nil }
            guard !story.lives.isEmpty || !kills.isEmpty else { continue }
            let held = story.held.first(where: \.isByRule)
            lines.append(
                Line(
                    app: names[index], runs: story.runs.count, held: held, kills: kills.count,
                    killed: Self.commonest(kills.compactMap { $0.reason?.name })))
        }
        self.lines = lines.sorted { ($1.runs, $0.app) < ($0.runs, $1.app) }
    }

    private static func commonest(_ names: [String]) -> String {
        var counts: [String: Int] = [:]
        for name in names { counts[name, default: 0] += 1 }
        return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? ""
    }

    var text: String {
        var table = TextTable([.left, .right, .left, .right, .right, .left])
        table.add(["app", "refreshes", "held back longest by", "for", "kills", "most by"])
        for line in lines {
            let time = line.held.map { Moment.length($0.time) } ?? ""
            table.add(
                [line.app, "\(line.runs)", line.held?.reason ?? "", time, "\(line.kills)", line.killed])
        }
        return table.text + "\nOne app in full: --app NAME; one instant: --at 2d14:05; processing: --kind processing\n"
    }

    var json: JSONValue {
        .object([
            "apps": .array(
                lines.map { line in
                    .object([
                        "app": .string(line.app), "refreshes": .integer(line.runs), "kills": .integer(line.kills),
                        "kill_reason": .string(line.killed), "held_back_by": .string(line.held?.reason ?? ""),
                        "held_back_s": .number(line.held?.time.seconds ?? 0),
                    ])
                })
        ])
    }
}
