// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Mean power of a phone that does one thing for a long time, by component.
public struct SteadyPower: Sendable {
    private var watts = [Double](repeating: 0, count: Component.allCases.count)

    /// The power of a component.
    public subscript(component: Component) -> Power { .watts(watts[Int(component.rawValue)]) }

    /// The power of the whole phone.
    public var total: Power { .watts(watts.reduce(0, +)) }

    mutating func add(_ component: Component, _ power: Power) { watts[Int(component.rawValue)] += power.watts }
}

/// The circumstances of a steady power.
public struct SteadyCircumstances: Sendable {
    /// The network in use; the mobile network stays registered during Wi-Fi.
    public var network = Network.wifi
    /// Brightness, 0 to 1.
    public var brightness = 0.5
    /// Whether apps are in dark mode.
    public var isDark = false
    /// Time between the pieces of a stream in one direction; calls send every 20 ms.
    var pieceInterval = SimDuration.seconds(6)

    /// Creates half brightness on Wi-Fi.
    public init() {}
}

extension PowerParameters {
    /// Mean power during an activity, calculated from the figures that a run uses.
    ///
    /// Playback and endurance tests measure this quantity.
    public func steadyPower(of activity: ActivityClass, _ circumstances: SteadyCircumstances = .init()) -> SteadyPower {
        let profile = activities[activity]
        let sleeps = profile.displayOff && profile.sleepsInBackground
        var steady = standby(circumstances.network)
        let figures = ActivityFigures(profile, peripherals, inBackground: sleeps)
        for index in 0..<7 { steady.add(ActivityFigures.components[index], .watts(figures.watts[index])) }
        if sleeps { return steady }
        steady.add(.platform, platform.awakePower)
        let plan = ProcessorPlan(processor, awake: platform.awakePower)
        let cores = plan.interactivePower(load: profile.load)
        steady.add(.processor, cores * (1 - processor.memoryPart))
        steady.add(.memory, cores * processor.memoryPart)
        if !profile.displayOff {
            let level = circumstances.isDark ? profile.darkPictureLevel : profile.pictureLevel
            let rate = display.rate(of: profile)
            steady.add(.display, display.power(brightness: circumstances.brightness, pictureLevel: level, at: rate))
        }
        addRadio(profile, circumstances, to: &steady)
        return steady
    }

    /// Mean power of a sleeping phone with a network and with its always-on display off.
    public func standby(_ network: Network = .wifi) -> SteadyPower {
        var steady = SteadyPower()
        steady.add(.platform, platform.suspendPower)
        for interface in Interface.allCases where interface.isOn(with: network) {
            steady.add(interface.component, radios[interface].standbyPower)
        }
        return steady
    }

    private func addRadio(
        _ activity: ActivityParameters, _ circumstances: SteadyCircumstances, to steady: inout SteadyPower
    ) {
        guard let interface = Interface(circumstances.network) else { return }
        guard activity.rate + activity.sendRate > .zero else { return }
        let radio = radios[interface]
        let interval = activity.sendRate > .zero ? SimDuration.milliseconds(20) : circumstances.pieceInterval
        let power = radio.meanPower(
            receiving: activity.rate, sending: activity.sendRate, every: interval, listening: activity.listening)
        steady.add(interface.component, power - radio.standbyPower)
    }
}

extension RadioParameters {
    /// Mean power of a radio that moves a piece of data at regular intervals and stays awake for a share of the time.
    public func meanPower(
        receiving: DataRate, sending: DataRate, every interval: SimDuration, listening: Double = 0
    ) -> Power {
        let whole = interval.seconds
        let receiveRate = receiveRate * signal.rateFactor
        let sendRate = sendRate * signal.rateFactor
        let down = receiving / receiveRate * whole
        let up = sending / sendRate * whole
        let sendPower = (sendPower + sendPowerPerMegabit * sendRate.megabitsPerSecond) * signal.sendFactor
        var energy = down * (receivePower + receivePowerPerMegabit * receiveRate.megabitsPerSecond).watts
        energy += up * sendPower.watts
        // A call sends without waiting for answers.
        let wait = sending > .zero ? 0 : min(roundTrip.seconds, max(whole - down - up, 0))
        energy += wait * (tail.first?.power ?? receivePower).watts
        var left = whole - down - up - wait
        if left <= 0 { return .watts(energy / (down + up + wait)) }
        var awake = listening * whole - (whole - left)
        for stage in tail {
            let spent = min(left, max(stage.duration.seconds, awake))
            energy += stage.power.watts * spent
            left -= spent
            awake = 0
        }
        if left > 0 {
            // The radio is back in idle before the next piece, which pays for another promotion.
            let promotion = min(left, promotionTime.seconds)
            energy += promotionPower.watts * promotion + promotionExtraEnergy.joules
            energy += standbyPower.watts * (left - promotion)
        }
        return .watts(energy / whole)
    }
}
