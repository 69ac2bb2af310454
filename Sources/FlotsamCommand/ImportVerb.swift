import CommandLineArguments
import Diagnostics
import Importers
import Quantities
import Recording
import Workload

/// `flotsam import`: foreign files to workloads and devices of ours.
enum ImportVerb: Verb {
    static let name = "import"
    static let summary = "Turns foreign files into workloads and devices: app-usage, aware, power-profile"
    static let example = "flotsam import app-usage export.csv -o trace.csv"

    private static let formats = ["app-usage", "aware", "power-profile"]

    private struct Wish {
        var output = ""
        var zone: String?
        var order: String?
        var lastDay: String?
        var origin: String?
        var deviceName: String?
        var base: String?
        var ram: String?
    }

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        var wish = Wish()
        let output = arguments.option("--output", "-o", value: "F", help: "File to write", as: String.self)
        wish.zone = arguments.option("--zone", value: "Z", help: "aware, app-usage: time zone of the phone")
        wish.order = arguments.option(
            "--dates", value: "ORDER", help: "app-usage: day-first, month-first or year-first (default: found)")
        wish.lastDay = arguments.option("--last-day", value: "YYYY-MM-DD", help: "aware: last day to take")
        wish.origin = arguments.option("--origin", value: "TEXT", help: "Where the files come from")
        wish.deviceName = arguments.option("--name", value: "N", help: "power-profile: name (default: the file's)")
        wish.base = arguments.option("--base", value: "D", help: "power-profile: device that supplies the rest")
        wish.ram = arguments.option("--ram", value: "R", help: "power-profile: memory, for instance '8 GiB'")
        let words = arguments.operands("FORMAT FILE", help: formats.joined(separator: ", ") + "; then files", 2...9)
        if let format = words.first, !formats.contains(format) {
            let near = nearest(to: format, in: formats)
            arguments.report(
                "unknown format \"\(format)\"",
                hint: near.map { "did you mean \($0)?" } ?? "one of: " + formats.joined(separator: ", "))
        }
        if output == nil { arguments.report("--output is missing", hint: "for instance -o imported.csv") }
        if words.first == "aware", wish.zone == nil {
            arguments.report("--zone is missing", hint: "for instance --zone Europe/Helsinki")
        }
        if let code = arguments.settled() { return code }
        wish.output = output ?? ""
        let files = Array(words.dropFirst())
        switch words[0] {
        case "aware": return try importAware(files, wish)
        case "app-usage": return try importAppUsage(files, wish)
        default: return try importProfile(files, wish)
        }
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
        return try write(try Importers.importAware(paths: files, options), wish.output)
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
        return try write(try Importers.importAppUsage(paths: files, options), wish.output)
    }

    private static func write(_ workload: WorkloadFile, _ path: String) throws -> Int32 {
        try replaceFile(path) { file in try file.write(workload.encoded()) }
        return Console.out(
            "\(path): \(count(workload.events.count, "event")), \(count(workload.apps.count, "app")) from "
                + "\(workload.start)\n")
    }

    private static func importProfile(_ files: [String], _ wish: Wish) throws -> Int32 {
        guard files.count == 1 else { throw Diagnostics("power-profile reads one file, found \(files.count)") }
        let stem = (wish.output.split(separator: "/").last ?? "device").prefix { $0 != "." }
        var options = PowerProfileOptions(name: wish.deviceName ?? String(stem))
        options.origin = wish.origin
        if let base = wish.base { options.base = base }
        if let text = wish.ram { options.ram = try memory(text) }
        let device = try importPowerProfile(path: files[0], options)
        try replaceFile(wish.output, with: device.yaml)
        for item in device.unused { Console.talk("not used: \(item)\n") }
        for item in device.missing { Console.talk("from \(options.base): \(item)\n") }
        return Console.out("\(wish.output): device \(options.name)\n")
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
