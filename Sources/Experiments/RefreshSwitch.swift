// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Phone
import PhoneCore
import Vocabulary

/// Setting of the user's switches for background refresh, for an app of a run.
public enum RefreshSwitch: Sendable {
    /// On for the phone and for the app.
    case on
    /// Off for the app.
    case offForApp
    /// Off for the whole phone.
    case offForPhone

    /// Setting for an app of a run.
    ///
    /// If the app's own switch is on, the persona's share of switched-off apps decides.
    public init(of app: AppID, in run: RunSpecification) {
        guard run.device.background.refreshSwitch else {
            self = .offForPhone
            return
        }
        let apps = run.appsAsSet
        // Daemons have higher indices than the apps, and they have no switch.
        self = !apps.indices.contains(Int(app.index)) || apps[Int(app.index)].refreshEnabled ? .on : .offForApp
    }

    /// Sentence that explains why no request is pending; nil if the switch is on.
    public var sentence: String? {
        let consequence = ", so the system refuses every request"
        switch self {
        case .on: return nil
        case .offForApp: return "Background App Refresh is switched off for the app" + consequence
        case .offForPhone: return "Background App Refresh is switched off for the phone" + consequence
        }
    }
}
