// SPDX-License-Identifier: GPL-3.0-or-later
import Experiments
import PhoneCore
import Quantities
import Recording
import Vocabulary

/// A day under one policy, for the picture of the page.
struct DaySide {
    let names: [String]
    /// Number of names that are apps; the names of daemons and extensions follow.
    let apps: Int
    /// Length of the day, in seconds.
    let length: Double
    /// Opens with the state of the app, kills, and starts of work.
    let decisions: DayDecisions
    private let replay: RunReplay
    private let recorder: DayRecorder
    private let stories: [AppID: StoryRecorder]
    private let work: [RequestRow]
    /// Number of requests of a busy day that are not shown.
    private let leftOut: Int
    private let kills: [EventRow]
    private let reasons: ReasonTexts

    /// Largest number of requests that are shown, so that the page is small enough for mail.
    private static let mostWork = 2500
    /// Largest number of characters of the explanations under one policy, separately for opens, kills and work.
    private static let mostLetters = 100_000
    private let mostLetters: Int

    typealias Decision = (key: DayDecisions.Key, time: SimTime)

    init(_ replay: RunReplay, _ recorder: DayRecorder, share: Double) {
        self.replay = replay
        self.recorder = recorder
        names = replay.appNames
        apps = replay.specification.apps.count
        let day = recorder.day
        length = (day.upperBound - day.lowerBound).seconds
        stories = recorder.story.byApp()
        let all = recorder.story.requests.filter { $0.submitted < day.upperBound && $0.ended >= day.lowerBound }
        // On a day with too many requests, work that ran is preferred to work that did not.
        let ran = all.filter { $0.started < day.upperBound }
        let shown = ran + all.filter { $0.started >= day.upperBound }
        let mostWork = Int(Double(Self.mostWork) * share)
        mostLetters = Int(Double(Self.mostLetters) * share)
        work = all.count <= mostWork ? all : Array(shown.prefix(mostWork))
        leftOut = all.count - work.count
        kills = recorder.story.exits.filter { $0.reason != nil && day.contains($0.time) }
        reasons = ReasonTexts(ownRules: replay.specification.everyRule)
        var decisions = DayDecisions()
        for open in recorder.opens { decisions.add(Self.key(open), at: open.time) }
        for kill in kills { decisions.add(Self.key(kill), at: kill.time) }
        for row in work where row.started != .distantFuture { decisions.add(Self.key(row), at: row.started) }
        self.decisions = decisions
    }

    private static func key(_ row: EventRow) -> DayDecisions.Key {
        .init(app: row.app, what: row.launchKind?.tableName ?? row.event.rawValue)
    }

    private static func key(_ row: RequestRow) -> DayDecisions.Key { .init(app: row.app, what: row.work.name) }

    // MARK: For the page

    func json(differs: (Decision) -> Bool) -> JSONValue {
        var stories = Stories(self)
        // If there is no room for all of them, apps are preferred to daemons.
        var killTexts = kills.map { Int($0.app.index) < apps ? stories.kill($0) : "" }
        for (index, row) in kills.enumerated() where Int(row.app.index) >= apps { killTexts[index] = stories.kill(row) }
        return .object([
            "policy": .string(replay.policyName), "left_out": .integer(leftOut),
            "run": .string("\(replay.directory.path)#\(replay.run.number)"),
            "visits": .array(
                recorder.visits.map { .array([seconds($0.from), seconds($0.to), .integer(Int($0.app.index))]) }),
            "opens": .array(
                recorder.opens.map { row in
                    event(row, row.launchKind?.tableName ?? "", differs, stories.open(row))
                }),
            "kills": .array(zip(kills, killTexts).map { row, why in event(row, row.reason?.name ?? "", differs, why) }),
            "work": .array(work.map { row in request(row, differs, stories.work(row)) }),
            "reasons": sentences, "memory": memory, "hours": hours, "battery": battery, "radios": radios,
        ])
    }

    /// Seconds since the day began; negative or beyond the day for work that began before it or ended after it.
    ///
    /// The distant future becomes null.
    private func seconds(_ time: SimTime) -> JSONValue {
        time == .distantFuture
            ? .null : .number(((time - recorder.day.lowerBound).seconds * 1000).rounded() / 1000)
    }

    private func event(_ row: EventRow, _ what: String, _ differs: (Decision) -> Bool, _ why: String) -> JSONValue {
        .object([
            "at": seconds(row.time), "app": .integer(Int(row.app.index)), "what": .string(what),
            "differs": .bool(differs((Self.key(row), row.time))), "why": .string(why),
        ])
    }

    private func request(_ row: RequestRow, _ differs: (Decision) -> Bool, _ why: String) -> JSONValue {
        .object([
            "app": .integer(Int(row.app.index)), "what": .string(row.work.name),
            "due": seconds(max(row.submitted, row.earliestBegin)), "at": seconds(row.started), "to": seconds(row.ended),
            "outcome": .string(row.outcome),
            "differs": .bool(recorder.day.contains(row.started) && differs((Self.key(row), row.started))),
            "held": held(row), "why": .string(why),
        ])
    }

    /// Rules that delayed a request, each with the beginning of its delay.
    private func held(_ row: RequestRow) -> JSONValue {
        guard let kind = RequestKind(row.work), let story = stories[row.app] else { return .array([]) }
        var last = ""
        let looks = story.looks(at: row, kind).filter { look in
            defer { last = look.rule }
            return !look.proceed && look.rule != last
        }
        return .array(looks.map { .array([seconds($0.time), .string($0.rule)]) })
    }

    private var sentences: JSONValue {
        let rules = Set(recorder.story.decisions.map(\.rule)).sorted()
        return .object(Dictionary(uniqueKeysWithValues: rules.map { ($0, .string(reasons[$0] ?? $0)) }))
    }

    private var memory: JSONValue {
        .array(recorder.memory.map { .array([seconds($0.time), .number($0.available.rounded())]) })
    }

    private var hours: JSONValue {
        .array(
            recorder.hours.map { row in
                .array(
                    [
                        row.wiredMiB, row.systemMiB, row.screenMiB, row.backgroundMiB, row.suspendedMiB,
                        row.compressorMiB,
                        row.cachedMiB,
                    ].map { .number($0.rounded()) })
            })
    }

    private var battery: JSONValue {
        .array(
            recorder.battery.map { row in
                .array([
                    seconds(max(row.time, recorder.day.lowerBound)), .integer(row.percent),
                    .number((row.loadWatts * 1000).rounded() / 1000), .number((row.celsius * 10).rounded() / 10),
                    .bool(row.pluggedIn), .bool(row.screenOn),
                ])
            })
    }

    /// State of each radio at each change: 2 while it sends, receives or prepares to do so, 1 in its tail, otherwise 0.
    private var radios: JSONValue {
        var changes: [String: [JSONValue]] = [:]
        var last: [String: Int] = [:]
        for row in recorder.radios {
            let work = row.state == "tail" ? 1 : ["active", "promotion", "search"].contains(row.state) ? 2 : 0
            guard last.updateValue(work, forKey: row.radio) != work else { continue }
            changes[row.radio, default: []].append(
                .array([seconds(max(row.time, recorder.day.lowerBound)), .integer(work)]))
        }
        return .object(changes.mapValues { .array($0) })
    }

    /// Explanations, as by `why`, for all events of the day.
    private struct Stories {
        private let side: DaySide
        private var texts: [DayDecisions.Key: WhyText] = [:]
        private var left: [Kind: Int] = [:]

        private enum Kind { case opens, kills, work }

        init(_ side: DaySide) { self.side = side }

        private mutating func text(_ app: AppID, _ kind: RequestKind) -> WhyText {
            let key = DayDecisions.Key(app: app, what: BackgroundWork(kind).name)
            if let text = texts[key] { return text }
            let story = side.stories[app] ?? StoryRecorder(app: app)
            let text = WhyText(story, side.replay, app: app, kind: kind, at: nil)
            texts[key] = text
            return text
        }

        /// The text, if there is still space for it.
        private mutating func within(_ kind: Kind, _ text: (inout Stories) -> String) -> String {
            let room = left[kind, default: side.mostLetters]
            guard room > 0 else { return "" }
            let text = text(&self)
            left[kind] = room - text.utf8.count
            return text
        }

        mutating func kill(_ row: EventRow) -> String { within(.kills) { $0.text(row.app, .refresh).describe(row) } }

        /// State in which the user found the app, and how its previous process ended.
        mutating func open(_ row: EventRow) -> String { within(.opens) { $0.openText(row) } }

        /// Reason why work ran or waited.
        mutating func work(_ row: RequestRow) -> String { within(.work) { $0.workText(row) } }

        private mutating func openText(_ row: EventRow) -> String {
            var words = "  The app answered after \(Figures.short(row.delaySeconds)) s.\n"
            guard row.launchKind == .cold, let story = side.stories[row.app] else { return words }
            guard let end = story.exits.last(where: { $0.time <= row.time }) else {
                return words + "  It had not run before.\n"
            }
            words += "  Its process had ended:\n"
            return words + text(row.app, .refresh).describe(end)
        }

        private mutating func workText(_ row: RequestRow) -> String {
            guard row.outcome != "refused", let kind = RequestKind(row.work) else {
                let story = side.stories[row.app] ?? StoryRecorder(app: row.app)
                return OtherWorkText(story, side.replay, app: row.app, work: row.work, at: nil).life(of: row)
            }
            return text(row.app, kind).life(of: row)
        }
    }
}
