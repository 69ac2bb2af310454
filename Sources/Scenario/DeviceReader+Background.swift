import Background
import ConfigText
import Quantities

extension DeviceReader {
    /// Reads what the OS fixes about pushes that run code.
    func readPushes(_ map: MapReader, into pushes: inout PushParameters) {
        map.set(&pushes.perWindow, "per_window", .integer(0...10_000, example: "3"))
        map.set(&pushes.window, "window", .duration(0...9e6))
        map.set(&pushes.spacing, "spacing", .duration(0...9e6))
        map.set(&pushes.runtime, "runtime", .duration(0.001...3600))
    }
}
