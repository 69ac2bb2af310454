// SPDX-License-Identifier: GPL-3.0-or-later
import Vocabulary

extension LifeCycleMachine {
    /// Passes to `body`, in order, each call that the system makes into the app for a move that is not made yet.
    ///
    /// With scenes (iOS 13 and later), each window has a delegate. A launch into the foreground connects a window,
    /// which then enters the foreground (UIKit, "Responding to the launch of your app", `UISceneDelegate`). Before iOS
    /// 13, the application's delegate receives all calls. Suspension, kills and crashes cause no call. An orderly end
    /// causes a call only if the process can execute (`applicationWillTerminate(_:)`).
    public func forEachCallback(
        of move: LifeCycleMove, hasScenes: Bool, _ body: (AppCallback, _ window: Int?) -> Void
    ) {
        func delegate(_ window: Int) -> Int? { hasScenes ? window : nil }
        switch move {
        case .prewarm, .suspend, .resumeInBackground: break
        case .launchInBackground: finishLaunching(body)
        case .launch(let window):
            finishLaunching(body)
            guard hasScenes else { return }
            connect(window, body)
            body(.willEnterForeground, window)
        case .enterForeground(let window):
            if hasScenes, connected & Self.bit(window) == 0 { connect(window, body) }
            body(.willEnterForeground, delegate(window))
        case .becomeActive(let window): body(.didBecomeActive, delegate(window))
        case .resignActive(let window): body(.willResignActive, delegate(window))
        case .enterBackground(let window): body(.didEnterBackground, delegate(window))
        case .disconnect(let window, let isDiscarded):
            guard hasScenes else { return }
            body(.didDisconnect, window)
            if isDiscarded { body(.didDiscardSessions, nil) }
        case .end(let isOrderly):
            guard isOrderly, state.executes else { return }
            if hasScenes { forEachWindow(connected) { body(.didDisconnect, $0) } }
            body(.willTerminate, nil)
        }
    }

    private func finishLaunching(_ body: (AppCallback, Int?) -> Void) {
        body(.willFinishLaunching, nil)
        body(.didFinishLaunching, nil)
    }

    private func connect(_ window: Int, _ body: (AppCallback, Int?) -> Void) {
        body(.configurationForConnecting, nil)
        body(.willConnect, window)
    }

    private func forEachWindow(_ set: UInt8, _ body: (Int) -> Void) {
        for window in 0..<Self.mostWindows where set & Self.bit(window) != 0 { body(window) }
    }
}
