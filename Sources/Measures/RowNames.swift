// SPDX-License-Identifier: GPL-3.0-or-later
import Vocabulary

/// Names for the app indices in rows.
public struct RowNames: Sendable {
    /// App names by index.
    public let apps: [String]

    /// Creates the names of a run.
    public init(apps: [String]) { self.apps = apps }

    /// The app's name; `system` for the system.
    public func name(of app: AppID) -> String {
        let index = Int(app.index)
        return apps.indices.contains(index) ? apps[index] : "system"
    }
}
