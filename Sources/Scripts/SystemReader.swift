// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import LifeCycle
import Processes
import Quantities
import Vocabulary

/// Reads the memory and the system of a phone; the keys are the names of the Swift properties in `snake_case`.
///
/// Scripts and devices of experiments use the same functions.
public enum SystemReader {
    /// Allowed range of a phone's memory, in bytes, which excludes values in a wrong unit.
    private static let ram = 67_108_864.0...1.2e12

    /// Reads the sizes of a phone's memory, `memory`; nil after a problem.
    ///
    /// - Parameter adjust: Changes the defaults, which apply to keys that the file omits.
    public static func readMemory(
        _ root: MapReader, adjust: (inout MemoryParameters) -> Void = { _ in }
    ) -> MemoryParameters? {
        guard let map = root.map("memory") else {
            if root.isMap {
                root.cursor.fail("the key \"memory\" is missing", hint: "for instance \"memory: {ram: 4 GiB}\"")
            }
            return nil
        }
        let ram = map.required("ram", .bytes(Self.ram))
        var memory = MemoryParameters(ram: ram ?? .gibibytes(4), family: family(root))
        adjust(&memory)
        map.set(&memory, MemoryParameters.keys)
        map.finish()
        guard ram != nil else { return nil }
        for problem in memory.problems { map.cursor.fail(problem.spelledAsKeys) }
        return memory.problems.isEmpty ? memory : nil
    }

    /// The family of the system in `os`.
    private static func family(_ root: MapReader) -> SystemFamily {
        guard let node = root.cursor("os")?.node else { return .ios }
        let name = node.scalar ?? node["profile"]?.scalar ?? node["base"]?.scalar
        return name.flatMap { OSProfile.named($0, ram: .gibibytes(4)) }?.family ?? .ios
    }

    /// Reads the rules of a phone's system, `os`: the name of a generation, or a map of differences from a generation.
    public static func readOS(_ root: MapReader, ram: ByteCount?) -> OSProfile? {
        let profile = ValueReader<String>.word(of: OSProfile.generations.map(\.name), what: "system profile")
        let size = ram ?? .gibibytes(4)
        func named(_ name: String?) -> OSProfile { OSProfile.named(name ?? "ios-18", ram: size) ?? .ios18(ram: size) }
        var os = named(nil)
        guard let cursor = root.cursor("os") else { return os }
        if cursor.node.scalar != nil { return profile.read(cursor).map { named($0) } }
        let map = MapReader(cursor, expected: "a map, or the name of a system profile")
        // If the device's profile is a word and a map of changes is laid over it, the map gets that word as its base.
        let base = map.optional("base", profile)
        os = named(map.optional("profile", profile) ?? base)
        map.set(&os, OSProfile.keys)
        readKillerOptions(map, into: &os)
        readLifeCycle(map, into: &os.lifeCycle)
        map.finish()
        return map.isMap ? os : nil
    }
}

extension String {
    /// The text with file keys instead of Swift names of properties: `memory.freeTarget` becomes `memory.free_target`.
    public var spelledAsKeys: String {
        split(separator: " ", omittingEmptySubsequences: false).map { word in
            guard word.hasPrefix("memory.") else { return String(word) }
            return word.map { $0.isUppercase ? "_" + $0.lowercased() : String($0) }.joined()
        }.joined(separator: " ")
    }
}
