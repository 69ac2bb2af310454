// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Quantities
import Vocabulary

/// A policy that a test steers.
struct Scripted: SchedulingPolicy {
    var answer: @Sendable (RequestView, DeviceConditions) -> SchedulingDecision
    func decide(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision { answer(request, device) }

    static let always = Scripted { _, _ in .proceed(.immediate) }
    /// Two launches at once.
    static let two = Scripted { _, device in
        device.runningLaunches >= 2 ? .wait(.groupLimit, or: .launchEnded) : .proceed(.immediate)
    }
}

func makeTable(
    apps: Int = 4, policy: any SchedulingPolicy = Scripted.always, parameters: BackgroundParameters = .init(),
    change: (inout AppModel) -> Void = { _ in }
) -> RequestTable {
    let models = (0..<apps).map { index in
        var app = AppModel(name: "app \(index)", category: "test")
        change(&app)
        return app
    }
    return RequestTable(apps: models, parameters: parameters, policy: policy)
}

extension RequestTable {
    mutating func submitRefresh(
        _ app: Int, earliest: SimTime = .zero, network: Bool = false, at now: SimTime = .zero
    ) -> RequestAnswer {
        submit(
            AppID(app), .refresh, earliestBegin: earliest, requiresPower: false, requiresNetwork: network, at: now)
    }

    mutating func submitProcessing(
        _ app: Int, identifier: UInt8 = 0, earliest: SimTime = .zero, power: Bool = false, at now: SimTime = .zero
    ) -> RequestAnswer {
        submit(
            AppID(app), .processing, identifier: identifier, earliestBegin: earliest, requiresPower: power,
            requiresNetwork: false, at: now)
    }

    mutating func ask(
        _ app: Int, _ kind: RequestKind = .refresh, _ device: DeviceConditions = .init(), foreground: Bool = false,
        at now: SimTime
    ) -> RequestAnswer {
        var device = device
        device.now = now
        return decide(
            AppID(app), kind, device: device, openLikelihood: 0.5, isForeground: foreground, at: now)
    }

    /// Everybody whom these changes wake, in order, without asking them.
    mutating func popAll(_ changes: ConditionChanges) -> [Int] {
        var names: [Int] = []
        while let (app, kind) = popWaiter(changes) { names.append(Int(app.index) * 2 + Int(kind.rawValue)) }
        return names
    }
}
