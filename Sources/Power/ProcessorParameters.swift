// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// One speed of a core: the power of one busy core, and the work that it does.
public struct OperatingPoint: Sendable, BitwiseCopyable, Equatable {
    /// Clock.
    public var frequency: Frequency
    /// Power of one busy core above the idle phone.
    public var power: Power
    /// CoreMark iterations a second.
    public var rate: Double

    /// Creates a speed.
    public init(frequency: Frequency, power: Power, rate: Double) {
        self.frequency = frequency
        self.power = power
        self.rate = rate
    }

    /// Speed as a multiple of the reference core of app models.
    @inline(__always)
    public var speed: Double { rate / ProcessorParameters.referenceRate }
}

/// Cores of one kind, which share a clock.
public struct CoreCluster: Sendable {
    /// Number of cores.
    public var cores: Int
    /// Power of the running cluster, in addition to its busy cores.
    public var clusterPower: Power
    /// Speeds by rising frequency; at least one.
    public var points: [OperatingPoint]

    /// Creates a cluster.
    public init(cores: Int, clusterPower: Power, points: [OperatingPoint]) {
        self.cores = cores
        self.clusterPower = clusterPower
        self.points = points
    }

    /// Power of a mean number of busy cores at a speed, including the cluster; zero without a busy core.
    public func power(busyCores: Double, at point: OperatingPoint) -> Power {
        busyCores > 0 ? clusterPower * min(busyCores, 1) + point.power * busyCores : .zero
    }
}

/// The rule that chooses the clock of a cluster.
public enum FrequencyPolicy: String, Sendable, CaseIterable, BitwiseCopyable {
    /// The fastest core at its highest clock, so that the phone sleeps again as soon as possible.
    case raceToIdle = "race-to-idle"
    /// The speed with the least energy for the work, including the phone's power while the work keeps it awake.
    case bestEnergy = "best-energy"
    /// The choice of Linux: the lowest speed that leaves a reserve of a quarter of the utilisation.
    ///
    /// Background work stays on the efficiency cores, and a task without pauses drives them to their highest clock.
    ///
    /// Source: kernel/sched/cpufreq_schedutil.c, `map_util_perf` (1.25 · utilisation).
    case schedutil
}

/// The processor: a cluster for background work, a cluster for the user, and the choice of their clocks.
///
/// Defaults are those of an Apple A15-like chip.
///
/// Rates come from the CoreMark score per MHz of the same cores in the M1 (freqbench results for t8103: efficiency 7.6,
/// performance 10.9).
///
/// Powers are medians of the energy counters of A15 cores under one integer loop
/// (github.com/mr-mobster/AppleSiliconPowerTest, commit a0dbc64). An efficiency core draws 0.20 W at 2.02 GHz. A
/// performance core draws 0.57, 1.58, 2.6 and 3.3 W at 1.2, 2.05, 2.7 and 3.1 GHz. The lowest clocks and the overheads
/// of clusters are assumed.
public struct ProcessorParameters: Sendable {
    /// CoreMark iterations a second of the reference core, the unit of foreground loads and refreshes in app models.
    public static let referenceRate = 20_000.0
    /// CoreMark iterations a second of the reference efficiency core, the unit of processing tasks in app models.
    public static let backgroundReferenceRate = 15_000.0

    /// Cores for background work.
    public var efficiency: CoreCluster
    /// Cores for launches and the foreground app.
    public var performance: CoreCluster
    /// How clocks are chosen.
    public var frequencyPolicy = FrequencyPolicy.schedutil
    /// Mean busy performance cores during a launch, which also waits for flash; assumption: 2-4 J for 1.0-1.5 s.
    public var launchLoad = 0.75
    /// Additional watts of the main memory per watt of the cores.
    ///
    /// Zero if the cores' powers were measured at the battery and so include the memory.
    public var memoryShare = 0.0
    /// Cores of each kind of background work, unless the policy decides.
    public var placement = TaskPlacement()
    /// Mean number of busy cores of an app that works in the background; it does not change the duration of the work.
    ///
    /// Assumption. An hour in which an app is only in the background costs 4.7 mWh on an iPhone 13 Pro Max (Miller
    /// 2026, github.com/markm39/mcm-battery-2026). The model gives 1.3 mWh with one busy core and 3.2 mWh with four.
    public var taskLoad = 1.0

    /// Creates a processor; the A15-like one by default.
    public init(efficiency: CoreCluster = .a15Efficiency, performance: CoreCluster = .a15Performance) {
        self.efficiency = efficiency
        self.performance = performance
    }
}

extension CoreCluster {
    private static func points(_ rows: [(megahertz: Double, milliwatts: Double)], perMegahertz: Double)
        -> [OperatingPoint]
    {
        rows.map {
            OperatingPoint(
                frequency: .megahertz($0.megahertz), power: .milliwatts($0.milliwatts),
                rate: $0.megahertz * perMegahertz)
        }
    }

    /// Four efficiency cores; sources at `ProcessorParameters`.
    public static var a15Efficiency: CoreCluster {
        CoreCluster(
            cores: 4, clusterPower: .milliwatts(15),
            points: points([(600, 40), (1000, 60), (1500, 125), (2000, 200)], perMegahertz: 7.6))
    }

    /// Two performance cores; sources at `ProcessorParameters`.
    public static var a15Performance: CoreCluster {
        CoreCluster(
            cores: 2, clusterPower: .milliwatts(60),
            points: points(
                [(600, 200), (1300, 630), (2000, 1530), (2700, 2600), (3200, 3500)], perMegahertz: 10.9))
    }
}

extension ProcessorParameters {
    /// The main memory's share of a load on the processor.
    var memoryPart: Double { memoryShare / (1 + memoryShare) }

    /// The keys in files of all values except the clusters, with their allowed ranges.
    public static let keys: [FileKey<ProcessorParameters>] = [
        .choice(\.frequencyPolicy, "frequency_policy", "frequency policy"),
        .number(\.launchLoad, "launch_load", 0...16, example: "0.75"),
        .share(\.memoryShare, "memory_share"),
        .number(\.taskLoad, "task_load", 0...16, example: "1"),
    ]
}

extension CoreCluster {
    /// The keys in files of all values except the operating points, with their allowed ranges.
    public static let keys: [FileKey<CoreCluster>] = [
        .integer(\.cores, "cores", 1...64, example: "4"),
        .amount(\.clusterPower, "cluster_power", .power),
        .records(\.points, "points", point, rising) { numbers in
            OperatingPoint(
                frequency: .hertz(numbers[0] ?? 0), power: .watts(numbers[1] ?? 0), rate: numbers[2] ?? 0)
        },
    ]

    private static let point = FileRecord(
        "a map", example: "{frequency: 1.5 GHz, power: 220 mW, rate: 11400}",
        fields: [
            .quantity("frequency", .frequency, 1e6...1e11), .quantity("power", .power, 0...100),
            .number("rate", 1...1e7, example: "11400"),
        ])

    private static let rising = FileListRule("points in order of rising frequency and rate") { points in
        func rises(_ index: Int) -> Bool {
            zip(points, points.dropFirst()).allSatisfy { ($0[index] ?? 0) < ($1[index] ?? 0) }
        }
        return !points.isEmpty && rises(0) && rises(2)
    }
}
