extension PowerProfileMapping {
    /// One cluster: speeds in kHz with the current of one busy core at each, by rising speed.
    struct Cluster {
        let number: Int
        let steps: [(speed: Double, current: Double)]
        let overhead: Double

        /// The step whose speed is nearest to a share of the highest.
        func step(at share: Double) -> (speed: Double, current: Double) {
            let wanted = (steps.last?.speed ?? 0) * share
            return steps.min { abs($0.speed - wanted) < abs($1.speed - wanted) } ?? (0, 0)
        }
    }

    /// Share of the top speed at which background work runs.
    private static let background = 0.75
    /// Share of the top speed at which the app on screen runs on average.
    private static let foreground = 0.65
    /// Share of the top speed at which an app is launched.
    private static let launch = 0.9

    /// The slowest cluster works in the background, the fastest for the user; currents do not tell them apart, because
    /// vendors carry tables over from phones with other clusters.
    mutating func mapProcessor() {
        let clusters = readClusters()
        let top = { (cluster: Cluster) in cluster.steps.last?.speed ?? 0 }
        guard let small = clusters.min(by: { top($0) < top($1) }), let big = clusters.max(by: { top($0) < top($1) })
        else {
            addMissing("processor")
            return
        }
        let use = big.step(at: Self.foreground)
        let work = small.number == big.number ? use : small.step(at: Self.background)
        let start = big.step(at: Self.launch)
        func named(_ cluster: Cluster, _ step: (speed: Double, current: Double)) -> String {
            "cluster \(cluster.number) at \(decimal((step.speed / 1000).rounded())) MHz"
        }
        var lines = [
            line("efficiency_core_power", work.current, from: named(small, work)),
            line("efficiency_cluster_power", small.overhead, from: "cluster \(small.number)"),
            line("performance_core_power", use.current, from: named(big, use)),
            line("performance_cluster_power", big.overhead, from: "cluster \(big.number)"),
            line("launch_power", start.current + big.overhead, from: named(big, start) + " and cluster"),
        ]
        if small.number == big.number {
            lines.append("  efficiency_slowdown: 1              # one cluster")
        } else {
            assume("processor.efficiency_slowdown", "as the base: speeds alone do not tell")
        }
        add("processor", lines)
        assume("processor.efficiency_core_power", "background work at three quarters of the top speed")
        assume("processor.performance_core_power", "the app on screen at 65 % of the top speed on average")
        assume("processor.launch_power", "launches at nine tenths of the top speed")
    }

    private mutating func readClusters() -> [Cluster] {
        if let speeds = profile.values("cpu.speeds"), let currents = profile.values("cpu.active"), currents.count > 1 {
            return cluster(0, speeds, currents, overhead: 0).map { [$0] } ?? []
        }
        var clusters: [Cluster] = []
        var number = 0
        while let speeds = profile.values("cpu.core_speeds.cluster\(number)") {
            let currents = profile.values("cpu.core_power.cluster\(number)") ?? []
            let overhead = profile.values("cpu.cluster_power.cluster\(number)")?.first ?? 0
            if let found = cluster(number, speeds, currents, overhead: overhead) { clusters.append(found) }
            number += 1
        }
        return clusters
    }

    /// Some files list speeds from high to low; a list without a current for each speed is of no use.
    private func cluster(_ number: Int, _ speeds: [Double], _ currents: [Double], overhead: Double) -> Cluster? {
        guard !speeds.isEmpty, speeds.count == currents.count else { return nil }
        let steps = zip(speeds, currents).map { (speed: $0, current: $1) }.sorted { $0.speed < $1.speed }
        return Cluster(number: number, steps: steps, overhead: overhead)
    }
}
