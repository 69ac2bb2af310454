import Vocabulary

/// The names that rows carry as small integers.
public struct RowNames: Sendable {
    /// App names by place.
    public let apps: [String]

    /// Creates the names of a run.
    public init(apps: [String]) { self.apps = apps }

    /// The app's name; `system` for the system.
    public func name(of app: AppID) -> String {
        let place = Int(app.index)
        return apps.indices.contains(place) ? apps[place] : "system"
    }
}
