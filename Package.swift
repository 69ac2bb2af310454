// swift-tools-version: 6.2
// SPDX-License-Identifier: GPL-3.0-or-later
import PackageDescription

/// Settings of every target.
let common: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]
let settings = common + [.unsafeFlags(["-cross-module-optimization"], .when(configuration: .release))]

/// Settings of modules that hand out nothing to be inlined: an edit within a function rebuilds them and no other.
let closedSettings = common + [.unsafeFlags(["-Xllvm", "-sil-disable-pass=cmo"], .when(configuration: .release))]

/// Settings of tests: they are not optimized, so that they are built sooner.
let testSettings = common + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// Links Swift's library into the programs, for machines without Swift: `make static-program` sets it.
///
/// The flag also reaches tests that depend on a program, and does not fit their Foundation.
let whole: [LinkerSetting] =
    Context.environment["FLOTSAM_STATIC"] == nil ? [] : [.unsafeFlags(["-static-stdlib"])]

/// One library target of the module graph; `Tests/ArchitectureTests` holds the same table against the sources.
func module(
    _ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource]? = nil,
    settings: [SwiftSetting] = settings, plugins: [Target.PluginUsage]? = nil
) -> Target {
    .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: settings, plugins: plugins)
}

func tests(
    _ module: String, _ others: [Target.Dependency] = [], resources: [Resource]? = nil, exclude: [String] = []
) -> Target {
    .testTarget(
        name: module + "Tests", dependencies: [.byName(name: module)] + others, exclude: exclude,
        resources: resources, swiftSettings: testSettings)
}

/// What several test targets share; it stands on no floor.
func testLibrary(
    _ name: String, _ dependencies: [Target.Dependency], path: String, exclude: [String] = []
) -> Target {
    .target(name: name, dependencies: dependencies, path: path, exclude: exclude, swiftSettings: testSettings)
}

/// A program that only tests start.
func testProgram(_ name: String, _ dependencies: [Target.Dependency], path: String) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: path, swiftSettings: settings)
}

/// What `flotsam new --policy` writes; two of them are links to the files themselves.
let policyKit = [
    "flotsam_policy.h", "flotsam_policy.py", "policy.c", "policy.rs", "policy.swift", "policy.py",
]

let package = Package(
    name: "flotsam",
    products: [
        .library(name: "FlotsamCommand", targets: ["FlotsamCommand"]),
        .library(name: "Quantities", targets: ["Quantities"]),
        .library(name: "Vocabulary", targets: ["Vocabulary"]),
        .library(name: "EventKernel", targets: ["EventKernel"]),
        .executable(name: "flotsam", targets: ["flotsam"]),
        .executable(name: "flotsam-bench", targets: ["flotsam-bench"]),
    ],
    targets: [
        // Floor 0: system libraries.
        .systemLibrary(name: "CGSL", pkgConfig: "gsl", providers: [.apt(["libgsl-dev"]), .brew(["gsl"])]),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
        .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"]), .brew(["expat"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        // The interface of policies in shared libraries, and what their processes need of the system.
        // Debugging information of a version that valgrind reads, as that of Swift is: `make instructions` needs it.
        .target(name: "CPolicies", cSettings: [.unsafeFlags(["-gdwarf-4"])]),
        .target(name: "Platform", swiftSettings: settings),
        // Floor 1.
        // Rounding comes from the mathematical library, which no import here names.
        .target(name: "Quantities", swiftSettings: settings, linkerSettings: [.linkedLibrary("m")]),
        module("Diagnostics"),
        module("Files", ["Platform"]),
        module("Numerics", ["Platform", "CGSL"]),
        module("Structures"),
        // Floor 2.
        module("ConfigText", ["CYAML", "Quantities", "Diagnostics", "Files"]),
        module("CommandLineArguments", ["Diagnostics"]),
        module("Statistics", ["Platform", "Numerics"]),
        module("RandomStreams", ["Platform", "Numerics"]),
        // A model names its queue, which is not copyable: the one feature of the language still behind a switch.
        .target(
            name: "EventKernel", dependencies: ["Quantities"],
            swiftSettings: settings + [.enableExperimentalFeature("SuppressedAssociatedTypes")]),
        module("Vocabulary", ["Quantities", "Structures"]),
        module("Measures", ["Platform", "Quantities", "Diagnostics", "Files", "Vocabulary"]),
        // Floor 3.
        module("LifeCycle", ["Quantities", "Vocabulary"]),
        module("Processes", ["Quantities", "Structures", "Vocabulary", "LifeCycle"]),
        module("Disk", ["Platform", "Quantities", "Structures", "Vocabulary", "Processes"]),
        module("Cells", ["Platform", "Quantities", "Numerics"]),
        module("Power", ["Platform", "Quantities", "Numerics", "Vocabulary", "Cells"]),
        module("Background", ["Quantities", "Structures", "Vocabulary"]),
        module(
            "Workload", ["Platform", "Quantities", "Diagnostics", "Files", "Numerics", "RandomStreams", "Vocabulary"]),
        module("EvictionPolicies", ["Platform", "Quantities", "Structures", "Vocabulary"], settings: closedSettings),
        module("SchedulingPolicies", ["Quantities", "Vocabulary"], settings: closedSettings),
        // Floor 4.
        module(
            "PhoneCore",
            [
                "Platform", "Quantities", "Structures", "RandomStreams", "EventKernel", "Vocabulary", "Measures",
                "LifeCycle",
                "Processes", "Disk", "Power", "Background", "Workload",
            ]),
        module(
            "Scripts",
            [
                "Quantities", "Diagnostics", "ConfigText", "Statistics", "Vocabulary", "LifeCycle", "Processes", "Disk",
                "Background", "EvictionPolicies", "SchedulingPolicies",
            ]),
        module(
            "UserStudies",
            ["Platform", "Quantities", "Diagnostics", "Numerics", "RandomStreams", "Vocabulary", "Workload"]),
        // Floor 5.
        module(
            "Behaviours",
            [
                "Platform", "Quantities", "Structures", "RandomStreams", "EventKernel", "Vocabulary", "Measures",
                "LifeCycle",
                "Processes", "Disk", "Power", "Background", "Workload", "PhoneCore",
            ]),
        // Floor 6.
        module(
            "Phone",
            [
                "Quantities", "Structures", "EventKernel", "Vocabulary", "Measures", "Processes", "Power",
                "Background", "Workload", "PhoneCore", "Behaviours",
            ]),
        module(
            "ForeignPolicies",
            ["Platform", "CPolicies", "Quantities", "Diagnostics", "Files", "ConfigText", "Vocabulary"],
            resources: policyKit.map { .embedInCode("Kit/" + $0 + ".in") }, settings: closedSettings),
        // Floor 7.
        module(
            "Recording", ["Platform", "CZlib", "Diagnostics", "Files", "Vocabulary", "Measures", "PhoneCore", "Phone"]),
        module(
            "Importers",
            [
                "Platform", "CExpat", "CZlib", "CSQLite", "Quantities", "Diagnostics", "Files", "ConfigText",
                "Vocabulary",
                "Processes", "Workload",
            ]),
        module(
            "Scenario",
            [
                "Platform", "Quantities", "Diagnostics", "Files", "ConfigText", "Statistics", "RandomStreams",
                "Vocabulary",
                "Measures", "LifeCycle", "Processes", "Disk", "Cells", "Power", "Background", "Workload",
                "EvictionPolicies", "SchedulingPolicies", "PhoneCore", "Scripts", "Phone", "ForeignPolicies",
            ]),
        // Floor 8.
        module(
            "Experiments",
            [
                "Platform", "Workload", "Quantities", "Diagnostics", "Files", "Numerics", "ConfigText", "Statistics",
                "Vocabulary",
                "Measures",
                "Cells", "Processes", "Power", "Background", "PhoneCore", "Phone", "ForeignPolicies", "Recording",
                "Scenario", "Importers",
            ]),
        // Floor 9.
        module(
            "FlotsamCommand",
            [
                "Platform", "Quantities", "Diagnostics", "Files", "ConfigText", "CommandLineArguments", "Statistics",
                "Vocabulary", "Measures", "Processes", "Cells", "Power", "Workload", "UserStudies", "PhoneCore",
                "Scripts", "Phone", "ForeignPolicies", "Recording", "Importers", "Scenario", "Experiments",
            ], plugins: ["BuiltFrom"]),
        .executableTarget(
            name: "flotsam", dependencies: ["Experiments", "FlotsamCommand"], swiftSettings: settings,
            linkerSettings: whole, plugins: ["BuiltFrom"]),
        .plugin(name: "BuiltFrom", capability: .buildTool()),
        .executableTarget(
            name: "flotsam-bench",
            dependencies: [
                "Platform", "Quantities", "CommandLineArguments", "RandomStreams", "EventKernel", "Vocabulary",
                "Processes",
                "Power", "Background", "EvictionPolicies", "SchedulingPolicies", "PhoneCore", "Phone", "Scenario",
                "Files", "Measures", "Recording", "Experiments", "Workload", "Importers", "ForeignPolicies",
            ],
            swiftSettings: settings, linkerSettings: whole),
        // What several test targets share.
        testLibrary("TestSupport", ["Files"], path: "Tests/TestSupport"),
        testLibrary(
            "ImporterFuzzing", ["Quantities", "Diagnostics", "Files", "RandomStreams", "Workload", "Importers"],
            path: "Tests/ImporterFuzzing", exclude: ["Corpus"]),
        testLibrary(
            "WorkloadFixtures", ["Quantities", "Vocabulary", "Workload"], path: "Tests/WorkloadFixtures"),
        testLibrary(
            "ReaderFuzzing",
            [
                "Quantities", "Diagnostics", "Files", "ConfigText", "Vocabulary", "Measures", "Processes", "Workload",
                "PhoneCore", "Scripts", "Phone", "ForeignPolicies", "Recording", "Importers", "Scenario", "Experiments",
            ], path: "Tests/ReaderFuzzing", exclude: ["Corpus", "README.md"]),
        testProgram("fuzz-importers", ["Files", "ImporterFuzzing"], path: "Tests/FuzzImporters"),
        // Tests mirror the sources.
        tests("Quantities"),
        tests("Diagnostics"),
        tests("Files", ["TestSupport"]),
        tests("Numerics"),
        tests("Structures", ["RandomStreams"]),
        tests("ConfigText", ["Quantities", "Diagnostics"]),
        tests("CommandLineArguments"),
        tests("Statistics", ["Numerics", "RandomStreams"]),
        tests("RandomStreams", ["Numerics"]),
        tests("EventKernel", ["Quantities", "Statistics", "RandomStreams"]),
        tests("Vocabulary", ["Quantities", "Structures"]),
        tests("Measures", ["Quantities", "Vocabulary"]),
        tests("LifeCycle", ["Quantities", "Vocabulary"]),
        tests("Processes", ["Quantities", "Vocabulary", "LifeCycle", "EvictionPolicies"]),
        tests("Disk", ["Quantities", "Vocabulary", "Processes"]),
        tests("Cells", ["Quantities", "Numerics", "TestSupport"], exclude: ["Fixtures"]),
        tests("Power", ["Quantities", "Numerics", "Vocabulary", "Cells"]),
        tests("Background", ["Quantities", "RandomStreams", "Vocabulary", "SchedulingPolicies"]),
        tests(
            "Workload",
            ["Quantities", "Diagnostics", "Numerics", "RandomStreams", "Vocabulary", "WorkloadFixtures"]),
        tests("UserStudies", ["Quantities", "RandomStreams", "Vocabulary", "Workload", "WorkloadFixtures"]),
        tests(
            "EvictionPolicies",
            ["Quantities", "RandomStreams", "Vocabulary", "Processes", "Workload", "Importers", "TestSupport"]),
        tests("SchedulingPolicies", ["Quantities", "Vocabulary"]),
        tests(
            "ForeignPolicies",
            [
                "CPolicies", "Quantities", "Files", "Vocabulary", "EvictionPolicies", "SchedulingPolicies",
                "TestSupport",
            ]),
        tests(
            "Phone",
            [
                "Quantities", "Diagnostics", "EventKernel", "Vocabulary", "Measures", "Processes", "Power",
                "Disk", "Background", "Workload", "EvictionPolicies", "SchedulingPolicies", "PhoneCore", "Behaviours",
            ]),
        tests("Recording", ["Files", "Measures", "PhoneCore", "Phone", "TestSupport"]),
        tests(
            "Importers",
            [
                "CSQLite", "Quantities", "Diagnostics", "Files", "ConfigText", "RandomStreams", "Processes", "Workload",
                "ImporterFuzzing", "TestSupport",
            ], exclude: ["PhoneFiles", "ReportedCases"]),
        tests(
            "Scenario",
            [
                "Quantities", "Diagnostics", "Files", "ConfigText", "Vocabulary", "Measures", "LifeCycle", "Processes",
                "Cells", "Power", "Background", "Workload", "PhoneCore", "Phone", "Experiments", "TestSupport",
            ], exclude: ["offline.csv"]),
        tests(
            "Experiments",
            [
                "Quantities", "Diagnostics", "Files", "Numerics", "ConfigText", "Statistics", "Vocabulary",
                "Measures", "PhoneCore", "Phone", "Recording", "Scenario", "Workload", "Power", "Importers",
                "TestSupport", "experiments-test-worker",
            ], exclude: ["OutOfRange"]),
        .testTarget(
            name: "ConformanceTests",
            dependencies: [
                "Quantities", "Diagnostics", "ConfigText", "RandomStreams", "Vocabulary", "Processes", "Background",
                "EvictionPolicies", "Scripts", "Importers",
            ],
            exclude: ["scenarios"], swiftSettings: testSettings),
        // A worker that obeys the tests: it traps, fails or dawdles at the runs it is told to.
        testProgram(
            "experiments-test-worker",
            ["Quantities", "Files", "Measures", "PhoneCore", "Phone", "Recording", "Experiments"],
            path: "Tests/ExperimentsTestWorker"),
        .testTarget(
            name: "ReaderCorpusTests", dependencies: ["Files", "ReaderFuzzing"], swiftSettings: testSettings),
        .testTarget(name: "ArchitectureTests", dependencies: ["TestSupport"], swiftSettings: testSettings),
        .testTarget(
            name: "TidyTests", dependencies: ["Files", "TestSupport"], exclude: ["baselines", "features.txt"],
            swiftSettings: testSettings),
        .testTarget(
            name: "EndToEndTests",
            dependencies: ["flotsam", "flotsam-bench", "trapping-phone", "TestSupport"], exclude: ["Mistakes"],
            swiftSettings: testSettings),
        // A user's own program, with a policy that traps.
        testProgram(
            "trapping-phone", ["Quantities", "Vocabulary", "Scenario", "FlotsamCommand"], path: "Tests/TrappingPhone"),
    ]
)

// The modules where memory is managed by hand or every event passes, with their tests and nothing else: what the
// sanitizers build (`make sanitize-address`). With `FLOTSAM_CORE=phone` the whole phone as well: twice as much.
if let core = Context.environment["FLOTSAM_CORE"] {
    let tested =
        ["EventKernel", "Structures", "LifeCycle", "Measures", "Processes", "Cells", "Power", "Background"]
        + (core == "phone" ? ["Phone"] : [])
    var kept = Set(tested.map { $0 + "Tests" })
    var count = 0
    while kept.count > count {
        count = kept.count
        for target in package.targets where kept.contains(target.name) {
            for case .byNameItem(let name, _) in target.dependencies { kept.insert(name) }
        }
    }
    package.targets.removeAll { !kept.contains($0.name) }
    package.products.removeAll()
}
