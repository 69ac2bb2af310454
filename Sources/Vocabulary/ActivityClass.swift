// SPDX-License-Identifier: GPL-3.0-or-later

/// Kind of activity of an app on screen; it decides which parts of the phone run.
public enum ActivityClass: String, Sendable, CaseIterable, BitwiseCopyable {
    /// Lists, buttons and text.
    case general
    /// Typing and reading messages.
    case messaging
    /// Pages from the web.
    case browse
    /// Scrolling through pictures and short videos.
    case social
    /// A film that is stored on the phone.
    case video
    /// A film streamed from the network.
    case streamedVideo = "streamed-video"
    /// A game with simple graphics.
    case casualGame = "casual-game"
    /// A game with rich graphics.
    case game
    /// A map that follows the phone's position.
    case navigation
    /// Taking pictures and videos.
    case camera
    /// A voice call with the display off.
    case call
    /// A video call.
    case videoCall = "video-call"
    /// Music, from the phone or from the network.
    case music

    /// Index of the class in tables.
    public var index: Int {
        switch self {
        case .general: 0
        case .messaging: 1
        case .browse: 2
        case .social: 3
        case .video: 4
        case .streamedVideo: 5
        case .casualGame: 6
        case .game: 7
        case .navigation: 8
        case .camera: 9
        case .call: 10
        case .videoCall: 11
        case .music: 12
        }
    }
}
