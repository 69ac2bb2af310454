// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .unsafeFlags(["-cross-module-optimization"], .when(configuration: .release)),
]

/// One library target of the module graph; `Tests/ArchitectureTests` holds the same table against the sources.
func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(
    _ module: String, _ others: [Target.Dependency] = [], resources: [Resource]? = nil, exclude: [String] = []
) -> Target {
    .testTarget(
        name: module + "Tests", dependencies: [.byName(name: module)] + others, exclude: exclude,
        resources: resources, swiftSettings: settings)
}

/// What several test targets share; it stands on no floor.
func testLibrary(_ name: String, _ dependencies: [Target.Dependency], path: String) -> Target {
    .target(name: name, dependencies: dependencies, path: path, swiftSettings: settings)
}

/// A program that only tests start.
func testProgram(_ name: String, _ dependencies: [Target.Dependency], path: String) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: path, swiftSettings: settings)
}

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
        .systemLibrary(name: "CGSL", pkgConfig: "gsl", providers: [.apt(["libgsl-dev"])]),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CXML", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        // Floor 1.
        module("Quantities"),
        module("Diagnostics"),
        module("Files"),
        module("Numerics", ["CGSL"]),
        // Floor 2.
        module("ConfigText", ["CYAML", "Quantities", "Diagnostics", "Files"]),
        module("CommandLineArguments", ["Diagnostics"]),
        module("Statistics", ["Numerics"]),
        module("RandomStreams", ["Numerics", "Quantities"]),
        // A model names its queue, which is not copyable: the one feature of the language still behind a switch.
        .target(
            name: "EventKernel", dependencies: ["Quantities"],
            swiftSettings: settings + [.enableExperimentalFeature("SuppressedAssociatedTypes")]),
        module("Vocabulary", ["Quantities"]),
        // Floor 3.
        module("Processes", ["Quantities", "Vocabulary"]),
        module("Power", ["Quantities", "Numerics", "Vocabulary"]),
        module("Background", ["Quantities", "Vocabulary"]),
        module("Workload", ["Quantities", "Diagnostics", "Files", "Numerics", "RandomStreams", "Vocabulary"]),
        module("EvictionPolicies", ["Quantities", "Vocabulary"]),
        module("SchedulingPolicies", ["Quantities", "Vocabulary"]),
        // Floor 4.
        module(
            "Phone",
            [
                "Quantities", "EventKernel", "RandomStreams", "Vocabulary", "Processes", "Power", "Background",
                "Workload",
            ]),
        // Floor 5.
        module("Recording", ["Quantities", "Diagnostics", "Files", "Vocabulary", "Phone"]),
        module(
            "Importers",
            [
                "CXML", "Quantities", "Diagnostics", "Files", "ConfigText", "Vocabulary", "Workload", "Power",
                "Processes",
            ]),
        module(
            "Scenario",
            [
                "Quantities", "Diagnostics", "Files", "ConfigText", "RandomStreams", "Vocabulary", "Processes",
                "Power", "Background", "Workload", "Phone", "EvictionPolicies", "SchedulingPolicies",
            ]),
        // Floor 6.
        module(
            "Experiments",
            [
                "Quantities", "Diagnostics", "Files", "Numerics", "Statistics", "Vocabulary", "Phone", "Recording",
                "Scenario", "Workload", "Processes", "Power", "Background", "EvictionPolicies", "SchedulingPolicies",
                "RandomStreams", "ConfigText",
            ]),
        module(
            "Conformance",
            [
                "Quantities", "Diagnostics", "ConfigText", "Statistics", "Vocabulary", "Processes", "EvictionPolicies",
                "Scenario",
            ]),
        // Floor 7.
        module(
            "FlotsamCommand",
            [
                "Quantities", "Diagnostics", "Files", "CommandLineArguments", "ConfigText", "Statistics", "Vocabulary",
                "Workload", "Processes", "Recording", "Importers", "Scenario", "Experiments", "Phone", "Conformance",
                "Power",
            ]),
        .executableTarget(name: "flotsam", dependencies: ["FlotsamCommand"], swiftSettings: settings),
        .executableTarget(
            name: "flotsam-bench",
            dependencies: [
                "Quantities", "EventKernel", "RandomStreams", "Numerics", "Power", "Phone", "Scenario", "Workload",
                "Vocabulary", "Processes", "EvictionPolicies", "CommandLineArguments", "Background",
                "SchedulingPolicies",
            ],
            swiftSettings: settings),
        // What several test targets share.
        testLibrary("TestSupport", ["Files"], path: "Tests/TestSupport"),
        // Tests mirror the sources.
        tests("Quantities"),
        tests("Diagnostics"),
        tests("Files", ["TestSupport"]),
        tests("Numerics"),
        tests("ConfigText", ["Quantities", "Diagnostics"]),
        tests("CommandLineArguments", ["Diagnostics"]),
        tests("Statistics", ["Numerics", "RandomStreams"]),
        tests("RandomStreams", ["Numerics", "Quantities"]),
        tests("EventKernel", ["Quantities", "RandomStreams", "Statistics"]),
        tests("Vocabulary", ["Quantities"]),
        tests("Processes", ["Quantities", "Vocabulary", "RandomStreams", "EvictionPolicies"]),
        tests("Power", ["Quantities", "Numerics", "Vocabulary", "RandomStreams"]),
        tests("Background", ["Quantities", "Vocabulary", "RandomStreams", "SchedulingPolicies"]),
        tests("Workload", ["Quantities", "Diagnostics", "RandomStreams", "Vocabulary", "Statistics"]),
        tests("EvictionPolicies", ["Quantities", "Vocabulary", "Processes", "RandomStreams", "Workload"]),
        tests("SchedulingPolicies", ["Quantities", "Vocabulary"]),
        tests(
            "Phone",
            [
                "Quantities", "Vocabulary", "Processes", "Power", "Background", "Workload", "EvictionPolicies",
                "SchedulingPolicies", "EventKernel", "RandomStreams",
            ]),
        tests("Recording", ["Quantities", "Diagnostics", "Files", "Vocabulary", "Phone", "TestSupport"]),
        tests(
            "Importers",
            [
                "Quantities", "Diagnostics", "Files", "ConfigText", "Vocabulary", "Workload", "Power", "Processes",
                "RandomStreams",
            ]),
        tests(
            "Scenario",
            [
                "Quantities", "Diagnostics", "Files", "ConfigText", "Vocabulary", "Processes", "Power", "Workload",
                "Phone", "TestSupport",
            ]),
        tests(
            "Experiments",
            [
                "Quantities", "Diagnostics", "Files", "Statistics", "Vocabulary", "Scenario", "Phone", "Recording",
                "Workload", "ConfigText", "TestSupport", "experiments-test-worker",
            ]),
        tests(
            "Conformance",
            [
                "Quantities", "Diagnostics", "ConfigText", "Processes", "Scenario", "Vocabulary", "EvictionPolicies",
                "Importers", "RandomStreams",
            ],
            exclude: ["scenarios"]),
        // A worker that obeys the tests: it traps, fails or dawdles at the runs it is told to.
        testProgram(
            "experiments-test-worker", ["Experiments", "Files", "Phone", "Recording"],
            path: "Tests/ExperimentsTestWorker"),
        .testTarget(name: "ArchitectureTests", dependencies: ["TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "TidyTests", dependencies: ["Files", "TestSupport"], exclude: ["baselines"],
            swiftSettings: settings),
        .testTarget(
            name: "EndToEndTests", dependencies: ["flotsam", "flotsam-bench", "trapping-phone"], swiftSettings: settings
        ),
        // A user's own program, with a policy that traps.
        testProgram(
            "trapping-phone", ["FlotsamCommand", "Quantities", "Scenario", "Vocabulary"], path: "Tests/TrappingPhone"),
    ]
)
