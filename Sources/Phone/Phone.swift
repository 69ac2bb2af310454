// Phone owns the composition: it turns the workload's intents into events, routes each event to the parts (processes,
// power, background work) and their consequences to each other in one place, and counts what a run is asked for.
// In: a `RunSpecification`: models, user, policies, seed and replication. Out: a `RunOutcome` and, if asked for, rows.
// It owns no mechanism of memory, energy or scheduling: those live in `Processes`, `Power` and `Background`.
// Read first: this file, then `PhoneModel.swift` (the state), `PhoneModel+Events.swift` (the routing), `MetricCatalog`.

import EventKernel
import Measures
import Quantities

/// The version of the model: part of every row and token, raised when a change alters results.
public let modelVersion = "2"

/// What a run left behind besides its rows.
public struct RunOutcome: Sendable {
    /// One value per metric of `MetricCatalog.all`; NaN where a share has no denominator.
    public var metrics: [Double]
    /// Kernel dispatches.
    public var events: UInt64
    /// Opens by the user after the warm-up.
    public var userActions: UInt64
    /// Order-sensitive hash of every event.
    public var fingerprint: UInt64
    /// Hash of the workload, equal for every policy of a replication.
    public var workloadFingerprint: UInt64
    /// How far the ledger is from the energy at the terminals, relative; rounding only.
    public var ledgerError: Double

    /// Creates an outcome.
    public init(
        metrics: [Double], events: UInt64, userActions: UInt64, fingerprint: UInt64, workloadFingerprint: UInt64,
        ledgerError: Double = 0
    ) {
        self.metrics = metrics
        self.events = events
        self.userActions = userActions
        self.fingerprint = fingerprint
        self.workloadFingerprint = workloadFingerprint
        self.ledgerError = ledgerError
    }
}

/// Simulates one run; rows of the tables asked for go to the sink as they arise.
///
/// The result follows from the specification alone. Energy and memory are balanced at the end of every simulated hour:
/// a ledger that does not close to 1e-9, or accounts that do not sum to the RAM, trap.
public func simulate(_ specification: RunSpecification, sink: (any RowSink)? = nil) -> RunOutcome {
    var model = PhoneModel(specification, sink: sink)
    var engine = Engine<TimingWheel>(slots: Slots.count(processes: model.apps.count + model.system.count))
    model.start(in: &engine)
    engine.run(&model, until: model.end)
    return model.outcome(of: engine)
}
