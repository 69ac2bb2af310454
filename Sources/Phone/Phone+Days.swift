// SPDX-License-Identifier: GPL-3.0-or-later
import Behaviours
import EventKernel
import PhoneCore
import Quantities

/// Simulates one run without a warm-up and measures each day separately.
///
/// - Returns: One value per requested metric for each whole day; NaN for a share without a denominator.
public func simulateDays(_ specification: RunSpecification) -> [[Double]] {
    var specification = specification
    specification.warmup = .zero
    var phone = Phone(specification, sink: nil)
    phone.start()
    let days = Int(specification.duration / .day)
    return (0..<days).map { day in
        let midnight = SimTime.zero + .days(Double(day + 1))
        phone.run(until: midnight)
        phone.behaviours.requests.readMeters(&phone.core)
        MetricCatalog.declared.measures.visits.countBound(phone.core.bound, &phone.core.measures)
        let values = phone.core.metrics(at: midnight)
        phone.behaviours.endWarmup(&phone.core)
        return values
    }
}
