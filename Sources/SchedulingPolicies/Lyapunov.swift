import Quantities
import Vocabulary

/// Weighs the energy of leaving now against everything that waits: drift plus penalty with one knob, V.
///
/// SALSA (Ra et al., MobiSys 2010), eTime (Liu et al., IEEE TC 2015) and PerES (Cui et al., INFOCOM 2014): transmit when
/// backlog times rate exceeds V times power; the power is then within O(1/V) of the least possible and the backlog
/// O(V). Here the backlog of a request is what its server may have added, one unit a second since its floor, and running
/// clears all of it. A run costs energy of its own and all that leave together share one waking of the radio, so a
/// request is ripe when its waiting exceeds V times the first, and the ripe ones leave when what they waited beyond that
/// adds up to V times the second: the set that minimises drift plus penalty.
public struct Lyapunov: SchedulingPolicy {
    /// Joules that work costs.
    public struct Energies: Sendable {
        /// The run itself, launch included; assumption: an app's launch and a second or two of processor time.
        public var run = 3.0
        /// Waking cellular: promotion and tail.
        public var cellular = 10.9
        /// Waking Wi-Fi.
        public var wifi = 0.1
        /// Waking the processor for work without a transfer; assumption.
        public var local = 0.1

        /// Creates the defaults.
        public init() {}
    }

    private let v: Double
    private let energies: Energies
    private var line = WaitingLine()
    private var departure = SimTime(nanoseconds: .min / 2)

    /// Creates the policy with V, in seconds of waiting that a joule is worth.
    public init(v: Double, energies: Energies = Energies()) {
        self.v = v
        self.energies = energies
    }

    /// The rule of SALSA for one link: transmit when backlog times rate exceeds V times power.
    public static func transmits(backlog: Double, rate: Double, power: Double, v: Double) -> Bool {
        backlog * rate - v * power > 0
    }

    /// What leaving now costs besides the runs themselves.
    func energy(of request: RequestView, _ device: DeviceConditions) -> Double {
        if device.pluggedIn || (device.radioIsUp && request.requiresNetwork) { return 0 }
        guard request.requiresNetwork else { return energies.local }
        return device.network == .wifi ? energies.wifi : energies.cellular
    }

    /// Leaves when the backlog outweighs the energy, and then with everybody.
    public mutating func decide(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision {
        let now = device.now
        let isLast = now >= request.lastChance
        let ripe = min(request.earliestBegin + .seconds(min(v * energies.run, 1e8)), request.lastChance)
        if !device.pluggedIn {
            guard now >= ripe else { return .wait(.backlog, until: ripe, or: .pluggedIn) }
            line.enter(request, at: ripe)
        }
        let limit = v * energy(of: request, device)
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

    /// Takes its backlog away.
    public mutating func didWithdraw(_ request: RequestView, at now: SimTime) { line.leave(request) }

    static let entry = SchedulingPolicyEntry(
        PolicyDescriptor(
            name: "lyapunov", summary: "Leaves when all waiting outweighs V times the energy; V draws a frontier.",
            source: "SALSA (Ra et al., MobiSys 2010); PerES (Cui et al., INFOCOM 2014)",
            parameters: [
                PolicyParameter(
                    name: "v", dimension: .number, defaultValue: 100, range: 0...1e9,
                    meaning: "Seconds of waiting, added over all requests, that a joule is worth; the knob"),
                PolicyParameter(
                    name: "run", dimension: .energy, defaultValue: 3, range: 0...1000,
                    meaning: "Energy of one run without the radio, launch included; assumption"),
                PolicyParameter(
                    name: "cellular", dimension: .energy, defaultValue: 10.9, range: 0...1000,
                    meaning:
                        "Promotion and tail of cellular (LTE: 0.26 s at 1.21 W, 10 s at 1.06 W, AT&T Video Optimizer)"
                ),
                PolicyParameter(
                    name: "wifi", dimension: .energy, defaultValue: 0.1, range: 0...1000,
                    meaning: "Tail of Wi-Fi (0.25 s at 0.403 W, AT&T Video Optimizer)"),
            ], needs: [.charging, .network])
    ) { arguments in
        var energies = Energies()
        energies.run = arguments.values[1]
        energies.cellular = arguments.values[2]
        energies.wifi = arguments.values[3]
        return Lyapunov(v: arguments.values[0], energies: energies)
    }
}
