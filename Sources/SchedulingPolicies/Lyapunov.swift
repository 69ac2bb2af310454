// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Compares the energy of starting now with the backlog of all waiting work.
///
/// This is the method of drift plus penalty with one parameter, V.
///
/// Source: SALSA (Ra et al., MobiSys 2010), eTime (Liu et al., IEEE TC 2015) and PerES (Cui et al., INFOCOM 2014).
/// These methods transmit when backlog times rate exceeds V times power. The power is then within O(1/V) of the least
/// possible power, and the backlog is O(V).
///
/// Here, the backlog of a request is the content that its server may have added, one unit a second since the earliest
/// begin. A run clears all of it. Each run costs energy, and all runs that start together share one waking of the
/// radio. A request is ripe when its waiting exceeds V times the energy of the run. Ripe requests start when their
/// waiting since they became ripe adds up to V times the energy of the waking. This set of requests minimises drift
/// plus penalty.
public struct Lyapunov: SchedulingPolicy {
    /// Energies of work.
    public struct Energies: Sendable {
        /// The run itself, including the launch; assumption: an app's launch and a second or two of processor time.
        public var run = Energy.joules(3)
        /// Waking the cellular radio, including its promotion and tail.
        public var cellular = Energy.joules(10.9)
        /// Waking the Wi-Fi radio.
        public var wifi = Energy.joules(0.1)
        /// Waking the processor for work without a transfer; assumption.
        public var local = Energy.joules(0.1)

        /// Creates the defaults.
        public init() {}
    }

    /// Seconds of waiting, summed over all requests, that are worth a joule.
    public var v = 100.0
    /// Energies of work.
    public var energies = Energies()
    private var line = WaitingLine()
    private var departure = SimTime(nanoseconds: .min / 2)

    /// Creates the policy with its defaults.
    public init() {}

    /// The rule of SALSA for one link: transmit when backlog times rate exceeds V times power.
    public static func transmits(backlog: Double, rate: Double, power: Double, v: Double) -> Bool {
        backlog * rate - v * power > 0
    }

    /// Energy of starting now, in addition to the runs themselves.
    func energy(of request: RequestView, _ device: DeviceConditions) -> Energy {
        if device.pluggedIn || (device.radioIsUp && request.requiresNetwork) { return .zero }
        guard request.requiresNetwork else { return energies.local }
        return device.network == .wifi ? energies.wifi : energies.cellular
    }

    /// Starts the request, with all waiting requests, when the backlog outweighs the energy.
    public mutating func decide(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision {
        let now = device.now
        let isLast = now >= request.lastChance
        let ripe = min(request.earliestBegin + .seconds(min(v * energies.run.joules, 1e8)), request.lastChance)
        if !device.pluggedIn {
            guard now >= ripe else { return .wait(.backlog, until: ripe, or: .pluggedIn) }
            line.enter(request, at: ripe)
        }
        let limit = v * energy(of: request, device).joules
        let waited = line.waited(at: now)
        if now == departure || waited >= limit || isLast {
            departure = now
            line.leave(request)
            return .proceed(waited >= limit ? .backlog : .deadlineReached, score: waited, threshold: limit)
        }
        let until = min(line.instant(ofWaiting: limit), request.lastChance)
        return .wait(
            .backlog, until: until, or: [.radioUp, .wifiJoined, .pluggedIn, .workStarted], score: waited,
            threshold: limit)
    }

    /// Removes the backlog of a request.
    public mutating func didWithdraw(_ request: RequestView, at now: SimTime) { line.leave(request) }

    static let entry = SchedulingPolicyEntry(
        PolicyDescriptor(
            name: "lyapunov",
            summary: "Sends when the total waiting outweighs V times the energy; V sets the trade-off.",
            source: "SALSA (Ra et al., MobiSys 2010); PerES (Cui et al., INFOCOM 2014)",
            needs: [.charging, .network]),
        Lyapunov(),
        Parameter(
            \.v, "v", .number, 0...1e9,
            "Seconds of waiting, summed over all requests, that count as much as one joule"),
        Parameter(
            \.energies.run, "run", .energy, 0...1000,
            "Energy of one run, with its launch but without the radio; assumption"),
        Parameter(
            \.energies.cellular, "cellular", .energy, 0...1000,
            "Energy of promotion and tail of the mobile radio (LTE: 0.26 s at 1.21 W, 10 s at 1.06 W, "
                + "AT&T Video Optimizer)"
        ),
        Parameter(
            \.energies.wifi, "wifi", .energy, 0...1000,
            "Energy of the tail of Wi-Fi (0.25 s at 0.403 W, AT&T Video Optimizer)"))
}
