// SPDX-License-Identifier: GPL-3.0-or-later

extension PowerProfileMapping {
    /// A cluster.
    ///
    /// Each step is a speed in kHz and the current of one busy core at this speed; speeds ascend.
    struct Cluster {
        let number: Int
        let cores: Int
        let steps: [(speed: Double, current: Double)]
        let overhead: Double

        var top: Double { steps.last?.speed ?? 0 }
    }

    /// CoreMark iterations per second and MHz of the slowest cluster.
    ///
    /// Assumption: the cluster has the score of a Cortex-A55 (freqbench, gs101).
    private static let smallRate = 3.7
    /// CoreMark iterations per second and MHz of the fastest cluster.
    ///
    /// Assumption: the cluster has the score of a Cortex-A76 (freqbench, gs101).
    private static let bigRate = 7.75

    /// Maps the slowest cluster to background work and the fastest cluster to work for the user.
    ///
    /// Clusters are selected by speed, not by current, because vendors reuse the tables of phones with other clusters.
    mutating func mapProcessor() {
        let clusters = readClusters()
        guard let small = clusters.min(by: { $0.top < $1.top }), let big = clusters.max(by: { $0.top < $1.top }) else {
            addMissing("processor", "cpu.core_speeds.clusterN with cpu.core_power.clusterN")
            return
        }
        let memory = "  memory_share: 0 %                   # a profile is measured at the battery"
        let lines =
            [memory] + lines("efficiency", small, rate: Self.smallRate)
            + lines("performance", big, rate: small.number == big.number ? Self.smallRate : Self.bigRate)
        add("processor", lines)
        let left = clusters.map(\.number).filter { $0 != small.number && $0 != big.number }
        if !left.isEmpty {
            let names = left.map(String.init).joined(separator: ", ")
            assume("processor.efficiency", "clusters between the smallest and the largest are left out: \(names)")
        }
        assume(
            "processor.efficiency.points",
            "3.7 CoreMark/s per MHz, the rate of a Cortex-A55, because a profile contains no rates of work")
        assume(
            "processor.performance.points",
            "7.75 CoreMark/s per MHz, the rate of a Cortex-A76, because a profile contains no rates of work")
    }

    private func lines(_ key: String, _ cluster: Cluster, rate: Double) -> [String] {
        var lines = ["  \(key):                            # cluster \(cluster.number)", "    cores: \(cluster.cores)"]
        lines.append("    cluster_power: \(power(cluster.overhead))")
        lines.append("    points:")
        for step in cluster.steps {
            let frequency = decimal((step.speed / 1000 * 10).rounded() / 10)
            let work = decimal((step.speed / 1000 * rate).rounded())
            lines.append("      - {frequency: \(frequency) MHz, power: \(power(step.current)), rate: \(work)}")
        }
        return lines
    }

    private mutating func readClusters() -> [Cluster] {
        let cores = (profile.values("cpu.clusters.cores") ?? []).map { Int($0) }
        if let speeds = profile.values("cpu.speeds"), let currents = profile.values("cpu.active"), currents.count > 1 {
            return cluster(0, cores, speeds, currents, overhead: 0).map { [$0] } ?? []
        }
        var clusters: [Cluster] = []
        var number = 0
        while let speeds = profile.values("cpu.core_speeds.cluster\(number)")
            ?? profile.values("cpu.speeds.cluster\(number)")
        {
            let currents =
                profile.values("cpu.core_power.cluster\(number)") ?? profile.values("cpu.active.cluster\(number)") ?? []
            let overhead = profile.values("cpu.cluster_power.cluster\(number)")?.first ?? 0
            if let found = cluster(number, cores, speeds, currents, overhead: overhead) { clusters.append(found) }
            number += 1
        }
        return clusters
    }

    /// Creates a cluster from its speeds and currents.
    ///
    /// Some files list speeds from high to low, some contain placeholders, and one file lacks the last current.
    private mutating func cluster(
        _ number: Int, _ cores: [Int], _ speeds: [Double], _ currents: [Double], overhead: Double
    ) -> Cluster? {
        if speeds.count != currents.count {
            assume(
                "processor",
                "cluster \(number) has \(speeds.count) speeds and \(currents.count) currents; they are paired in order")
        }
        var steps: [(speed: Double, current: Double)] = []
        for step in zip(speeds, currents).sorted(by: { $0.0 < $1.0 }) where step.1 > 0.1 {
            if step.0 > steps.last?.speed ?? 0 { steps.append((step.0, step.1)) }
        }
        guard !steps.isEmpty else { return nil }
        let count = number < cores.count && cores[number] > 0 ? cores[number] : 4
        return Cluster(number: number, cores: count, steps: steps, overhead: overhead)
    }
}
