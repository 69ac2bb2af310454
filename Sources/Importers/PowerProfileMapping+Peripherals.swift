// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

extension PowerProfileMapping {
    /// Maps the values of the profile for graphics, audio, video, camera, location and Bluetooth.
    mutating func mapPeripherals() {
        addPart("camera", "power", profile.current("camera.avg"), of: "camera.avg")
        addPart("audio", "playback_power", profile.current("audio", "dsp.audio"), of: "audio")
        addPart("video", "power", profile.current("video", "dsp.video"), of: "video")
        mapLocation()
        mapBluetooth()
        mapGraphics()
    }

    private mutating func addPart(
        _ section: String, _ key: String, _ item: (name: String, value: Double)?, of wanted: String,
        voltage: Voltage? = nil
    ) {
        guard let item else { return addMissing("\(section).\(key)", wanted) }
        add(section, [line(key, item.value, from: item.name, voltage: voltage)])
    }

    /// Maps location.
    ///
    /// If a profile has values for several signal levels, the last value is used, which is for a good signal.
    private mutating func mapLocation() {
        let voltage = volts("gps.voltage")
        if let levels = profile.values("gps.signalqualitybased"), let best = levels.last, best > 0.1 {
            _ = profile.values("gps.on")
            addPart("location", "power", ("gps.signalqualitybased, good signal", best), of: "gps.on", voltage: voltage)
        } else {
            addPart("location", "power", profile.current("gps.on"), of: "gps.on")
        }
    }

    /// Maps Bluetooth.
    ///
    /// The model's power of Bluetooth with sound comes from the controller's receive current. Old profiles have only
    /// one current for Bluetooth, which is then used.
    private mutating func mapBluetooth() {
        let voltage = volts("bluetooth.controller.voltage")
        let wanted = "bluetooth.controller.rx"
        if let receive = profile.current(wanted) {
            addPart("bluetooth", "power", receive, of: wanted, voltage: voltage)
        } else {
            addPart("bluetooth", "power", profile.current("bluetooth.active"), of: wanted)
        }
    }

    private mutating func mapGraphics() {
        let top = profile.values("gpu.active")?.max().flatMap { $0 > 0.1 ? $0 : nil }
        addPart("graphics", "power", top.map { ("gpu.active, highest clock", $0) }, of: "gpu.active")
    }
}
