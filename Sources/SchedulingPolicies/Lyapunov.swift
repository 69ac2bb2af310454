import Quantities
import Vocabulary

/// Weighs the energy of leaving now against everything that waits: drift plus penalty with one knob, V.
///
/// SALSA (Ra et al., MobiSys 2010), eTime (Liu et al., IEEE TC 2015) and PerES (Cui et al., INFOCOM 2014): transmit when
/// backlog times rate exceeds V times power; the power is then within O(1/V) of the least possible and the backlog
/// O(V). Here the backlog of a request is what its server may have added, one unit a second since its floor, and
/// leaving clears all of it, so that they leave when the waiting of all exceeds V times the energy of waking the radio.
public struct Lyapunov: SchedulingPolicy {
    /// Joules that one transfer costs beyond its bytes.
    public struct Energies: Sendable {
        /// Over cellular, with promotion and tail.
        public var cellular = 10.9
        /// Over Wi-Fi.
        public var wifi = 0.1
        /// Work without a transfer: waking the processor; assumption.
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

    /// What leaving now costs.
    func energy(of request: RequestView, _ device: DeviceConditions) -> Double {
        if device.pluggedIn || (device.radioIsUp && request.requiresNetwork) { return 0 }
        guard request.requiresNetwork else { return energies.local }
        return device.network == .wifi ? energies.wifi : energies.cellular
    }

    /// Leaves when the backlog outweighs the energy, and then with everybody.
    public mutating func decide(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision {
        line.enter(request)
        let now = device.now
        let limit = v * energy(of: request, device)
        let waited = line.waited(at: now)
        let isLast = now >= request.lastChance
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
        energies.cellular = arguments.values[1]
        energies.wifi = arguments.values[2]
        return Lyapunov(v: arguments.values[0], energies: energies)
    }
}
