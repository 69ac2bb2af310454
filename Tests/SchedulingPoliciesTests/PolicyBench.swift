// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import SchedulingPolicies
import Testing
import Vocabulary

/// One piece of work in a bench without a phone.
struct BenchJob {
    var app: Int
    var submitted = SimTime.zero
    var floor: SimTime
    var deadline: SimTime
    var kind = RequestKind.refresh
    var needsNetwork = true
    var nextOpen = SimTime.distantFuture
    var hardware = WakeHardware()
    var isExact = false
    var isExpedited = false
}

/// A policy with requests and a device, and nothing else: asks, wakes and starts as the protocol promises.
///
/// Work takes no time. `moments` are changes of the device from outside, each with what waiting requests are told.
struct PolicyBench {
    struct Moment {
        var time: SimTime
        var change: ConditionChanges
        var apply: (inout DeviceConditions) -> Void
    }

    private struct Pending {
        var job: BenchJob
        var ask: SimTime
        var wakeOn: ConditionChanges = []
        var isKnown = false
        var order: Int
    }

    var policy: any SchedulingPolicy
    var device = DeviceConditions()
    /// When each job started, by its index in the list that was handed in; nil where it never did.
    private(set) var starts: [SimTime?] = []
    private var pending: [Pending] = []
    private var lastRun: [Int: SimTime] = [:]
    private var order = 0

    init(_ policy: any SchedulingPolicy, device: DeviceConditions = DeviceConditions()) {
        self.policy = policy
        self.device = device
    }

    /// Runs every job to its start or its deadline.
    mutating func run(_ jobs: [BenchJob], moments: [Moment] = []) -> [SimTime?] {
        starts = Array(repeating: nil, count: jobs.count)
        pending = jobs.enumerated().map { Pending(job: $1, ask: $1.submitted, order: $0) }
        var moments = moments.sorted { $0.time < $1.time }
        while true {
            let nextAsk = pending.map(\.ask).min() ?? .distantFuture
            let nextMoment = moments.first?.time ?? .distantFuture
            guard min(nextAsk, nextMoment) < .distantFuture else { return starts }
            if nextMoment <= nextAsk {
                let moment = moments.removeFirst()
                device.now = max(device.now, moment.time)
                moment.apply(&device)
                wake(moment.change)
            } else if let index = pending.indices.min(by: { key($0) < key($1) }) {
                device.now = max(device.now, nextAsk)
                look(index)
            }
        }
    }

    private func key(_ index: Int) -> (Int64, Int) { (pending[index].ask.nanoseconds, pending[index].order) }

    private mutating func wake(_ changes: ConditionChanges) {
        let woken = pending.filter { !$0.wakeOn.isDisjoint(with: changes) }.map(\.order)
        for order in woken {
            guard let index = pending.firstIndex(where: { $0.order == order }) else { continue }
            if !pending[index].wakeOn.isDisjoint(with: changes) { look(index) }
        }
    }

    private mutating func look(_ index: Int) {
        let job = pending[index].job
        let request = view(job)
        if !pending[index].isKnown {
            pending[index].isKnown = true
            policy.didSubmit(request, at: device.now)
            pending[index].ask = max(job.floor, device.now)
            return
        }
        if device.now >= job.deadline {
            policy.didWithdraw(request, at: device.now)
            pending.remove(at: index)
            return
        }
        pending[index].wakeOn = []
        if job.needsNetwork, device.network == .none {
            pending[index].ask = job.deadline
            pending[index].wakeOn = .networkAppeared
            return
        }
        let decision = policy.decide(request, device)
        guard decision.proceed else {
            #expect(decision.reconsider > device.now || decision.wakeOn.rawValue != 0, "nothing to wait for")
            pending[index].ask = min(max(decision.reconsider, device.now + .second), job.deadline)
            pending[index].wakeOn = decision.wakeOn
            return
        }
        starts[pending[index].order] = device.now
        lastRun[job.app] = device.now
        pending.remove(at: index)
        policy.didFinish(request, foundNewContent: false, at: device.now)
        wake(.workStarted)
    }

    private func view(_ job: BenchJob) -> RequestView {
        var view = RequestView(
            app: AppID(job.app), kind: job.kind, submitted: job.submitted, earliestBegin: job.floor,
            deadline: job.deadline, requiresPower: false, requiresNetwork: job.needsNetwork, lastOpened: .zero,
            lastRun: lastRun[job.app] ?? .zero, openLikelihood: 0, expectedBytes: .kibibytes(30),
            expectedDuration: .seconds(2))
        view.nextOpen = job.nextOpen
        (view.hardware, view.isExact, view.isExpedited) = (job.hardware, job.isExact, job.isExpedited)
        return view
    }
}

extension BenchJob {
    /// A job from whole seconds.
    static func at(_ app: Int, from floor: Double, to deadline: Double, submitted: Double = 0) -> BenchJob {
        BenchJob(
            app: app, submitted: .seconds(submitted), floor: .seconds(floor), deadline: .seconds(deadline))
    }
}

extension PolicyBench {
    /// A phone on cellular, off the charger, in a pocket.
    static var pocket: DeviceConditions {
        var device = DeviceConditions()
        device.network = .cellular
        return device
    }

    /// The policy of this name with its defaults, or with values in the order of its descriptor.
    static func policy(_ name: String, _ values: [Double]? = nil) throws -> any SchedulingPolicy {
        let entry = try #require(SchedulingPolicies.named(name))
        let arguments = entry.descriptor.defaultArguments(seed: 1)
        return entry.make(PolicyArguments(values: values ?? arguments.values, seed: 1))
    }
}
