// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import Diagnostics
import Importers
import Recording

/// `flotsam data import`: converts foreign files to workloads and devices.
enum DataImportVerb: Verb {
    static let name = "import"
    static let summary = "Converts foreign files to workloads, devices, scenarios"
    static let example = "flotsam data import batterystats docs/examples/my-phone/history.txt --idle-rest -o trace.csv"

    /// Every format, in the order of the help.
    static let formats: [any ImportFormat.Type] = [
        AppUsageFormat.self,
        AwareFormat.self,
        BatterystatsFormat.self,
        UsagestatsFormat.self,
        IOSUsageFormat.self,
        PowerlogFormat.self,
        MappedFormat.self,
        LSAppFormat.self,
        TsinghuaFormat.self,
        ActivityWatchFormat.self,
        PowerProfileFormat.self,
        JetsamReportFormat.self,
    ]

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        let path = arguments.option("--output", "-o", value: "F", help: "File to write", as: String.self)
        let force = arguments.flag("--force", help: "Replaces an existing file of any kind")
        let values = readOptions(arguments)
        let names = formats.map { $0.name }
        let words = arguments.operands(
            "FORMAT FILE", help: names.joined(separator: ", ") + "; then files", 2...9, choices: names)
        let format = formats.first { $0.name == words.first }
        if let word = words.first, format == nil {
            arguments.report("unknown format \"\(word)\"", hint: nameHint(word, in: names))
        }
        if path == nil, format?.needsOutput ?? true {
            arguments.report("--output is missing", hint: "for instance -o imported.csv")
        }
        for option in format?.options ?? [] where values[option.name] == nil {
            guard let example = option.required else { continue }
            arguments.report("\(option.name) is missing", hint: "for instance \(option.name) \(example)")
        }
        if let code = arguments.settled() { return code }
        guard let format else { return ExitCode.usage }
        let mark = "# written by: flotsam data import \(format.name)"
        let output = path.map { OutputTarget($0, isForced: force) }
        try output?.check(mark: mark)
        let job = ImportJob(files: Array(words.dropFirst()), output: output, mark: mark, values: values)
        if let zone = job.text(.zone) { try checkZone(zone) }
        return try format.run(job)
    }

    /// Declares every option of all formats once, and reads the options that the user gave.
    private static func readOptions(_ arguments: ArgumentReader) -> [String: ImportJob.Value] {
        var values: [String: ImportJob.Value] = [:]
        var declared: [String] = []
        for option in formats.flatMap({ $0.options }) where !declared.contains(option.name) {
            declared.append(option.name)
            let users = formats.filter { $0.options.contains { $0.name == option.name } }.map { $0.name }
            let help = option.help.prefix(1).uppercased() + option.help.dropFirst()
            switch option.kind {
            case .flag: values[option.name] = arguments.flag(option.name, help: help, scope: users) ? .flag(true) : nil
            case .text:
                values[option.name] = arguments.option(
                    option.name, value: option.value, help: help, scope: users
                ).map { .text($0) }
            case .number:
                values[option.name] = arguments.option(
                    option.name, value: option.value, help: help, scope: users
                ).map { .number($0) }
            }
        }
        return values
    }
}
