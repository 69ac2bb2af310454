// SPDX-License-Identifier: GPL-3.0-or-later
import Power
import Quantities
import Scenario
import Vocabulary

extension RadioBench {
    /// Simulates the bench's traffic, and returns the energies in the ledger.
    func measure() -> [String: Double] {
        var parameters = PowerParameters.iPhone15
        parameters.radios[interface] = radio
        var power = PowerSystem(parameters, apps: 1)
        power.setNetwork(interface.network, at: .zero)
        for transfer in transfers where transfer.start < duration {
            let at = SimTime.zero + .seconds(transfer.start)
            run(&power, interface, until: at)
            _ = power.beginTransfer(
                interface, down: transfer.down, up: transfer.up, app: AppID(0), cause: .backgroundTask, at: at)
        }
        let end = SimTime.zero + .seconds(duration)
        run(&power, interface, until: end)
        power.flush(at: end)
        let component = interface.component
        let transfer = power.energy(of: component, cause: .backgroundTask).joules
        let tail = power.energy(of: component, cause: .tail).joules
        return [
            "energy_j": transfer + tail, "transfer_j": transfer, "tail_j": tail,
            "idle_j": power.energy(of: component, cause: .idle).joules, "tail_share": tail / (transfer + tail),
            "promotions": Double(power.promotions(interface)),
        ]
    }

    private func run(_ power: inout PowerSystem, _ interface: Interface, until end: SimTime) {
        while power.radioDeadline(interface) <= end {
            power.radioTimerFired(interface, at: power.radioDeadline(interface))
        }
    }

    /// All single transfers by start time; those with equal times are in the order of the file.
    private var transfers: [(start: Double, down: ByteCount, up: ByteCount)] {
        var all: [(start: Double, order: Int, down: ByteCount, up: ByteCount)] = []
        for each in traffic {
            for number in 0..<each.count {
                all.append((each.start + Double(number) * each.every, all.count, each.down, each.up))
            }
        }
        all.sort { ($0.start, $0.order) < ($1.start, $1.order) }
        return all.map { (start: $0.start, down: $0.down, up: $0.up) }
    }
}
