// SPDX-License-Identifier: GPL-3.0-or-later
import LifeCycle
import Quantities

/// A generation of the operating system, which device files can name.
public struct OSGeneration: Sendable {
    /// Name, for instance `ios-12`.
    public let name: String
    /// Differences from other generations, in one sentence.
    public let summary: String
    /// Creates the generation's rules for a phone with this nominal memory.
    public let profile: @Sendable (ByteCount) -> OSProfile
}

/// The generations, which have different kernels.
///
/// Source: the published kernels xnu-3789 (iOS 10), 4570 (11), 4903 (12), 6153 (13) and 7195 (14). The later kernels
/// are 8020 (15), 8796 (16), 10063 (17), 11215 (18.0) and 11417 (18.4, 18.5). All bands are on the scale of 0 to 210;
/// before iOS 16, the system itself counted from 0 to 21 (`bandUnit`).
extension OSProfile {
    /// All generations; in each family, the oldest is first.
    public static let generations = iosGenerations + androidGenerations

    /// Generations of iPhones and iPads.
    public static let iosGenerations: [OSGeneration] = [
        OSGeneration(name: "ios-6", summary: "600 s for background tasks; other rules as in ios-10 (assumption)") {
            ram in
            changed(ios10(ram: ram)) { $0.assertionLength = .seconds(600) }
        },
        OSGeneration(name: "ios-9", summary: "180 s for background tasks; other rules as in ios-10 (assumption)") {
            ram in
            ios10(ram: ram)
        },
        OSGeneration(
            name: "ios-10",
            summary:
                "iOS 10 and 11: any number of frozen apps, in band 0; 1 GiB frozen a day; 180 s for background tasks"
        ) { ram in ios10(ram: ram) },
        OSGeneration(
            name: "ios-12", summary: "at most 20 frozen apps, in their own band (80); 180 s for background tasks"
        ) { ram in
            ios12(ram: ram)
        },
        OSGeneration(name: "ios-13", summary: "as ios-12, with scenes and 30 s for background tasks") { ram in
            ios13(ram: ram)
        },
        OSGeneration(name: "ios-14", summary: "as ios-13") { ram in ios13(ram: ram) },
        OSGeneration(name: "ios-15", summary: "as ios-14, with prewarming; pinned processes in band 40") { ram in
            changed(ios13(ram: ram)) {
                $0.elevatedBand = 40
                $0.lifeCycle.prewarms = true
            }
        },
        OSGeneration(
            name: "ios-16",
            summary:
                "bands 0 to 210; frozen apps in band 75; aggressive kills reach band 80 (the first three in 6 s) "
                + "or 15 (later ones)"
        ) { ram in ios16(ram: ram) },
        OSGeneration(
            name: "ios-17",
            summary: "as ios-16, but thresholds depend on the memory size, and are higher while any process is idle"
        ) { ram in
            let today = ios18(ram: ram)
            return changed(ios16(ram: ram)) {
                ($0.criticalShare, $0.idleShare, $0.softShare) = (today.criticalShare, today.idleShare, today.softShare)
            }
        },
        OSGeneration(
            name: "ios-18",
            summary:
                "no freezer or reaper; idle exits at their own threshold; aggressive kills reach band 40 (the first "
                + "two in 6 s), 80 (the next two) or 150 (later ones)"
        ) { ram in ios18(ram: ram) },
        OSGeneration(name: "ios-18.4", summary: "as ios-18, with the freezer (2 GiB a day) and the reaper") { ram in
            ios18Point4(ram: ram)
        },
        OSGeneration(name: "ios-18.5", summary: "as ios-18.4, but the reaper may run again after 30 s") { ram in
            changed(ios18Point4(ram: ram)) { $0.reaperRescan = .seconds(30) }
        },
        OSGeneration(
            name: "ios-26", summary: "continued processing; other rules as in ios-18.5 (assumption)"
        ) { ram in
            changed(ios18Point4(ram: ram)) {
                $0.reaperRescan = .seconds(30)
                $0.hasContinuedProcessing = true
            }
        },
    ]

    /// Major version in the generation's name; the newest version if the rules are written out.
    public var majorVersion: Int {
        Int(generation.drop { !$0.isNumber }.prefix(while: \.isNumber)) ?? .max
    }

    /// The rules of the generation with this name; nil if there is none.
    public static func named(_ name: String, ram: ByteCount) -> OSProfile? {
        generations.first { $0.name == name }.map { generation in
            changed(generation.profile(ram)) { $0.generation = name }
        }
    }

    /// Number of a band in the system's own count.
    public func ownBand(_ band: Int16) -> Int16 { band / bandUnit }

    private static func changed(_ profile: OSProfile, _ change: (inout OSProfile) -> Void) -> OSProfile {
        var profile = profile
        change(&profile)
        return profile
    }

    /// Rules with one critical threshold of 5 % (4 % above 3 GB), raised by 5 % while any process is idle.
    ///
    /// The first three marches of a window reach band 80, later ones reach band 150.
    private static func ios10(ram: ByteCount) -> OSProfile {
        let base = ram <= .gibibytes(3) ? 0.05 : 0.04
        var profile = OSProfile(criticalShare: base, idleShare: base + 0.05, softShare: 0.15)
        profile.idleRaisesCritical = true
        profile.stuckAgingBand = nil
        profile.aggressiveBands = [80, 80, 80, 150]
        profile.elevatedBand = 30
        profile.frozenBand = profile.idleBand
        profile.assertionLength = .seconds(180)
        profile.lifeCycle = .beforeScenes
        profile.bandUnit = 10
        var freezer = FreezerRules()
        freezer.slots = .max
        freezer.minimum = .mebibytes(1)
        freezer.dailyBudget = .mebibytes(1024)
        profile.freezer = freezer
        return profile
    }

    private static func ios12(ram: ByteCount) -> OSProfile {
        changed(ios10(ram: ram)) {
            $0.frozenBand = 80
            $0.freezer?.slots = 20
            $0.freezer?.minimum = .mebibytes(8)
        }
    }

    private static func ios13(ram: ByteCount) -> OSProfile {
        changed(ios12(ram: ram)) {
            $0.assertionLength = .seconds(30)
            $0.lifeCycle = LifeCycleRules()
            $0.lifeCycle.prewarms = false
        }
    }

    private static func ios16(ram: ByteCount) -> OSProfile {
        changed(ios13(ram: ram)) {
            $0.elevatedBand = 40
            $0.lifeCycle.prewarms = true
            $0.frozenBand = 75
            $0.aggressiveBands = [80, 80, 80, 15]
            $0.bandUnit = 1
        }
    }
}
