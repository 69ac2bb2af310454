// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// The state of one window of an app (UIKit, `UIScene.ActivationState`; "disconnected" as in `sceneDidDisconnect`).
public enum SceneState: UInt8, Sendable, CaseIterable, BitwiseCopyable {
    /// Never connected in this process.
    case unattached
    /// On screen, not receiving events.
    case foregroundInactive
    /// On screen, receiving events.
    case foregroundActive
    /// Connected and not visible.
    case background
    /// Its objects and memory are gone, its session is kept, so that it can connect again.
    case disconnected
}

/// What the system calls in an app as its process and its windows change state (UIKit, `UIApplicationDelegate` and
/// `UISceneDelegate`); with scenes, those of windows go to the window's delegate instead of the application's.
public enum AppCallback: String, Sendable, CaseIterable, BitwiseCopyable {
    case willFinishLaunching, didFinishLaunching
    /// The application names the configuration of a window that is about to connect.
    case configurationForConnecting
    case willConnect, willEnterForeground, didBecomeActive, willResignActive, didEnterBackground, didDisconnect
    /// The user closed windows for good: their sessions are gone, too.
    case didDiscardSessions
    case didReceiveMemoryWarning
    /// The time that task assertions give is nearly over (`beginBackgroundTask(expirationHandler:)`).
    case taskExpiration
    /// Only in a process that can execute, and only at an orderly end.
    case willTerminate
}

/// One call of the system into an app.
public struct CallbackRecord: Sendable, BitwiseCopyable, Equatable {
    /// When.
    public var time: SimTime
    /// Whose process.
    public var app: AppID
    /// The window whose delegate is called; negative for the application's delegate.
    public var window: Int32
    /// What is called.
    public var callback: AppCallback
    /// The state of the process after the move that the call belongs to.
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
