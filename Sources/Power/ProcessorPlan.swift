// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// The processor under its policy and the present cap, calculated once so that every load is cheap.
///
/// All powers of cores include the main memory's power; the ledger separates the two.
public struct ProcessorPlan: Sendable {
    /// Share of the highest clock that the temperature permits, above 0 and up to 1.
    public let cap: Double
    /// Power of one core busy with background work, its cluster included.
    public let workPower: Power
    /// Speed of the core for background work, as a multiple of the reference core.
    public let workSpeed: Double
    /// Factor for the duration of a launch for background work; 1 on an efficiency core at its highest clock.
    public let workLaunchFactor: Double
    /// Mean power of a launch for the user.
    public let launchPower: Power
    /// Factor for the duration of a launch; 1 without a cap.
    public let launchFactor: Double
    private let work: Lane
    /// Cores of the kinds of work with a placement; other kinds have no cores of their own.
    private let placed: InlineArray<4, Lane>
    private let taskLoad: Double
    /// Whether any kind of work has a placement, or a task keeps more or less than one core busy.
    public let tellsTasksApart: Bool
    /// Cores for background work once all cores of its first choice are busy; none if work never leaves the first
    /// choice.
    private let overflow: Lane
    private let policy: FrequencyPolicy
    private let cluster: CoreCluster

    /// Calculates the plan of a processor.
    ///
    /// - Parameters:
    ///   - awake: Power of the awake phone besides the cores, paid by the background work that keeps it awake.
    ///   - cap: Share of the highest clock of each cluster that may be used; the lowest speed always may.
    public init(_ processor: ProcessorParameters, awake: Power, cap: Double = 1) {
        self.cap = min(max(cap, 0), 1)
        policy = processor.frequencyPolicy
        let small = processor.efficiency.capped(to: self.cap).withMemory(processor.memoryShare)
        let big = processor.performance.capped(to: self.cap).withMemory(processor.memoryShare)
        cluster = big
        let (work, at) = Self.choice(for: processor.frequencyPolicy, small, big, awake: awake)
        workPower = work.power(busyCores: 1, at: at)
        workSpeed = at.speed
        self.work = Lane(work, at)
        let limit = self.cap
        let taskLanes = InlineArray<4, Lane> { Self.lane(TaskKind.allCases[$0], processor, cap: limit) }
        placed = taskLanes
        taskLoad = processor.taskLoad
        tellsTasksApart = taskLoad != 1 || TaskKind.allCases.contains { taskLanes[$0.rawValue].cores > 0 }
        overflow =
            processor.frequencyPolicy == .raceToIdle && work.fastest.rate == big.fastest.rate
            ? Lane(small, small.fastest) : Lane(cores: 0, power: workPower, speed: workSpeed)
        workLaunchFactor = processor.efficiency.fastest.rate / at.rate
        launchPower = big.power(busyCores: processor.launchLoad, at: big.fastest)
        launchFactor = processor.performance.fastest.rate / big.fastest.rate
    }

    /// Cores and speed of background work.
    private static func choice(
        for policy: FrequencyPolicy, _ small: CoreCluster, _ big: CoreCluster, awake: Power
    ) -> (CoreCluster, OperatingPoint) {
        switch policy {
        case .schedutil: return (small, small.fastest)
        case .raceToIdle: return big.fastest.rate > small.fastest.rate ? (big, big.fastest) : (small, small.fastest)
        case .bestEnergy:
            var best = (small, small.fastest)
            var least = Double.infinity
            for cluster in [small, big] {
                for point in cluster.points {
                    let energy = (cluster.power(busyCores: 1, at: point) + awake).watts / point.rate
                    if energy < least { (least, best) = (energy, (cluster, point)) }
                }
            }
            return best
        }
    }

    /// The cores of a kind of work with a placement; none for other kinds.
    private static func lane(_ kind: TaskKind, _ processor: ProcessorParameters, cap: Double) -> Lane {
        let task = processor.placement[kind]
        guard task.cores != .policy else { return Lane(cores: 0, power: .zero, speed: 1) }
        let cores = task.cores == .efficiency ? processor.efficiency : processor.performance
        let cluster = cores.capped(to: min(cap, task.clock)).withMemory(processor.memoryShare)
        return Lane(cluster, cluster.fastest)
    }

    /// Power and speed that the cores give to one more piece of a kind of background work.
    ///
    /// A kind with a placement takes its own cores first. When these are taken, it uses the cores of all background
    /// work.
    @inline(__always)
    public func share(of kind: TaskKind, alongside others: Int) -> (power: Power, speed: Double) {
        tellsTasksApart ? placedShare(of: kind, alongside: others) : share(alongside: others)
    }

    @inline(never)
    private func placedShare(of kind: TaskKind, alongside others: Int) -> (power: Power, speed: Double) {
        let lane = placed[kind.rawValue]
        let share = others < lane.cores ? (lane.power, lane.speed) : share(alongside: others - lane.cores)
        return (share.0 * taskLoad, share.1)
    }

    /// Time that a kind of background work takes on its own cores, divided by its time on the cores of all background
    /// work; 1 if the kind has no placement.
    public func pace(of kind: TaskKind) -> Double {
        let lane = placed[kind.rawValue]
        return lane.cores > 0 ? workSpeed / lane.speed : 1
    }

    /// Factor for the duration of a launch in the background; 1 on an efficiency core at its highest clock.
    public var backgroundLaunchFactor: Double { workLaunchFactor * pace(of: .launch) }

    /// Energy of a short piece of work of a kind; the work is in seconds of the reference core.
    public func energy(of kind: TaskKind, ofWork work: SimDuration) -> Energy {
        let share = share(of: kind, alongside: 0)
        return share.power * (work * (1 / share.speed))
    }

    /// Power and speed that the cores give to one more piece of background work.
    ///
    /// The first pieces take a core each; `race-to-idle` uses the fast cores first. Later pieces share cores, so any
    /// number of pieces draws little more than all cores. A piece keeps its share during its phase.
    public func share(alongside others: Int) -> (power: Power, speed: Double) {
        if others < work.cores { return (work.power, work.speed) }
        let cores = work.cores + overflow.cores
        if others < cores { return (overflow.power, overflow.speed) }
        let part = Double(cores) / Double(others + 1)
        return (overflow.power * part, overflow.speed * part)
    }

    /// Cores at one speed.
    private struct Lane: Sendable {
        let cores: Int
        let power: Power
        let speed: Double

        init(cores: Int, power: Power, speed: Double) {
            self.cores = cores
            self.power = power
            self.speed = speed
        }

        init(_ cluster: CoreCluster, _ point: OperatingPoint) {
            self.init(cores: cluster.cores, power: cluster.power(busyCores: 1, at: point), speed: point.speed)
        }
    }

    /// Time that an amount of background work takes; the work is in seconds of the reference core.
    @inline(__always)
    public func duration(ofWork work: SimDuration) -> SimDuration { work * (1 / workSpeed) }

    /// Time that a processing task takes; the work is in seconds of the reference efficiency core.
    @inline(__always)
    public func duration(ofProcessing work: SimDuration) -> SimDuration {
        work * (ProcessorParameters.backgroundReferenceRate / ProcessorParameters.referenceRate / workSpeed)
    }

    /// Mean power of the performance cores under a mean load, in reference cores; load beyond their capacity is
    /// dropped.
    ///
    /// - Complexity: linear in the number of speeds.
    public func interactivePower(load: Double) -> Power {
        guard load > 0 else { return .zero }
        let cores = min(Double(cluster.cores), max(1, load.rounded(.up)))
        let point = interactivePoint(perCore: load / cores)
        return cluster.power(busyCores: min(load / point.speed, cores), at: point)
    }

    /// The speed at which a load per core runs.
    func interactivePoint(perCore load: Double) -> OperatingPoint {
        switch policy {
        case .raceToIdle: return cluster.fastest
        case .schedutil: return cluster.points.first { $0.speed >= 1.25 * load } ?? cluster.fastest
        case .bestEnergy:
            var best = cluster.fastest
            var least = Power.watts(.infinity)
            for point in cluster.points where point.speed >= load {
                let power = cluster.power(busyCores: load / point.speed, at: point)
                if power < least { (least, best) = (power, point) }
            }
            return best
        }
    }
}

extension CoreCluster {
    /// The highest speed.
    var fastest: OperatingPoint { points[points.count - 1] }

    /// The cluster with the main memory's power added for each watt of the cluster.
    func withMemory(_ share: Double) -> CoreCluster {
        var cluster = self
        cluster.clusterPower = clusterPower * (1 + share)
        for index in points.indices { cluster.points[index].power = points[index].power * (1 + share) }
        return cluster
    }

    /// The cluster without the speeds above a share of its highest clock; the lowest speed always remains.
    func capped(to cap: Double) -> CoreCluster {
        var capped = self
        let highest = fastest.frequency.hertz * cap * (1 + 1e-9)
        capped.points = points.filter { $0.frequency.hertz <= highest }
        if capped.points.isEmpty { capped.points = [points[0]] }
        return capped
    }
}
