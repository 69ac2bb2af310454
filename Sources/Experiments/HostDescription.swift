// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Numerics
import Phone
import Platform
import Recording

/// Versions of programs, and the processor: results depend on them as well as on the experiment.
public enum HostDescription {
    /// Versions for the manifest.
    public static var versions: JSONValue {
        .object([
            "model": .string(modelVersion), "build": .string(hexadecimal(Build.current)),
            "swift": .string(swiftVersion), "gsl": .string(gslVersion),
            "c_library": .string(cLibrary), "arithmetic": .string(hexadecimal(ArithmeticProbe.value)),
            "cpu": .string(processor), "system": .string(system),
        ])
    }

    /// Name of the machine and the number of its processors.
    public static var host: JSONValue {
        .object(["name": .string(name), "processors": .integer(processors)])
    }

    /// Name of the machine.
    static var name: String {
        var name = [CChar](repeating: 0, count: 256)
        gethostname(&name, name.count - 1)
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Number of processors that are online; at least one.
    public static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// Average number of running and waiting processes over the last minute; nil if it is unknown.
    public static var load: Double? {
        var averages = [0.0]
        return getloadavg(&averages, 1) == 1 ? averages[0] : nil
    }

    static var swiftVersion: String {
        #if compiler(>=6.4)
            "6.4 or later"
        #elseif compiler(>=6.3)
            "6.3"
        #elseif compiler(>=6.2)
            "6.2"
        #else
            "6.1 or earlier"
        #endif
    }

    static var cLibrary: String { OperatingSystem.cLibrary }

    private static var system: String {
        var name = utsname()
        guard uname(&name) == 0 else { return "unknown" }
        func text<T>(_ field: T) -> String {
            withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
        return "\(text(name.sysname)) \(text(name.release)) \(text(name.machine))"
    }

    /// Vendor, family and model of the processor.
    private static var processor: String {
        guard let bytes = try? readFile("/proc/cpuinfo", upTo: 16 << 20) else { return "unknown" }
        let wanted = [
            "vendor_id", "cpu family", "model", "model name", "CPU implementer", "CPU architecture", "CPU part",
        ]
        var parts: [String] = []
        for line in bytes.split(separator: 10, omittingEmptySubsequences: false) {
            if line.isEmpty { break }
            let sides = line.split(separator: UInt8(ascii: ":"), maxSplits: 1)
            guard sides.count == 2 else { continue }
            let key = trimmed(sides[0])
            if wanted.contains(key) { parts.append("\(key) \(trimmed(sides[1]))") }
        }
        return parts.isEmpty ? "unknown" : parts.joined(separator: ", ")
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
        let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        return words.joined(separator: " ")
    }
}
