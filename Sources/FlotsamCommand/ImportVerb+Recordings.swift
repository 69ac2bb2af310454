import Diagnostics
import Importers
import Quantities
import Workload

/// What the readers of recordings of batteries need to know.
struct RecordingWish {
    var zone: String?
    var origin: String?
    var app: String?
    var secondsOnScreen: Double?
    /// Whether the rest of the first and the last day counts as recorded.
    var idleRest = false
}

extension ImportVerb {
    /// Reads a battery history or the tables of a power log.
    static func readRecording(
        _ format: String, _ files: [String], _ wish: RecordingWish
    ) throws(Diagnostics) -> WorkloadFile {
        var file = try readRows(format, files, wish)
        if wish.idleRest {
            let days = (file.covered.upperBound - .zero) / .day
            file.covered = .zero..<(.zero + .days(days.rounded(.up)))
            file.notes.append("nobody touched the phone where the recording is silent: an assumption")
        }
        return file
    }

    private static func readRows(
        _ format: String, _ files: [String], _ wish: RecordingWish
    ) throws(Diagnostics) -> WorkloadFile {
        if format == "ios-powerlog" {
            var options = PowerlogOptions(zone: wish.zone ?? "")
            options.origin = wish.origin ?? ""
            if let seconds = wish.secondsOnScreen {
                guard (1...3600).contains(seconds) else {
                    throw Diagnostics("--seconds-on-screen expects 1 to 3600, found \(seconds)")
                }
                options.secondsOnScreen = seconds
            }
            return try importPowerlog(paths: files, options)
        }
        guard files.count == 1 else { throw Diagnostics("batterystats reads one file, found \(files.count)") }
        var options = BatterystatsOptions()
        options.zone = wish.zone ?? ""
        options.origin = wish.origin ?? ""
        options.app = wish.app
        return try importBatterystats(path: files[0], options)
    }
}
