// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

extension AppModel {
    /// Time of an open at full processor clocks, if the share `missing` of the app's launch files must be read.
    @inlinable
    package func launchTime(_ kind: LaunchKind, missing: Double) -> SimDuration {
        kind == .resume ? resumeTime : launchTime(missing: missing)
    }

    /// Time of a launch, between warm (all files cached) and cold (no files cached).
    @inlinable
    package func launchTime(missing: Double) -> SimDuration {
        warmLaunchTime + (coldLaunchTime - warmLaunchTime) * missing + sdkLaunchTime
    }

    /// Whether the app ever requests refreshes: it has a refresh period, and the user has not switched refreshes off.
    @inlinable package var refreshes: Bool { refreshEnabled && refreshPeriod > .zero }

    /// Creates the model of a daemon for the process table and the eviction policies; it is never opened and starts
    /// quickly.
    init(_ process: SystemProcess, _ population: SystemPopulation) {
        self.init(name: process.name, category: "system")
        foregroundFootprint = process.footprint
        backgroundFootprint = process.footprint
        launchFiles = .zero
        warningDrop = 0
        isSystem = true
        coldLaunchTime = population.relaunchTime
        warmLaunchTime = population.relaunchTime
    }
}
