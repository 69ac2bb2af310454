// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

extension PowerSystem {
    /// Caps the clocks of the processor, as in a hot phone; running loads keep their power until their owner changes
    /// it.
    ///
    /// - Parameter cap: Share of the highest clock that may be used, from 0 to 1.
    public mutating func setPerformanceCap(_ cap: Double) {
        if cap == processor.cap { return }
        processor = ProcessorPlan(parameters.processor, awake: parameters.platform.awakePower, cap: cap)
    }
}
