// SPDX-License-Identifier: GPL-3.0-or-later
import EventKernel
import Quantities
import RandomStreams

/// A distribution of service times with mean 1 second.
enum Service {
    case exponential
    case constant
    case gamma(squaredVariation: Double)
    case logNormal(sigma: Double)

    /// Variance over squared mean.
    var squaredVariation: Double {
        switch self {
        case .exponential: 1
        case .constant: 0
        case .gamma(let squaredVariation): squaredVariation
        case .logNormal(let sigma): Self.exp(sigma * sigma) - 1
        }
    }

    func draw(_ random: inout RandomStream) -> Double {
        switch self {
        case .exponential: random.exponential(mean: 1)
        case .constant: 1
        case .gamma(let squaredVariation): random.gamma(shape: 1 / squaredVariation, scale: squaredVariation)
        case .logNormal(let sigma): random.logNormal(mu: -sigma * sigma / 2, sigma: sigma)
        }
    }

    /// The exponential function by its series, for arguments around 1.
    private static func exp(_ x: Double) -> Double {
        var term = 1.0
        var sum = 1.0
        for n in 1..<40 {
            term *= x / Double(n)
            sum += term
        }
        return sum
    }
}

/// Customers arriving at random before one or more servers, first come first served; slot 0 is the next arrival, the
/// slots behind it are the servers.
struct QueueingStation<Queue: PendingEventSet & ~Copyable>: SimulationModel {
    let servers: Int
    let service: Service
    let meanBetweenArrivals: Double
    private var arrivals: RandomStream
    private var services: RandomStream
    private var arrivalTimes: [SimTime] = []
    private var firstWaiting = 0
    private var idle: [Int]
    private var lastChange = SimTime.zero

    // Sums since the last reset.
    private(set) var started = 0
    private(set) var waited = 0.0
    private(set) var queueTime = 0.0
    private(set) var busyTime = 0.0

    init(servers: Int, utilisation: Double, service: Service, name: String, replication: Int) {
        self.servers = servers
        self.service = service
        meanBetweenArrivals = 1 / (utilisation * Double(servers))
        arrivals = RandomStream(seed: 3, replication: replication, entity: name, purpose: "arrivals")
        services = RandomStream(seed: 3, replication: replication, entity: name, purpose: "services")
        idle = Array((1...servers).reversed())
    }

    private var waiting: Int { arrivalTimes.count - firstWaiting }

    mutating func handle(_ slot: Int, in engine: inout Engine<Queue>) {
        account(until: engine.now)
        if slot == 0 {
            arrivalTimes.append(engine.now)
            engine.schedule(0, after: .seconds(arrivals.exponential(mean: meanBetweenArrivals)))
        } else {
            idle.append(slot)
        }
        guard waiting > 0, let server = idle.popLast() else { return }
        waited += (engine.now - arrivalTimes[firstWaiting]).seconds
        started += 1
        firstWaiting += 1
        if firstWaiting == 4_096 {
            arrivalTimes.removeFirst(firstWaiting)
            firstWaiting = 0
        }
        engine.schedule(server, after: .seconds(service.draw(&services)), class: 1)
    }

    /// Forgets what was measured so far: the end of the warm-up.
    mutating func reset(at now: SimTime) {
        lastChange = now
        started = 0
        waited = 0
        queueTime = 0
        busyTime = 0
    }

    mutating func account(until now: SimTime) {
        let length = (now - lastChange).seconds
        queueTime += length * Double(waiting)
        busyTime += length * Double(servers - idle.count)
        lastChange = now
    }
}
