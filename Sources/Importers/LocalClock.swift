// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Files
import Quantities
import Workload

/// Throws if a time zone is neither an offset such as `+02:00` nor in the system's table of zones.
public func checkZone(_ zone: String) throws(Diagnostics) { _ = try LocalClock(zone: zone) }

/// Converts times in UTC to the local time of a zone.
struct LocalClock {
    /// Changes of the offset from UTC.
    ///
    /// `from` is the second since 1970 from which the offset applies.
    private var changes: [(from: Int64, offset: Int64)]

    /// Reads `UTC`, an offset such as `+02:00`, or a name in the system's table of zones such as `Europe/Helsinki`.
    init(zone: String) throws(Diagnostics) {
        if let offset = Self.offset(zone) {
            changes = [(Int64.min, offset)]
        } else if let changes = ZoneFile.changes(zone) {
            self.changes = changes
        } else {
            throw Diagnostics(
                "unknown time zone \"\(zone)\"",
                hint: "use a name such as Europe/Helsinki, or an offset such as +02:00")
        }
    }

    /// Converts nanoseconds since 1970 to local time, counted from the local midnight at the start of 1970.
    func local(_ nanoseconds: Int64) -> Int64 { nanoseconds + offset(at: nanoseconds) }

    /// Offset from UTC at a time in nanoseconds since 1970; both are in nanoseconds.
    func offset(at nanoseconds: Int64) -> Int64 {
        let second = nanoseconds >= 0 ? nanoseconds / 1_000_000_000 : (nanoseconds - 999_999_999) / 1_000_000_000
        var low = 0
        var high = changes.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if changes[middle].from <= second { low = middle } else { high = middle }
        }
        return changes[low].offset * 1_000_000_000
    }

    /// Offset in seconds of `UTC`, `Z`, `-06:00` or `-0600`; nil for any other text.
    static func offset(_ zone: String) -> Int64? {
        if zone == "UTC" || zone == "Z" { return 0 }
        let bytes = Array(zone.utf8)
        let hasColon = bytes.count == 6 && bytes[3] == UInt8(ascii: ":")
        guard hasColon || bytes.count == 5, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(bytes[0]),
            let hours = Int64(zone.dropFirst().prefix(2)), let minutes = Int64(zone.suffix(2)),
            (0...14).contains(hours), (0..<60).contains(minutes)
        else { return nil }
        return (bytes[0] == UInt8(ascii: "-") ? -1 : 1) * (hours * 3600 + minutes * 60)
    }
}

/// Reads the system's table of zones (RFC 8536, version 2 and later, with 64-bit times).
enum ZoneFile {
    /// Changes of the offset that the table lists for a zone; nil when the zone does not exist.
    ///
    /// Tables list changes until 2037, so the rule for later times is not read.
    static func changes(_ zone: String) -> [(from: Int64, offset: Int64)]? {
        guard !zone.isEmpty, !zone.hasPrefix("/"), !zone.contains(".."),
            let bytes = contents("/usr/share/zoneinfo/" + zone)
        else { return nil }
        return parse(bytes)
    }

    /// Parses the second block of the file, which contains 64-bit times.
    static func parse(_ bytes: [UInt8]) -> [(from: Int64, offset: Int64)]? {
        func number(_ index: Int, _ width: Int) -> Int64? {
            guard index >= 0, index + width <= bytes.count else { return nil }
            let value = bytes[index..<index + width].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return width == 4 ? Int64(Int32(truncatingIfNeeded: value)) : Int64(bitPattern: value)
        }
        func counts(_ header: Int) -> [Int]? {
            guard bytes.count >= header + 44, bytes[header..<header + 4].elementsEqual("TZif".utf8) else { return nil }
            let counts = (0..<6).compactMap { number(header + 20 + 4 * $0, 4) }.map { Int($0) }
            return counts.count == 6 && counts.allSatisfy { $0 >= 0 } ? counts : nil
        }
        // Order of the counts: UT/local indicators, standard/wall indicators, leap seconds, times, types, characters.
        guard let first = counts(0), bytes[4] >= UInt8(ascii: "2") else { return nil }
        let header = 44 + first[3] * 5 + first[4] * 6 + first[5] + first[2] * 8 + first[1] + first[0]
        guard let second = counts(header) else { return nil }
        let times = header + 44
        let kinds = times + second[3] * 8
        let types = kinds + second[3]
        guard let initial = number(types, 4) else { return nil }
        var changes = [(from: Int64.min, offset: initial)]
        for index in 0..<second[3] {
            guard let from = number(times + index * 8, 8), kinds + index < bytes.count,
                let offset = number(types + Int(bytes[kinds + index]) * 6, 4)
            else { return nil }
            changes.append((from, offset))
        }
        return changes
    }

    private static func contents(_ path: String) -> [UInt8]? {
        guard let bytes = try? readFile(path, upTo: 1 << 20), !bytes.isEmpty else { return nil }
        return bytes
    }
}
