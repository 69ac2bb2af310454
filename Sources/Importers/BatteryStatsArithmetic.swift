// SPDX-License-Identifier: GPL-3.0-or-later

/// Computes charge as Android does, from the times of its battery statistics and the currents of a power profile.
///
/// All currents are in mA, all charges in mAh. Source: Android Open Source Project, com.android.internal.os,
/// `CpuPowerCalculator`, `IdlePowerCalculator`, `ScreenPowerCalculator` and the comments of `PowerProfile`.
struct BatteryStatsArithmetic {
    private var profile: PowerProfile

    init(_ profile: PowerProfile) { self.profile = profile }

    /// Charge of a current over a time, in mAh.
    static func charge(_ milliamperes: Double, seconds: Double) -> Double { milliamperes * seconds / 3600 }

    private mutating func item(_ name: String) -> Double { profile.values(name)?.first ?? 0 }

    /// Charge of the screen.
    ///
    /// The five values are the times that the screen was on in each bin of brightness.
    mutating func screen(secondsByBrightness bins: [Double]) -> Double {
        var charge = Self.charge(item("screen.on"), seconds: bins.reduce(0, +))
        for (bin, seconds) in bins.enumerated() {
            let share = (Double(bin) + 0.5) / Double(bins.count)
            charge += Self.charge(item("screen.full") * share, seconds: seconds)
        }
        return charge
    }

    /// Charge of an app's use of the processor, from the active time, the time on each cluster, and the time at each
    /// clock.
    mutating func processor(activeSeconds: Double, clusterSeconds: [Double], clockSeconds: [[Double]]) -> Double {
        var charge = Self.charge(item("cpu.active"), seconds: activeSeconds)
        for (cluster, seconds) in clusterSeconds.enumerated() {
            charge += Self.charge(item("cpu.cluster_power.cluster\(cluster)"), seconds: seconds)
        }
        for (cluster, times) in clockSeconds.enumerated() {
            let currents = profile.values("cpu.core_power.cluster\(cluster)") ?? []
            for (current, seconds) in zip(currents, times) { charge += Self.charge(current, seconds: seconds) }
        }
        return charge
    }

    /// Current of the whole device while cores of one cluster run at a clock.
    mutating func running(cluster: Int, clock: Int, cores: Double = 1) -> Double {
        let currents = profile.values("cpu.core_power.cluster\(cluster)") ?? []
        let core = currents.indices.contains(clock) ? currents[clock] : 0
        return item("cpu.suspend") + item("cpu.idle") + item("cpu.active")
            + item("cpu.cluster_power.cluster\(cluster)") + core * cores
    }

    /// Baseline charge: the sleep current over all time on battery, plus the idle current over the time awake.
    mutating func idle(batterySeconds: Double, awakeSeconds: Double) -> Double {
        Self.charge(item("cpu.suspend"), seconds: batterySeconds) + Self.charge(item("cpu.idle"), seconds: awakeSeconds)
    }
}
