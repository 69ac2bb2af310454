// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// The loads of one running activity, which are stopped at the same time.
public struct ActivityLoads: Sendable, BitwiseCopyable {
    var handles = InlineArray<7, LoadHandle>(repeating: .none)

    /// A value without loads.
    public static var none: ActivityLoads { ActivityLoads() }
}

/// Power of the parts that an activity uses, except processor, display and radios, as plain numbers.
struct ActivityFigures: BitwiseCopyable {
    static let components: InlineArray<7, Component> = [
        .graphics, .memory, .audio, .video, .camera, .location, .bluetooth,
    ]

    var watts = InlineArray<7, Double>(repeating: 0)

    init(_ activity: ActivityParameters, _ parts: PeripheralParameters, inBackground: Bool) {
        func set(_ index: Int, _ power: Power) { watts[index] = PowerSystem.quantised(power) }
        let playing = inBackground && activity.sleepsInBackground
        if activity.audio { set(2, parts.audioOutputPower + (playing ? parts.playbackPower : .zero)) }
        if activity.speaker > 0, !inBackground { set(2, .watts(watts[2]) + parts.speakerPower * activity.speaker) }
        if activity.location > 0 { set(5, parts.locationPower * activity.location) }
        if activity.bluetooth { set(6, parts.bluetoothPower) }
        if inBackground { return }
        set(0, parts.graphicsPower * activity.graphics)
        set(1, .watts(parts.memoryPerGigabyte.joules * activity.memoryTraffic))
        if activity.video { set(3, parts.videoPower + (activity.streams ? parts.streamPower : .zero)) }
        set(4, parts.cameraPower * activity.camera)
    }
}

extension PowerSystem {
    /// Switches on the parts that an activity needs besides processor, display and radios.
    ///
    /// - Parameter inBackground: Whether to switch on only the parts that work without the display.
    public mutating func startActivity(
        _ activity: ActivityClass, inBackground: Bool = false, app: AppID, cause: Cause, at now: SimTime
    ) -> ActivityLoads {
        var loads = ActivityLoads.none
        let figures = inBackground ? backgroundFigures[activity.index] : frontFigures[activity.index]
        for index in 0..<7 where figures.watts[index] > 0 {
            loads.handles[index] = startLoad(
                ActivityFigures.components[index], .watts(figures.watts[index]), app: app, cause: cause, at: now)
        }
        return loads
    }

    /// Switches off the parts that an activity switched on; loads that are already gone are ignored.
    public mutating func stopActivity(_ loads: ActivityLoads, at now: SimTime) {
        for index in 0..<7 { stopLoad(loads.handles[index], at: now) }
    }
}
