// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import EventKernel
import Power
import Processes
import Quantities
import Vocabulary

/// Result of bringing a process to execution in the background.
package struct BringUp {
    /// Previous state of the process.
    package var from: ProcessState
    /// Resume, warm or cold; nil if the process was already executing.
    package var kind: LaunchKind?
    /// Duration of the launch.
    package var delay = SimDuration.zero
}

/// Load of an assertion on the phone while the assertion is held.
package struct AssertionLoad {
    /// Cause to which the energy is charged.
    package var cause: Cause
    /// Load of the processor; nil without a load.
    package var processor: Power?
    /// Other parts that the assertion switches on, and whether they stay on with the display off.
    package var activity: ActivityClass?
    package var inBackground = false
    /// Whether the assertion keeps the phone awake.
    package var keepsAwake = true

    /// No load: the assertion only keeps the app executing.
    package static var nothing: AssertionLoad {
        AssertionLoad(cause: .backgroundTask, processor: nil, keepsAwake: false)
    }

    package init(
        cause: Cause, processor: Power?, activity: ActivityClass? = nil, inBackground: Bool = false,
        keepsAwake: Bool = true
    ) {
        self.cause = cause
        self.processor = processor
        self.activity = activity
        self.inBackground = inBackground
        self.keepsAwake = keepsAwake
    }
}

extension PhoneCore {
    /// Launches or resumes an app in the background if it does not execute; no other function starts background
    /// execution.
    package mutating func bringUp(_ app: AppID) -> BringUp {
        let old = processes.state(of: app)
        bound.work(app)
        guard !old.executes else {
            leaveCache(app, old)
            return BringUp(from: old)
        }
        var result = BringUp(from: old, kind: .resume)
        if old == .suspended {
            // The caller's work begins in any case; if the process was killed, the work ends with it.
            _ = resume(app, foreground: false)
        } else {
            let index = Int(app.index)
            let missing = processes.missingFiles(of: app)
            let footprint = apps[index].backgroundFootprint
            result.kind = launch(app, foreground: false, footprint: footprint).kind
            let done = old == .prewarmed ? apps[index].warmLaunchTime * device.prewarm.mainShare : .zero
            result.delay = (apps[index].launchTime(missing: missing) - done) * power.processor.backgroundLaunchFactor
        }
        return result
    }

    /// Moves a cached Android app that is not frozen yet to the working band.
    private mutating func leaveCache(_ app: AppID, _ state: ProcessState) {
        guard device.os.family == .android, state == .background, lives[Int(app.index)].isInGrace,
            !assertions.holdsAny(app)
        else { return }
        // If this kills the process, the caller's work ends with it.
        _ = setBand(of: app, to: device.os.workingBand)
    }

    /// Whether an app is off screen and has no assertion; only a grace can then keep the app running.
    package func isCached(_ app: AppID) -> Bool {
        !processes.state(of: app).isForeground && !assertions.holdsAny(app)
    }

    /// Keeps an app running for a reason, with the load of the assertion.
    ///
    /// The app must be executing, so call `bringUp` first. A grace in progress continues in parallel.
    package mutating func acquire(_ app: AppID, _ reason: AssertionReason, _ load: AssertionLoad) -> Assertion {
        let assertion = assertions.insert(app, reason)
        if load.keepsAwake {
            power.holdAwake(app: app, cause: load.cause, at: now)
            assertions[assertion].holdsAwake = true
        }
        if let processor = load.processor {
            assertions[assertion].load = power.startLoad(.processor, processor, app: app, cause: load.cause, at: now)
        }
        if let activity = load.activity {
            assertions[assertion].parts = power.startActivity(
                activity, inBackground: load.inBackground, app: app, cause: load.cause, at: now)
        }
        if reason == .task { conditions.runningLaunches = Int32(assertions.tasks.count) }
        if reason.isHeard, processes.state(of: app) == .background {
            // If this kills the process, its assertion is dropped with it.
            _ = setBand(of: app, to: device.os.audioBand)
        }
        return assertion
    }

    /// Changes the processor load of an assertion.
    package mutating func setLoad(of assertion: Assertion, to power: Power) {
        guard assertions.isHeld(assertion) else { return }
        self.power.setLoad(assertions[assertion].load, to: power, at: now)
    }

    /// Ends the processor load of an assertion, which stays held.
    package mutating func stopLoad(of assertion: Assertion) {
        guard assertions.isHeld(assertion) else { return }
        power.stopLoad(assertions[assertion].load, at: now)
        assertions[assertion].load = .none
    }

    /// Releases an assertion; after the last assertion of an app, the app is suspended at the end of its grace.
    package mutating func release(_ assertion: Assertion) {
        guard assertions.isHeld(assertion) else { return }
        let wasHeard = assertions[assertion].reason.isHeard
        let app = drop(assertion)
        suspendAfterWork(app)
        guard wasHeard, !assertions.isHeard(app) else { return }
        // No other operation on the process follows, because this may kill it.
        if processes.state(of: app) == .background { _ = setBand(of: app, to: device.os.workingBand) }
    }

    /// Keeps an app in the background from being suspended at the end of its work, because it comes to the front.
    ///
    /// Release the assertion when the app is in the foreground.
    package mutating func holdForOpening(_ app: AppID) -> Assertion {
        guard assertions.holdsAny(app) else { return .none }
        return acquire(app, .opening, .nothing)
    }

    /// Whether an assertion is still held; the end of a process releases the assertions on the process.
    package func isHeld(_ assertion: Assertion) -> Bool { assertions.isHeld(assertion) }

    /// Adds memory for background work to the app's footprint; a negative number removes it.
    package mutating func changeFootprint(of app: AppID, by bytes: Int64) {
        guard bytes != 0, processes.isAlive(app) else { return }
        let footprint = processes.footprint(of: app).bytes + bytes
        // If this kills the process, the work that needed the memory ends with it.
        _ = setFootprint(of: app, to: ByteCount(max(0, footprint)))
    }

    /// Removes an assertion and its loads; does not suspend the app.
    @discardableResult
    private mutating func drop(_ assertion: Assertion) -> AppID {
        let entry = assertions.remove(assertion)
        power.stopLoad(entry.load, at: now)
        power.stopActivity(entry.parts, at: now)
        if entry.holdsAwake { power.releaseAwake(at: now) }
        if entry.reason == .task { conditions.runningLaunches = Int32(assertions.tasks.count) }
        return entry.app
    }

    /// Removes all assertions of an app whose process ended.
    mutating func releaseAll(of app: AppID) {
        while let assertion = assertions.first(of: app) { drop(assertion) }
    }

    /// Processor load of a launch in the background, as one more task among the running tasks.
    package var launchLoad: Power { load(of: .launch) }

    /// Processor load of one more task of a kind, given the running tasks.
    package func load(of kind: TaskKind) -> Power {
        power.processor.share(of: kind, alongside: assertions.tasks.count).power
    }

    /// Share of the processor that a task gets, given the other running tasks.
    package func processorShare(of kind: RequestKind) -> (power: Power, speed: Double) {
        let kind: TaskKind = kind == .refresh ? .refresh : .processing
        return power.processor.share(of: kind, alongside: max(0, assertions.tasks.count - 1))
    }

    /// Charges the energy of staying awake after a session to an app that still works.
    ///
    /// The app that the user just left pays if it keeps the phone awake; otherwise, the app with the oldest task pays.
    package mutating func payForAwake(left: AppID) {
        let isLeftAwake = left != .system && (lives[Int(left.index)].holdsAwake || assertions.keepsAwake(left))
        guard let payer = isLeftAwake ? left : assertions.tasks.first else { return }
        power.payForAwake(app: payer, cause: .backgroundTask, at: now)
    }
}
