// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import EventKernel
import PhoneCore
import Power
import Quantities
import Vocabulary
import Workload

extension DeviceTimer {
    /// The user moves.
    @inlinable public static var movement: DeviceTimer { DeviceTimer(9) }
}

/// Apps that follow the location; each runs for a moment when the user has moved.
///
/// Source: Apple, App Programming Guide for iOS, "Background Execution". A policy that uses motion is also notified. A
/// phone that is carried indoors counts as still (*assumption*).
package struct Location {
    private var schedule: MovementSchedule
    /// The movements of the present day, and the index of the next one.
    private var day: [SimTime] = []
    private var next = 0
    private let followers: [AppID]
    private var policyFollows: Bool

    package init(_ core: borrowing PhoneCore) {
        schedule = core.specification.movements
        var followers: [AppID] = []
        for index in core.apps.indices where core.apps[index].traits.followsLocation {
            if core.apps[index].declares.location { followers.append(AppID(index)) }
        }
        self.followers = followers
        policyFollows = core.background.followsMotion
    }

    /// Schedules the user's next movement, if any app or the policy needs it.
    package mutating func start(_ core: inout PhoneCore) {
        guard policyFollows || !followers.isEmpty else { return }
        // Skips past movements: a policy that uses motion and takes over in mid-run does not receive them.
        while next == day.count || day[next] < core.now {
            next += 1
            guard next >= day.count else { continue }
            next = 0
            guard schedule.nextDay(into: &day) else { return }
        }
        core.engine.schedule(Slots.device(.movement), at: day[next], class: EventClass.work)
    }

    /// Handles a change of policies.
    package mutating func policiesChanged(_ core: inout PhoneCore) {
        policyFollows = core.background.followsMotion
        if !core.engine.isPending(Slots.device(.movement)) { start(&core) }
    }

    /// Handles a movement: runs the apps that follow the location.
    package mutating func movementTimer(_ core: inout PhoneCore) {
        next += 1
        start(&core)
        guard !core.power.isDead else { return }
        if policyFollows, core.background.noteMotion(core.conditions, at: core.now) { core.raise(.moved) }
        for app in followers where core.hasApp(app) {
            guard core.device.modes.locationOutlivesForceQuit || !core.background.isForceQuit(app) else { continue }
            core.run(app, for: EventPlan(.location, for: core))
        }
    }
}

extension EventPlan {
    /// Creates the work of an app for a position or a sensor reading.
    init(_ work: BackgroundWork, for core: borrowing PhoneCore) {
        self.init(work, cause: .backgroundTask, sent: core.now, limit: core.device.modes.eventRuntime)
        processorTime = core.device.modes.eventProcessorTime
        up = core.device.modes.eventBytes
    }
}
