// SPDX-License-Identifier: GPL-3.0-or-later

/// Why an app comes to the screen.
public enum OpenReason: UInt8, Sendable, CaseIterable, BitwiseCopyable {
    /// The user taps its icon, or nobody says what.
    case icon
    /// A notification of it, pushed or scheduled by itself.
    case notification
    /// A link in the app before it.
    case link
    /// Its widget.
    case widget
    /// The share sheet of the app before it.
    case shareSheet
    /// The app before it opens it by its own scheme.
    case app
    /// It died on screen, and the user opens it again.
    case restart

    /// The word in tables, in the names of metrics and in workload files.
    public var name: String {
        switch self {
        case .icon: "icon"
        case .notification: "notification"
        case .link: "link"
        case .widget: "widget"
        case .shareSheet: "share_sheet"
        case .app: "app"
        case .restart: "restart"
        }
    }

    /// What it means, after "opens".
    public var meaning: String {
        switch self {
        case .icon: "by the icon, and of recordings that do not say by what"
        case .notification: "by a notification of the app"
        case .link: "by a link in the app before"
        case .widget: "by a widget of the app"
        case .shareSheet: "by the share sheet of the app before"
        case .app: "by the app before"
        case .restart: "of an app that had died on screen"
        }
    }

    /// Whether another app is in front before, which stays in memory behind it.
    public var comesFromApp: Bool {
        switch self {
        case .link, .shareSheet, .app: true
        case .icon, .notification, .widget, .restart: false
        }
    }
}
