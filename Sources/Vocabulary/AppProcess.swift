// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// An app's process besides its main process: an extension on iOS, a separate process or a child on Android.
public struct AppProcess: Sendable {
    /// Kind of the process, which determines when it is needed.
    public let kind: Kind
    /// Size, working time and limits of the process.
    public var figures: HelperParameters

    /// Creates the usual process of a kind.
    public init(_ kind: Kind) {
        self.kind = kind
        figures = kind.usual
    }

    /// The kinds of processes; their raw values are the keys in app files.
    public enum Kind: String, Sendable, CaseIterable, BitwiseCopyable {
        /// Runs for each alert before it is shown. If it dies, the alert shows as it was sent.
        case notificationService = "notification_service"
        /// Runs for each reload of the app's widget. If it dies, the widget keeps its old content.
        case widget
        /// Runs when the user shares content from another app with this app. If it dies, nothing is shared.
        case share
        /// Runs when the user types in any app. If it dies, the system's keyboard comes up.
        case keyboard
        /// Runs as long as the phone is on. While the process is dead, there is no tunnel.
        case tunnel
        /// Runs when the user opens the app's clip.
        case clip
        /// Runs in its own process while its app is on screen, because it is bound to the app.
        case service
        /// Runs in its own process as long as the phone is on, because its service is sticky (`START_STICKY`).
        case sticky
        /// Processes that the app forks when it is opened. They run until the app's main process ends.
        case children
    }
}

extension AppProcess.Kind {
    /// When a process of the kind is needed, in addition to its `open_share` and `per_day`.
    public enum Need: Sendable, BitwiseCopyable {
        /// Only as `open_share` and `per_day` state.
        case onlyAsStated
        /// When its app requests the process, for an alert or a reload.
        case asked
        /// While the phone is on.
        case always
        /// While its app is on screen.
        case onScreen
        /// From the app's first open until the app's process ends.
        case untilAppEnds
    }

    /// When a process of the kind is needed.
    public var need: Need {
        switch self {
        case .notificationService, .widget: .asked
        case .share, .keyboard, .clip: .onlyAsStated
        case .tunnel, .sticky: .always
        case .service: .onScreen
        case .children: .untilAppEnds
        }
    }

    /// Whether the user sees the process, or the app for which it works.
    public var isSeen: Bool { self == .share || self == .keyboard || self == .clip || need == .onScreen }

    /// Whether the kind belongs to Android; the other kinds belong to iOS.
    public var isOfAndroid: Bool { self == .service || self == .sticky || self == .children }

    /// The default figures of a process of this kind.
    ///
    /// No source states the memory of these processes. All sizes, times and shares are assumptions. The work for an
    /// alert takes at most 30 s (Apple, "UNNotificationServiceExtension"). The cost of an alert or a reload is charged
    /// to the alert or reload, so these processes have no load.
    public var usual: HelperParameters {
        var usual = HelperParameters()
        (usual.sigma, usual.files) = (0.3, .mebibytes(5))
        switch self {
        case .notificationService: (usual.memory, usual.time, usual.load) = (.mebibytes(10), .seconds(2), 0)
        case .widget: (usual.memory, usual.time, usual.load) = (.mebibytes(15), .seconds(2), 0)
        case .share: (usual.memory, usual.sigma, usual.openShare) = (.mebibytes(45), 0.5, 0.002)
        case .keyboard: (usual.memory, usual.openShare, usual.load) = (.mebibytes(40), 0.3, 0.1)
        case .tunnel: (usual.memory, usual.load) = (.mebibytes(12), 0.1)
        case .clip: (usual.memory, usual.perDay, usual.time) = (.mebibytes(60), 0.05, .minutes(1))
        case .service: (usual.memory, usual.load, usual.stays) = (.mebibytes(40), 0.05, .minutes(30))
        case .sticky: (usual.memory, usual.load) = (.mebibytes(40), 0.05)
        case .children: (usual.memory, usual.count) = (.mebibytes(10), 4)
        }
        return usual
    }

    /// Memory limit of the kind on a major version of iOS; zero if the kind has no limit of its own.
    ///
    /// Sizes in MB before iOS 13: service 12, widget 32, share 120, keyboard 66, tunnel 15 (JetsamProperties,
    /// github.com/eycorsican/jetsamproperties, 2019, iPhone X). Later: service 24 (blog.kulman.sk, "Dealing with memory
    /// limits in iOS app extensions", iPhone 11), widget 30 (github.com/feedback-assistant/reports/issues/177, iOS
    /// 14.1), tunnel 50 from iOS 15 on. No later sizes of share and keyboard are known. App clips have the limit of
    /// apps.
    public func limit(onIOS version: Int) -> ByteCount {
        switch self {
        case .notificationService: .mebibytes(version < 13 ? 12 : 24)
        case .widget: .mebibytes(version < 14 ? 32 : 30)
        case .share: .mebibytes(120)
        case .keyboard: .mebibytes(66)
        case .tunnel: .mebibytes(version < 15 ? 15 : 50)
        case .clip, .service, .sticky, .children: .zero
        }
    }

    /// The keys of a process of this kind in an app file, with the allowed values.
    public var keys: [FileKey<HelperParameters>] {
        let common = HelperParameters.keys.filter { key in
            switch key.name {
            case "open_share", "per_day": need == .onlyAsStated
            case "stays": need != .always && need != .untilAppEnds
            default: true
            }
        }
        let count: [FileKey<HelperParameters>] = [.integer(\.count, "count", 1...200, example: "4")]
        let endsApp: [FileKey<HelperParameters>] = [.flag(\.endsApp, "ends_app")]
        return common + (isOfAndroid ? count : []) + (self == .service || self == .sticky ? endsApp : [])
    }
}

extension BackgroundTraits {
    /// The process of a kind, if the app has one.
    public func process(_ kind: AppProcess.Kind) -> AppProcess? { processes.first { $0.kind == kind } }

    /// Whether the app has a process of the kind.
    public func has(_ kind: AppProcess.Kind) -> Bool { processes.contains { $0.kind == kind } }
}
