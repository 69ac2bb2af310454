import CommandLineArguments
import Diagnostics
import Importers
import Quantities
import Recording
import Scenario
import Workload

/// `flotsam import`: foreign files to workloads and devices of ours.
enum ImportVerb: Verb {
    static let name = "import"
    static let summary = "Turns foreign files into workloads, devices, scenarios"
    static let example = "flotsam import app-usage export.csv -o trace.csv"

    private static let formats = [
        "app-usage", "aware", "batterystats", "ios-powerlog", "power-profile", "jetsam-report",
    ]

    private struct Wish {
        var output = OutputTarget("")
        var zone: String?
        var order: String?
        var lastDay: String?
        var origin: String?
        var deviceName: String?
        var base: String?
        var ram: String?
        var app: String?
        var secondsOnScreen: Double?
        var idleRest = false

        /// What readers of recordings need to know.
        var recording: RecordingWish {
            RecordingWish(
                zone: zone, origin: origin, app: app, secondsOnScreen: secondsOnScreen, idleRest: idleRest)
        }
    }

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        var wish = Wish()
        let output = arguments.option("--output", "-o", value: "F", help: "File to write", as: String.self)
        let force = arguments.flag("--force", help: "Replace whatever file is there")
        wish.zone = arguments.option("--zone", value: "Z", help: "Recordings: time zone of the phone")
        wish.order = arguments.option(
            "--dates", value: "ORDER", help: "app-usage: day-first, month-first or year-first (default: found)")
        wish.lastDay = arguments.option("--last-day", value: "YYYY-MM-DD", help: "aware: last day to take")
        wish.origin = arguments.option("--origin", value: "TEXT", help: "Where the files come from")
        wish.deviceName = arguments.option(
            "--name", value: "N", help: "power-profile, jetsam-report: name of what is made")
        wish.base = arguments.option("--base", value: "D", help: "power-profile: device that supplies the rest")
        wish.ram = arguments.option("--ram", value: "R", help: "power-profile, jetsam-report: memory, as '8 GiB'")
        wish.app = arguments.option(
            "--app", value: "A", help: "batterystats: the app on screen where the history does not name it")
        wish.secondsOnScreen = arguments.option(
            "--seconds-on-screen", value: "S", help: "ios-powerlog: time on screen of an app seen in an hour")
        wish.idleRest = arguments.flag(
            "--idle-rest", help: "batterystats, ios-powerlog: the rest of the days is a phone nobody touched")
        let words = arguments.operands("FORMAT FILE", help: formats.joined(separator: ", ") + "; then files", 2...9)
        if let format = words.first, !formats.contains(format) {
            let near = nearest(to: format, in: formats)
            arguments.report(
                "unknown format \"\(format)\"",
                hint: near.map { "did you mean \($0)?" } ?? "one of: " + formats.joined(separator: ", "))
        }
        let isReport = words.first == "jetsam-report"
        if output == nil, !isReport { arguments.report("--output is missing", hint: "for instance -o imported.csv") }
        if ["aware", "ios-powerlog"].contains(words.first), wish.zone == nil {
            arguments.report("--zone is missing", hint: "for instance --zone Europe/Helsinki")
        }
        if let code = arguments.settled() { return code }
        wish.output = OutputTarget(output ?? "", isForced: force)
        if output != nil { try wish.output.check(mark: mark(words[0])) }
        try check(wish)
        let files = Array(words.dropFirst())
        switch words[0] {
        case "aware": return try importAware(files, wish)
        case "app-usage": return try importAppUsage(files, wish)
        case "jetsam-report":
            guard files.count == 1 else { throw Diagnostics("jetsam-report reads one file, found \(files.count)") }
            return try JetsamReportImport.run(
                files[0], to: output == nil ? nil : wish.output, mark: mark(words[0]), name: wish.deviceName,
                ram: wish.ram.map(memory))
        case "batterystats", "ios-powerlog":
            return try write(try readRecording(words[0], files, wish.recording), wish.output, mark(words[0]))
        default: return try importProfile(files, wish)
        }
    }

    /// The line by which an imported file is known.
    private static func mark(_ format: String) -> String { "# written by: flotsam import \(format)" }

    /// Refuses a base and a zone that nobody knows.
    private static func check(_ wish: Wish) throws(Diagnostics) {
        if let zone = wish.zone { try checkZone(zone) }
        let devices = ModelLibrary.located().names(.devices)
        guard let base = wish.base, !devices.contains(base) else { return }
        throw Diagnostics(
            "--base: unknown device \"\(base)\"",
            hint: nearest(to: base, in: devices).map { "did you mean \"\($0)\"?" } ?? "see flotsam list devices")
    }

    private static func importAware(_ files: [String], _ wish: Wish) throws -> Int32 {
        var options = AwareOptions(zone: wish.zone ?? "")
        options.origin = wish.origin ?? ""
        if let text = wish.lastDay {
            guard let day = CalendarDate(text) else {
                throw Diagnostics("--last-day expects a date such as 2017-03-22, found \"\(text)\"")
            }
            options.lastDay = day
        }
        return try write(try Importers.importAware(paths: files, options), wish.output, mark("aware"))
    }

    private static func importAppUsage(_ files: [String], _ wish: Wish) throws -> Int32 {
        var options = AppUsageOptions()
        options.zone = wish.zone ?? ""
        options.origin = wish.origin ?? ""
        if let text = wish.order {
            guard let order = DateOrder(rawValue: text) else {
                throw Diagnostics("--dates expects day-first, month-first or year-first, found \"\(text)\"")
            }
            options.dateOrder = order
        }
        return try write(try Importers.importAppUsage(paths: files, options), wish.output, mark("app-usage"))
    }

    private static func write(_ workload: WorkloadFile, _ output: OutputTarget, _ mark: String) throws -> Int32 {
        var workload = workload
        workload.notes.append(String(mark.dropFirst(2)))
        try output.write(workload.encoded(), mark: mark)
        return Console.out(
            "\(output.path): \(count(workload.events.count, "event")), \(count(workload.apps.count, "app")) from "
                + "\(workload.start)\n")
    }

    private static func importProfile(_ files: [String], _ wish: Wish) throws -> Int32 {
        guard files.count == 1 else { throw Diagnostics("power-profile reads one file, found \(files.count)") }
        let stem = (wish.output.path.split(separator: "/").last ?? "device").prefix { $0 != "." }
        var options = PowerProfileOptions(name: wish.deviceName ?? String(stem))
        options.origin = wish.origin
        if let base = wish.base { options.base = base }
        if let text = wish.ram { options.ram = try memory(text) }
        let device = try importPowerProfile(path: files[0], options)
        let mark = mark("power-profile")
        // Behind the comment at its head, whose first sentence stands in lists.
        let yaml = device.yaml.replacing("\nschema:", with: "\n\(mark)\nschema:", maxReplacements: 1)
        try wish.output.write(Array(yaml.utf8), mark: mark)
        for item in device.unused { Console.talk("not used: \(item)\n") }
        for item in device.missing { Console.talk("from \(options.base): \(item)\n") }
        return Console.out("\(wish.output.path): device \(options.name)\n")
    }

    private static func memory(_ text: String) throws(Diagnostics) -> ByteCount {
        let bytes: Double
        do throws(UnitTextError) {
            bytes = try UnitText.parse(text, as: .bytes)
        } catch {
            throw Diagnostics("--ram: \(error.message)")
        }
        guard (1...1e15).contains(bytes) else { throw Diagnostics("--ram: no phone has \(text)") }
        return ByteCount(Int64(bytes.rounded()))
    }
}
