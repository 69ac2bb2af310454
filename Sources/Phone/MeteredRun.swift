// SPDX-License-Identifier: GPL-3.0-or-later
import Behaviours
import EventKernel
import Measures
import PhoneCore
import Power
import Quantities
import Vocabulary

/// Sums of a run since the end of its warm-up, for a caller that rewards decisions during the run.
public struct RunMeter: Sendable, Equatable {
    /// Energy that the phone has used.
    public var energy = Energy.zero
    /// Sum of the ages of content at the user's opens, in seconds, as in `content_age_s_mean`.
    public var contentAge = 0.0
    /// Number of opens whose content ages are in `contentAge`.
    public var contentOpens = 0.0
    /// Opens of apps without a process, as in `relaunches_per_day`.
    public var relaunches = 0.0
    /// Time that the user waited for apps to open, in seconds.
    public var wait = 0.0

    /// Creates a meter of zeros.
    public init() {}
}

/// Simulates one run without rows, and passes the meter to `show` after each event after the warm-up and at the end.
public func simulate(_ specification: RunSpecification, meter show: (RunMeter) -> Void) -> RunOutcome {
    var phone = Phone(specification, sink: nil)
    phone.start()
    var before: Energy?
    while phone.step(until: phone.core.end) {
        // At the instant at which the warm-up ends, the sums begin again only after the other events.
        let counts = phone.core.measures.start == phone.core.warmupEnd
        if counts { show(phone.meter(at: phone.core.engine.now, since: &before)) }
    }
    show(phone.meter(at: phone.core.end, since: &before))
    return phone.outcome()
}

extension Phone {
    /// Sums of the run at an instant; energy counts from the first call, which stores the used energy in `before`.
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
