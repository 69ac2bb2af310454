// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Load that an app of a class puts on the parts of the phone while it is in the foreground; the same on all phones.
///
/// The defaults are calibrated to the power of an iPhone 15 at half brightness on Wi-Fi. Films stored on the phone draw
/// 0.65 W (Apple states 20 hours of playback). Streamed films draw 1.4 W (a tester measured 9.2 h on an iPhone 14 Pro).
///
/// The other values are assumptions: messages 1.05 W, the web 1.15, feeds 1.5, maps 1.8, a video call 2.3, the camera
/// 2.8, a rich game 3.8. Mixed use comes to 1.58 W at the 150 nits of endurance tests, which find 1.3-1.5 W.
///
/// The shares of processor, memory and graphics in messages, the web and feeds were measured on an iPhone 13 Pro Max
/// (Miller 2026, github.com/markm39/mcm-battery-2026). There, graphics take 6, 11 and 4 %, and the processor 51, 51 and
/// 38 %. The graphics of casual games are between those of a board game (2 %) and of rich games.
public struct ActivityParameters: Sendable, BitwiseCopyable {
    /// Mean load on the cores, in reference cores.
    public var load = 0.28
    /// Data received a second.
    public var rate = DataRate.zero
    /// Data sent a second.
    public var sendRate = DataRate.zero
    /// Share of the foreground time for which the app's traffic keeps the receiver awake.
    ///
    /// Only time beyond the radio's own tail counts. No figure is published. Assumption: Wi-Fi takes as large a share
    /// of the power as for such apps in the first half of Miller's log. This share is 4 % for messages, 6 % for the
    /// web, 14 % for feeds and 9 % for a board game played online. Films get no addition, because Apple's hours already
    /// include their radio.
    public var listening = 0.0
    /// Mean level of the picture, from 0 (black) to 1 (white).
    public var pictureLevel = 0.8
    /// Mean level of the picture in dark mode, from 0 (black) to 1 (white).
    public var darkPictureLevel = 0.15
    /// Power of the graphics, as a share of their full power.
    public var graphics = 0.025
    /// Memory traffic in addition to that of the processor, in 10⁹ bytes a second.
    public var memoryTraffic = 0.0
    /// Whether the video decoder or encoder runs.
    public var video = false
    /// Whether the film or sound comes from the network.
    public var streams = false
    /// Whether the app plays sound.
    public var audio = false
    /// Share of the foreground time for which the loudspeaker plays.
    ///
    /// In Miller's log, sound takes 3 and 4 % of the power of two feed apps, and 18 % of a video app's power.
    public var speaker = 0.0
    /// Whether sound goes over Bluetooth.
    public var bluetooth = false
    /// Share of the camera's power.
    public var camera = 0.0
    /// Share of the time for which the location receiver tracks.
    public var location = 0.0
    /// Whether the display is off when the phone does nothing else.
    public var displayOff = false
    /// Whether the activity goes on in the background until it is over.
    public var continues = false
    /// Whether the platform stays asleep while the activity goes on in the background.
    public var sleepsInBackground = false

    /// Whether the display runs at the frame rate of the film or camera instead of its usual rate.
    public var hasOwnRate: Bool { video || camera > 0 }

    /// Creates the class `general`.
    public init() {}

    /// Whether the class plays sound in the foreground, and so ends the playback of other apps in the background.
    public var takesAudio: Bool { audio }

    /// The defaults of a class.
    public static func standard(_ activity: ActivityClass) -> ActivityParameters {
        var it = ActivityParameters()
        switch activity {
        case .general: it.listening = 0.15
        case .messaging:
            it.set(load: 0.28, rate: .megabitsPerSecond(0.08), graphics: 0.025, gigabytes: 0)
            it.listening = 0.15
        case .browse:
            it.set(load: 0.33, rate: .megabitsPerSecond(1), graphics: 0.04, gigabytes: 0)
            it.listening = 0.2
        case .social:
            it.set(load: 0.55, rate: .megabitsPerSecond(2), graphics: 0.02, gigabytes: 0)
            (it.listening, it.speaker) = (0.8, 0.2)
        case .video, .streamedVideo:
            it.set(load: 0.04, rate: .zero, graphics: 0, gigabytes: 0)
            it.setPicture(0.35, dark: 0.35)
            (it.video, it.audio, it.bluetooth) = (true, true, true)
            if activity == .streamedVideo {
                (it.load, it.rate, it.streams) = (0.25, .megabitsPerSecond(4), true)
                (it.listening, it.speaker) = (1, 1)
            }
        case .casualGame:
            it.set(load: 0.5, rate: .megabitsPerSecond(0.05), graphics: 0.1, gigabytes: 0.5)
            it.setPicture(0.5, dark: 0.5)
            (it.audio, it.listening) = (true, 0.3)
        case .game:
            it.set(load: 1.1, rate: .megabitsPerSecond(0.15), graphics: 0.6, gigabytes: 4)
            it.setPicture(0.4, dark: 0.4)
            it.audio = true
        case .navigation:
            it.set(load: 0.5, rate: .megabitsPerSecond(0.3), graphics: 0.16, gigabytes: 0.3)
            it.setPicture(0.65, dark: 0.25)
            (it.location, it.continues) = (1, true)
        case .camera:
            it.set(load: 0.5, rate: .zero, graphics: 0.05, gigabytes: 2)
            it.setPicture(0.45, dark: 0.45)
            (it.camera, it.video) = (1, true)
        case .call:
            it.set(load: 0.05, rate: .zero, graphics: 0, gigabytes: 0)
            (it.audio, it.bluetooth, it.displayOff) = (true, true, true)
            (it.rate, it.sendRate) = (.megabitsPerSecond(0.024), .megabitsPerSecond(0.024))
        case .videoCall:
            it.set(load: 0.4, rate: .megabitsPerSecond(1.5), graphics: 0.02, gigabytes: 0.5)
            it.setPicture(0.45, dark: 0.45)
            (it.camera, it.video, it.audio, it.sendRate) = (0.6, true, true, .megabitsPerSecond(1.5))
        case .music:
            it.rate = .megabitsPerSecond(0.256)
            (it.audio, it.bluetooth, it.displayOff) = (true, true, true)
            (it.continues, it.sleepsInBackground) = (true, true)
        }
        return it
    }

    private mutating func set(load: Double, rate: DataRate, graphics: Double, gigabytes: Double) {
        self.load = load
        self.rate = rate
        self.graphics = graphics
        memoryTraffic = gigabytes
    }

    private mutating func setPicture(_ level: Double, dark: Double) {
        pictureLevel = level
        darkPictureLevel = dark
    }
}

/// The parameters of every class.
public struct ActivityTable: Sendable {
    private var entries = ActivityClass.allCases.map(ActivityParameters.standard)

    /// Creates the defaults.
    public init() {}

    /// The parameters of a class.
    public subscript(activity: ActivityClass) -> ActivityParameters {
        get { entries[activity.index] }
        set { entries[activity.index] = newValue }
    }
}

extension ActivityParameters {
    /// The keys of these values in files, with their allowed ranges.
    public static let keys: [FileKey<ActivityParameters>] = [
        .number(\.load, "load", 0...16, example: "0.3"),
        .amount(\.rate, "rate", .dataRate),
        .amount(\.sendRate, "send_rate", .dataRate),
        .share(\.listening, "listening"),
        .share(\.pictureLevel, "picture_level"),
        .share(\.darkPictureLevel, "dark_picture_level"),
        .share(\.graphics, "graphics"),
        .number(\.memoryTraffic, "memory_traffic", 0...1000, example: "0.5"),
        .flag(\.video, "video"),
        .flag(\.streams, "streams"),
        .flag(\.audio, "audio"),
        .share(\.speaker, "speaker"),
        .flag(\.bluetooth, "bluetooth"),
        .share(\.camera, "camera"),
        .share(\.location, "location"),
    ]
}
