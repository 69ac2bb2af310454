// Phone owns the composition: it turns the workload's intents into events, routes each event to the parts (processes,
// power, background work) and their consequences to each other in one place, and counts what a run is asked for.
// In: a `RunSpecification`: models, user, policies, seed and replication. Out: a `RunOutcome` and, if asked for, rows.
// It owns no mechanism of memory, energy or scheduling: those live in `Processes`, `Power` and `Background`.
// Read first: this file, then `PhoneModel.swift` (the events) and `MetricCatalog.swift` (what is counted).

/// The version of the model: part of every row and token, raised when a change alters results.
public let modelVersion = "1"

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

    /// Creates an outcome.
    public init(
        metrics: [Double], events: UInt64, userActions: UInt64, fingerprint: UInt64, workloadFingerprint: UInt64
    ) {
        self.metrics = metrics
        self.events = events
        self.userActions = userActions
        self.fingerprint = fingerprint
        self.workloadFingerprint = workloadFingerprint
    }
}
