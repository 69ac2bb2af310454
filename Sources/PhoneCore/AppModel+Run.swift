// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

extension AppModel {
    /// Time that opening the app takes on a phone without a cap.
    @inlinable
    package func launchTime(_ kind: LaunchKind) -> SimDuration {
        switch kind {
        case .resume: resumeTime
        case .warm: warmLaunchTime + sdkLaunchTime
        case .cold: coldLaunchTime + sdkLaunchTime
        }
    }

    /// Whether the app ever asks for refreshes: it wants them, and its user has not switched them off.
    @inlinable package var refreshes: Bool { refreshEnabled && refreshPeriod > .zero }

    /// A daemon as the process table and the eviction policies see it: never opened, quickly started.
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
