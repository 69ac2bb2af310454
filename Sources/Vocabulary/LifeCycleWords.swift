// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// The state of one window of an app (UIKit, `UIScene.ActivationState`; "disconnected" as in `sceneDidDisconnect`).
public enum SceneState: UInt8, Sendable, CaseIterable, BitwiseCopyable {
    /// Never connected in this process.
    case unattached
    /// On screen, but not receiving events.
    case foregroundInactive
    /// On screen, receiving events.
    case foregroundActive
    /// Connected and not visible.
    case background
    /// Without objects and memory, but with a session, so that the window can connect again.
    case disconnected
}

/// Calls of the system into an app when its process or its windows change state.
///
/// With scenes, calls about windows go to the window's delegate instead of the application's delegate. Source: UIKit,
/// `UIApplicationDelegate` and `UISceneDelegate`.
public enum AppCallback: String, Sendable, CaseIterable, BitwiseCopyable {
    case willFinishLaunching, didFinishLaunching
    /// Asks the application for the configuration of a window that is about to connect.
    case configurationForConnecting
    case willConnect, willEnterForeground, didBecomeActive, willResignActive, didEnterBackground, didDisconnect
    /// The user closed windows for good, which also ends their sessions.
    case didDiscardSessions
    case didReceiveMemoryWarning
    /// The time of task assertions is nearly over (`beginBackgroundTask(expirationHandler:)`).
    case taskExpiration
    /// Called only at an orderly end of a process that can execute.
    case willTerminate
}

/// One call of the system into an app.
public struct CallbackRecord: Sendable, BitwiseCopyable, Equatable {
    /// Time of the call.
    public var time: SimTime
    /// The app that owns the process.
    public var app: AppID
    /// The window whose delegate is called; negative for the application's delegate.
    public var window: Int32
    /// The method called.
    public var callback: AppCallback
    /// State of the process after the transition that caused the call.
    public var state: ProcessState

    /// Creates a record.
    public init(time: SimTime, app: AppID, window: Int32, callback: AppCallback, state: ProcessState) {
        self.time = time
        self.app = app
        self.window = window
        self.callback = callback
        self.state = state
    }
}
