// SPDX-License-Identifier: GPL-3.0-or-later
import Behaviours
import EventKernel
import Measures
import PhoneCore
import Power
import Quantities
import Vocabulary

/// What a run has come to since the end of its warm-up, for whoever rewards decisions while it goes on.
public struct RunMeter: Sendable, Equatable {
    /// Energy that the phone has used.
    public var energy = Energy.zero
    /// Sum of the ages of content at the user's opens, in seconds, as `content_age_s_mean` counts them.
    public var contentAge = 0.0
    /// Opens that the ages are of.
    public var contentOpens = 0.0
    /// Opens of apps without a process, as `relaunches_per_day` counts them.
    public var relaunches = 0.0
    /// Time that the user waited for apps to open, in seconds.
    public var wait = 0.0

    /// A meter that shows nothing.
    public init() {}
}

/// Simulates one run without rows, and shows the meter after each event and at the end.
public func simulate(_ specification: RunSpecification, meter show: (RunMeter) -> Void) -> RunOutcome {
    var phone = Phone(specification, sink: nil)
    phone.start()
    var before: Energy?
    while phone.step(until: phone.core.end) {
        let now = phone.core.engine.now
        if now >= phone.core.warmupEnd { show(phone.meter(at: now, since: &before)) }
    }
    show(phone.meter(at: phone.core.end, since: &before))
    return phone.outcome()
}

extension Phone {
    /// What the run has come to at an instant since the first time it was asked, which it remembers.
    fileprivate borrowing func meter(at now: SimTime, since before: inout Energy?) -> RunMeter {
        let totals = MetricCatalog.declared.measures.visits.totals(core.measures)
        let used = core.power.usedEnergy(at: now)
        let start = before ?? used
        before = start
        var meter = RunMeter()
        meter.energy = used - start
        (meter.contentAge, meter.contentOpens) = (totals.contentAge, totals.contentOpens)
        (meter.relaunches, meter.wait) = (totals.relaunches, totals.wait)
        return meter
    }
}
