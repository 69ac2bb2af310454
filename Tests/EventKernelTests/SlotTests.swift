// SPDX-License-Identifier: GPL-3.0-or-later
import EventKernel
import Testing

@Suite struct `Slots` {
    @Test
    func `a layout keeps entity and kind apart`() {
        let layout = SlotLayout(kindBits: 3)
        #expect(layout.slots(entities: 10) == 80)
        for entity in 0..<10 {
            for kind in 0..<8 {
                let slot = layout.slot(entity: entity, kind: kind)
                #expect(layout.entity(of: slot) == entity)
                #expect(layout.kind(of: slot) == kind)
            }
        }
    }
}
