// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Power
import Quantities
import Vocabulary

extension DeviceReader {
    /// The parts that only some apps use.
    func readPeripherals(_ root: MapReader, into parts: inout PeripheralParameters) {
        let power = ValueReader<Power>.amount(.power)
        root.section("graphics") { $0.set(&parts.graphicsPower, "power", power) }
        root.section("memory_bus") { $0.set(&parts.memoryPerGigabyte, "per_gigabyte", .amount(.energy)) }
        root.section("audio") { map in
            map.set(&parts.audioOutputPower, "output_power", power)
            map.set(&parts.playbackPower, "playback_power", power)
        }
        root.section("video") { map in
            map.set(&parts.videoPower, "power", power)
            map.set(&parts.streamPower, "stream_power", power)
        }
        root.section("camera") { $0.set(&parts.cameraPower, "power", power) }
        root.section("location") { $0.set(&parts.locationPower, "power", power) }
        root.section("bluetooth") { $0.set(&parts.bluetoothPower, "power", power) }
    }

    /// What the classes of apps put on the parts; load and rates are the app's own where it states them.
    func readActivities(_ map: MapReader, into table: inout ActivityTable) {
        for activity in ActivityClass.allCases {
            var one = table[activity]
            map.section(activity.rawValue) { map in
                map.set(&one.load, "load", .number(0...16, example: "0.3"))
                map.set(&one.rate, "rate", .amount(.dataRate))
                map.set(&one.sendRate, "send_rate", .amount(.dataRate))
                map.set(&one.pictureLevel, "picture_level", .share)
                map.set(&one.darkPictureLevel, "dark_picture_level", .share)
                map.set(&one.graphics, "graphics", .share)
                map.set(&one.memoryTraffic, "memory_traffic", .number(0...1000, example: "0.5"))
                map.set(&one.video, "video", .flag)
                map.set(&one.streams, "streams", .flag)
                map.set(&one.audio, "audio", .flag)
                map.set(&one.bluetooth, "bluetooth", .flag)
                map.set(&one.camera, "camera", .share)
                map.set(&one.location, "location", .share)
            }
            table[activity] = one
        }
    }
}
