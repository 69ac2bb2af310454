import EventKernel
import Power
import Processes
import Quantities
import Workload

extension PhoneModel {
    /// Checks what must hold in every run: the ledger closes and the memory accounts sum to the RAM.
    mutating func checkConservation(at now: SimTime) {
        power.flush(at: now)
        let booked = power.ledgerEnergy.joules
        let given = power.terminalEnergy.joules + power.adapterEnergy.joules
        let error = abs(booked - given) / max(1, abs(given))
        ledgerError = max(ledgerError, error)
        precondition(error <= 1e-9, "the ledger holds \(booked) J, cell and adapter gave \(given) J")
        precondition(processes.accounts.total == device.memory.ram, "the memory accounts do not sum to the RAM")
    }

    /// What the run left behind.
    mutating func outcome(of engine: borrowing Engine<TimingWheel>) -> RunOutcome {
        checkConservation(at: end)
        writeCutRows(at: end)
        if tables.contains(.predictions) { counts.calibration.rows.forEach { sink?.write($0) } }
        return RunOutcome(
            metrics: metrics(at: end), events: engine.eventsProcessed, userActions: UInt64(counts.opens),
            fingerprint: engine.fingerprint, workloadFingerprint: workload.fingerprint &+ arrivals.value,
            ledgerError: ledgerError)
    }
}
