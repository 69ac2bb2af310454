// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// A radio's constants as plain numbers (SI), so that a transfer neither retains nor converts anything.
struct RadioFigures: BitwiseCopyable {
    /// A stage of the tail.
    struct Stage: BitwiseCopyable {
        var power = 0.0
        var duration = SimDuration.zero
        var resumeTime = SimDuration.zero
    }

    private static let mostStages = 4
    let idlePower: Double
    let weakSignalPower: Double
    let promotionPower: Double
    let promotionTime: SimDuration
    let promotionExtraEnergy: Double
    let joinEnergy: Double
    let searchPower: Double
    private let roundTrip: SimDuration
    private let waitPower: Double
    let stageCount: Int
    private let stages: (Stage, Stage, Stage, Stage)
    private let receivePower: Double
    private let receivePowerPerMegabit: Double
    private let sendPower: Double
    private let sendPowerPerMegabit: Double
    private let receiveRate: DataRate
    private let sendRate: DataRate

    init(_ radio: RadioParameters) {
        guard radio.tail.count <= Self.mostStages else {
            fatalError("a radio's tail cannot have more than four stages")
        }
        idlePower = PowerSystem.quantised(radio.idlePower)
        weakSignalPower = radio.weakSignalPower.watts
        promotionPower = PowerSystem.quantised(radio.promotionPower)
        promotionTime = radio.promotionTime
        promotionExtraEnergy = radio.promotionExtraEnergy.joules
        joinEnergy = radio.joinEnergy.joules
        searchPower = PowerSystem.quantised(radio.searchPower)
        roundTrip = radio.roundTrip
        waitPower = (radio.tail.first?.power ?? radio.receivePower).watts
        receivePower = radio.receivePower.watts
        receivePowerPerMegabit = radio.receivePowerPerMegabit.watts
        sendPower = radio.sendPower.watts * radio.signal.sendFactor
        sendPowerPerMegabit = radio.sendPowerPerMegabit.watts * radio.signal.sendFactor
        receiveRate = radio.receiveRate * radio.signal.rateFactor
        sendRate = radio.sendRate * radio.signal.rateFactor
        stageCount = radio.tail.count
        func stage(_ index: Int) -> Stage {
            guard index < radio.tail.count else { return Stage() }
            let tail = radio.tail[index]
            return Stage(
                power: PowerSystem.quantised(tail.power), duration: tail.duration, resumeTime: tail.resumeTime)
        }
        stages = (stage(0), stage(1), stage(2), stage(3))
    }

    @inline(__always)
    subscript(index: Int) -> Stage {
        switch index {
        case 0: stages.0
        case 1: stages.1
        case 2: stages.2
        default: stages.3
        }
    }

    /// Duration and mean power of a transfer that does not share the radio.
    @inline(__always)
    func transfer(
        down: ByteCount, up: ByteCount, rateFactor: Double, sendFactor: Double, app: AppID, cause: Cause
    ) -> Radio.Transfer {
        guard rateFactor > 0 else { fatalError("a transfer needs a positive rate") }
        let receiveRate = receiveRate * rateFactor
        let sendRate = sendRate * rateFactor
        let receiving = down / receiveRate
        let sending = up / sendRate
        let duration = roundTrip + receiving + sending
        let receivePower = receivePower + receivePowerPerMegabit * receiveRate.megabitsPerSecond
        let sendPower = (sendPower + sendPowerPerMegabit * sendRate.megabitsPerSecond) * sendFactor
        let data = receivePower * receiving.seconds + sendPower * sending.seconds
        let joules = data + waitPower * roundTrip.seconds
        let mean = duration > .zero ? joules / duration.seconds : receivePower
        return Radio.Transfer(duration: duration, power: PowerSystem.quantised(.watts(mean)), app: app, cause: cause)
    }
}
