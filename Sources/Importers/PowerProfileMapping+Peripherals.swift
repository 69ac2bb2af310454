// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

extension PowerProfileMapping {
    /// Graphics, audio, video, camera, location and Bluetooth, where the profile has a figure for them.
    mutating func mapPeripherals() {
        addPart("camera", "power", profile.current("camera.avg"))
        addPart("audio", "playback_power", profile.current("audio", "dsp.audio"))
        addPart("video", "power", profile.current("video", "dsp.video"))
        mapLocation()
        mapBluetooth()
        mapGraphics()
        assume(
            "display.ambient_power", "as the base: the profile's ambient.on would hold for a display that never rests")
    }

    private mutating func addPart(
        _ section: String, _ key: String, _ item: (name: String, value: Double)?, voltage: Voltage? = nil
    ) {
        guard let item else { return }
        add(section, [line(key, item.value, from: item.name, voltage: voltage)])
    }

    /// With a good signal where the profile tells signals apart: the last of its levels.
    private mutating func mapLocation() {
        let voltage = volts("gps.voltage")
        if let levels = profile.values("gps.signalqualitybased"), let best = levels.last, best > 0.1 {
            _ = profile.values("gps.on")
            addPart("location", "power", ("gps.signalqualitybased, good signal", best), voltage: voltage)
        } else {
            addPart("location", "power", profile.current("gps.on"))
        }
    }

    /// The controller listening, as it carries sound; old profiles have one current.
    private mutating func mapBluetooth() {
        let voltage = volts("bluetooth.controller.voltage")
        if let receive = profile.current("bluetooth.controller.rx") {
            addPart("bluetooth", "power", receive, voltage: voltage)
        } else {
            addPart("bluetooth", "power", profile.current("bluetooth.active"))
        }
    }

    private mutating func mapGraphics() {
        guard let top = profile.values("gpu.active")?.max(), top > 0.1 else { return }
        addPart("graphics", "power", ("gpu.active, highest clock", top))
    }
}
