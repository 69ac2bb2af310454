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

/// Simulates one run without rows, and shows the meter after each event.
public func simulate(_ specification: RunSpecification, meter show: (RunMeter) -> Void) -> RunOutcome {
    let visits = MetricCatalog.declared.measures.visits
    var phone = Phone(specification, sink: nil)
    phone.start()
    var energyBefore: Energy?
    while phone.step(until: phone.core.end) {
        guard phone.core.engine.now >= phone.core.warmupEnd else { continue }
        let used = phone.core.power.ledgerEnergy
        let before = energyBefore ?? used
        energyBefore = before
        let totals = visits.totals(phone.core.measures)
        var meter = RunMeter()
        meter.energy = used - before
        (meter.contentAge, meter.contentOpens) = (totals.contentAge, totals.contentOpens)
        (meter.relaunches, meter.wait) = (totals.relaunches, totals.wait)
        show(meter)
    }
    return phone.outcome()
}
