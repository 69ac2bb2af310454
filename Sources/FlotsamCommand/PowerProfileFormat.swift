// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Importers
import Recording
import Scenario

/// `flotsam data import power-profile`: converts an Android power profile to a device.
enum PowerProfileFormat: ImportFormat {
    static let name = "power-profile"
    private static let base = ImportOption("--base", value: "D", help: "device that supplies all other values")
    static let options = [ImportOption.origin, .made, .ram, base]

    static func run(_ job: ImportJob) throws -> Int32 {
        guard let output = job.output else { return ExitCode.usage }
        try checkBase(job)
        let file = try job.onlyFile(of: Self.self)
        let stem = (output.path.split(separator: "/").last ?? "device").prefix { $0 != "." }
        var options = PowerProfileOptions(name: job.text(.made) ?? String(stem))
        options.origin = job.text(.origin)
        if let base = job.text(base) { options.base = base }
        options.ram = try job.memory()
        let device = try importPowerProfile(path: file, options)
        // The mark is below the first comment, because lists show the first sentence of that comment.
        let yaml = device.yaml.replacing("\nschema:", with: "\n\(job.mark)\nschema:", maxReplacements: 1)
        try output.write(Array(yaml.utf8), mark: job.mark)
        Console.diagnose(device.warnings)
        Console.diagnose(try ModelLibrary.located().warnings(ofDevice: yaml, name: output.path))
        Console.diagnose("not used: ", each: device.unused)
        Console.diagnose("from \(options.base): ", each: device.missing)
        return Console.out("\(output.path): device \(options.name)\n")
    }

    /// Refuses an unknown base device.
    private static func checkBase(_ job: ImportJob) throws(Diagnostics) {
        let devices = ModelLibrary.located().names(.devices)
        guard let base = job.text(base), !devices.contains(base) else { return }
        throw Diagnostics(
            "--base: unknown device \"\(base)\"",
            hint: nearest(to: base, in: devices).map { "did you mean \"\($0)\"?" } ?? "see flotsam list devices")
    }
}
