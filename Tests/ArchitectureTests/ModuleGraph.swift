// SPDX-License-Identifier: GPL-3.0-or-later

/// The floors of the module graph: a module may import modules of lower floors, and none of its own.
///
/// A new module gets its line here and its target in `Package.swift`; the tests compare the two.
enum ModuleGraph {
    static let floors: [[String]] = [
        ["CGSL", "CYAML", "CExpat", "CZlib", "CSQLite", "CPolicies", "Platform"],
        ["Quantities", "Diagnostics", "Files", "Numerics", "Structures"],
        [
            "ConfigText", "CommandLineArguments", "Statistics", "RandomStreams", "EventKernel", "Vocabulary",
            "Measures",
        ],
        [
            "LifeCycle", "Processes", "Disk", "Cells", "Power", "Background", "Workload", "EvictionPolicies",
            "SchedulingPolicies",
        ],
        ["PhoneCore", "Scripts", "UserStudies"],
        ["Behaviours"],
        ["Phone", "ForeignPolicies"],
        ["Recording", "Importers", "Scenario"],
        ["Experiments"],
        ["FlotsamCommand", "flotsam", "flotsam-bench"],
    ]

    /// Imports between modules of one floor that are meant.
    static let sameFloor: Set<String> = [
        "flotsam -> FlotsamCommand", "Measures -> Vocabulary", "Processes -> LifeCycle", "Disk -> Processes",
        "Power -> Cells",
    ]

    /// The only modules that may import a system library.
    static let ownersOfLibrary: [String: Set<String>] = [
        "CGSL": ["Numerics"], "CYAML": ["ConfigText"], "CExpat": ["Importers"], "CZlib": ["Importers", "Recording"],
        "CSQLite": ["Importers"], "CPolicies": ["ForeignPolicies"],
    ]

    /// What comes with the toolchain and may be imported on every floor.
    static let toolchain: Set<String> = ["Swift", "Glibc", "Darwin", "Synchronization"]

    /// From here up Foundation and Dispatch may be imported; below, no result may hang on locale, time zone or clock.
    static let firstFloorWithFoundation = 7

    static let floor: [String: Int] = {
        var result: [String: Int] = [:]
        for (floor, modules) in floors.enumerated() {
            for module in modules { result[module] = floor }
        }
        return result
    }()

    /// Why a module must not import another; nil if it may.
    static func objection(to imported: String, in module: String, declared: Set<String>) -> String? {
        guard let own = floor[module] else { return "\(module) stands on no floor" }
        if toolchain.contains(imported) { return nil }
        if imported.hasPrefix("Foundation") || imported == "Dispatch" {
            return own >= firstFloorWithFoundation
                ? nil : "\(imported) starts on floor \(firstFloorWithFoundation), \(module) stands on \(own)"
        }
        guard let other = floor[imported] else { return "\(imported) is neither a module of the table nor allowed" }
        if let owners = ownersOfLibrary[imported], !owners.contains(module) {
            return "only \(owners.sorted().joined(separator: " and ")) may import \(imported)"
        }
        if other >= own && !sameFloor.contains("\(module) -> \(imported)") {
            return "\(imported) stands on floor \(other), \(module) on \(own)"
        }
        return declared.contains(imported) ? nil : "Package.swift does not declare \(imported) for \(module)"
    }
}
