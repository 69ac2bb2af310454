// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import LifeCycle
import Processes
import Quantities
import Vocabulary

/// Actions of an app with windows in a scenario, and actions on it.
public enum ScriptLifeAction: Sendable, Equatable {
    /// The user opens the app or another of its windows; the window is active after the given time.
    case open(window: Int, takes: SimDuration)
    case prewarm, launchInBackground
    case interrupt(window: Int), endInterruption(window: Int)
    /// A window leaves the screen for the home screen or another app.
    case background(window: Int)
    case suspend, resume
    /// The user closes a window for good.
    case close(window: Int)
    case beginTask, endTask
    /// The app keeps this many processors busy from now on.
    case processor(Double)
    /// The app stops answering, or holds a lock on a shared file.
    case hang, lockFile
    case crash(ExitCategory)
    case forceQuit
}

/// Reads steps of apps that the life cycle drives: processes with `windows`.
extension ScenarioScriptReader {
    private static let words = [
        "open", "prewarm", "launch-in-background", "interrupt", "end-interruption", "foreground", "background",
        "suspend", "resume", "close", "begin-task", "end-task", "processor", "hang", "lock-file", "crash",
        "force-quit", "exit",
    ]

    /// Reads an action of the life cycle; for any other word, returns nil and reads nothing.
    func readLifeAction(_ word: String, _ argument: String?, _ map: MapReader, _ cursor: Cursor) -> ScriptAction?? {
        guard Self.words.contains(word) else { return .none }
        let window = map.value("window", .integer(0...(LifeCycleMachine.mostWindows - 1), example: "1"), default: 0)
        let takes = map.value("takes", .duration(), default: .zero)
        func value() -> Cursor {
            Cursor(
                Node(.scalar(argument ?? "", quoted: false), at: cursor.node.location), path: cursor.path,
                report: cursor.report)
        }
        let action: ScriptLifeAction?
        switch word {
        case "open", "foreground": action = .open(window: window, takes: takes)
        case "prewarm": action = .prewarm
        case "launch-in-background": action = .launchInBackground
        case "interrupt": action = .interrupt(window: window)
        case "end-interruption": action = .endInterruption(window: window)
        case "background": action = .background(window: window)
        case "suspend": action = .suspend
        case "resume": action = .resume
        case "close": action = .close(window: window)
        case "begin-task": action = .beginTask
        case "end-task": action = .endTask
        case "processor":
            action = ValueReader<Double>.number(0...64, example: "1").read(value()).map { .processor($0) }
        case "hang": action = .hang
        case "lock-file": action = .lockFile
        case "crash": action = ValueReader<ExitCategory>.exitCategory.read(value()).map { .crash($0) }
        default: action = .forceQuit
        }
        return .some(action.map { .life($0) })
    }

    /// Reads conditions on calls, windows and the end of a process.
    func readLife(_ map: MapReader, into checks: inout [ScriptCheck]) {
        if let calls = map.optional("callbacks", .list(of: .callback)) { checks.append(.callbacks(calls)) }
        if let calls = map.optional("called_in_order", .list(of: .callback)) { checks.append(.calledInOrder(calls)) }
        if let states = map.optional("scenes", .list(of: .scene)) { checks.append(.scenes(states)) }
        if let exit = map.optional("exit", .exitCategory) { checks.append(.exit(exit)) }
    }

    /// Words for states: those of the life cycle, and two that only state whether a process runs.
    static let states =
        ["running", "dead"] + ProcessState.allCases.map { LifeCycleWords.name(of: $0) }
}

/// Words of the life cycle as files spell them.
public enum LifeCycleWords {
    /// A state of a process, for instance `not-running`.
    public static func name(of state: ProcessState) -> String { hyphened("\(state)") }
    /// A state of a window, for instance `foreground-active`.
    public static func name(of state: SceneState) -> String { hyphened("\(state)") }

    private static func hyphened(_ name: String) -> String {
        name.reduce(into: "") { $0 += $1.isUppercase ? "-" + $1.lowercased() : String($1) }
    }
}

extension ValueReader where T == AppCallback {
    /// The name of a call of the system into an app.
    static var callback: ValueReader {
        ValueReader<String>.word(of: AppCallback.allCases.map(\.rawValue), what: "callback").map {
            AppCallback(rawValue: $0) ?? .willTerminate
        }
    }
}

extension ValueReader where T == SceneState {
    /// The name of a state of a window.
    static var scene: ValueReader {
        let all = SceneState.allCases
        return ValueReader<String>.word(of: all.map(LifeCycleWords.name), what: "state of a window").map { word in
            all.first { LifeCycleWords.name(of: $0) == word } ?? .unattached
        }
    }
}

extension ValueReader where T == ExitCategory {
    /// The name of an exit category.
    static var exitCategory: ValueReader {
        let all = ExitCategory.allCases
        return ValueReader<String>.word(of: all.map(\.name), what: "exit category").map { word in
            all.first { $0.name == word } ?? .normal
        }
    }
}
