// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Phone
import PhoneCore
import Quantities
import Vocabulary

/// Errors about decisions that cannot be flipped.
///
/// Hints list decisions that can be flipped; to find them, the whole run is simulated.
struct FlipErrors {
    private let request: FlipRequest
    private let replay: RunReplay
    private let name: String
    private let apps: Int
    private let story: StoryRecorder

    init(_ request: FlipRequest, _ replay: RunReplay) {
        self.request = request
        self.replay = replay
        name = replay.appNames[Int(request.app.index)]
        story = StoryRecorder(app: nil)
        var specification = replay.specification
        specification.tables = StoryRecorder.tables
        apps = specification.apps.count
        _ = simulate(specification, sink: story)
    }

    private var at: String { request.time.dayAndClock }

    /// The three rows nearest to the requested time, in order of time.
    private func near<Row>(_ rows: [Row], _ time: (Row) -> SimTime) -> [Row] {
        rows.sorted { abs((time($0) - request.time).seconds) < abs((time($1) - request.time).seconds) }.prefix(3)
            .sorted { time($0) < time($1) }
    }

    /// Error when the app is not killed within a minute of the requested time.
    var neverKilled: Diagnostics {
        let kills = story.exits.filter { $0.reason != nil && Int($0.app.index) < apps }
        let own = near(kills.filter { $0.app == request.app }) { $0.time }
        let others = near(kills) { $0.time }.map {
            "\(replay.appNames[Int($0.app.index)]) at \($0.time.dayAndClock)"
        }
        let mine =
            own.isEmpty
            ? "\(name) is never killed in this run"
            : "\(name) is killed at \(Figures.list(own.map { $0.time.dayAndClock }))"
        return Diagnostics(
            "\(name) is not killed at \(at), so it cannot be spared",
            hint: mine + (others.isEmpty ? "" : "; killed at about that time: " + Figures.list(others)))
    }

    /// Error when no work of the requested kind starts for the app within a minute of the requested time.
    var neverStarted: Diagnostics {
        let starts = near(
            story.decisions.filter { $0.app == request.app && $0.kind == request.kind && $0.proceed }
        ) { $0.time }
        return Diagnostics(
            "no \(BackgroundWork(request.kind).name) of \(name) starts at \(at), so none can be denied",
            hint: starts.isEmpty
                ? "such work never starts in this run"
                : "such work starts at \(Figures.list(starts.map { $0.time.dayAndClock }))")
    }

    /// Error when the app has no process to kill, or no pending request to grant.
    var nothingThere: Diagnostics {
        if request.change == .grant {
            return Diagnostics(
                "\(name) has no \(BackgroundWork(request.kind).name) pending at \(at), so none can be granted",
                hint: "flotsam why DIR#RUN --app \(name) shows when it requests such work")
        }
        let launches = near(story.launches.filter { $0.app == request.app }) { $0.time }
        return Diagnostics(
            "\(name) has no process at \(at)",
            hint: launches.isEmpty
                ? "it is never launched in this run"
                : "it is launched at \(Figures.list(launches.map { $0.time.dayAndClock }))")
    }

    /// Error when the spared app dies at the same instant by a rule that does not choose among processes.
    func diesAnyway(_ kill: EventRow) -> Diagnostics {
        Diagnostics(
            "\(name) still dies at \(kill.time.dayAndClock): \(kill.reason?.sentence ?? "")",
            hint: "that rule does not choose among processes, so no other process could have died instead")
    }
}
