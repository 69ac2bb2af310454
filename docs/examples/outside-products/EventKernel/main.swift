// SPDX-License-Identifier: GPL-3.0-or-later
import EventKernel

var engine = Engine<TimingWheel>(slots: 3)
engine.schedule(2, after: .seconds(2), class: 0)
engine.schedule(1, after: .seconds(1), class: 0)
var order: [Int] = []
while let slot = engine.next(notAfter: .distantFuture) { order.append(slot) }
print(order, engine.eventsProcessed)
