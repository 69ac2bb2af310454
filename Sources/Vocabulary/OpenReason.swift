// SPDX-License-Identifier: GPL-3.0-or-later

/// Reason why an app came to the screen.
public enum OpenReason: UInt8, Sendable, CaseIterable, BitwiseCopyable {
    /// The user taps the app's icon, or the recording states no reason.
    case icon
    /// A notification of the app, either pushed or scheduled by the app.
    case notification
    /// A link in the previous app.
    case link
    /// The app's widget.
    case widget
    /// The share sheet of the previous app.
    case shareSheet
    /// The previous app, through the URL scheme of this app.
    case app
    /// The app died on screen, and the user opens it again.
    case restart

    /// Word for the reason in tables, names of metrics and workload files.
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

    /// Meaning of the reason, as words that follow "opens".
    public var meaning: String {
        switch self {
        case .icon: "by the icon; in recordings, also opens without a reason"
        case .notification: "by a notification of the app"
        case .link: "by a link in the previous app"
        case .widget: "by a widget of the app"
        case .shareSheet: "by the share sheet of the previous app"
        case .app: "by the previous app"
        case .restart: "of an app that had died on screen"
        }
    }

    /// Whether the previous app opened this one and stays in memory behind it.
    public var comesFromApp: Bool {
        switch self {
        case .link, .shareSheet, .app: true
        case .icon, .notification, .widget, .restart: false
        }
    }
}
