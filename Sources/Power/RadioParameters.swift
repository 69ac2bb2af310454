// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// One stage of a radio's tail: its power, its duration, and the delay before data flows again.
public struct TailStage: Sendable, BitwiseCopyable {
    /// Mean power in the stage.
    public var power: Power
    /// Inactivity after which the radio goes on to the next stage or to idle.
    public var duration: SimDuration
    /// Delay before data flows again when a packet arrives in this stage, at the promotion's power; often zero.
    public var resumeTime: SimDuration

    /// Creates a stage.
    public init(power: Power, duration: SimDuration, resumeTime: SimDuration = .zero) {
        self.power = power
        self.duration = duration
        self.resumeTime = resumeTime
    }
}

/// A radio as a state machine: idle, promotion, active, one or more tail stages, idle.
public struct RadioParameters: Sendable {
    /// Mean power while registered or associated without traffic, paging or beacons included.
    public var idlePower: Power
    /// Power during promotion.
    public var promotionPower: Power
    /// Time from the first packet until data flows.
    public var promotionTime: SimDuration
    /// Additional energy of a promotion from idle (the switch from 4G to 5G), booked when it begins.
    public var promotionExtraEnergy: Energy
    /// Power while receiving, without the part that depends on the rate.
    public var receivePower: Power
    /// Additional power of receiving per Mbit/s.
    public var receivePowerPerMegabit: Power
    /// Power while sending, without the part that depends on the rate.
    public var sendPower: Power
    /// Additional power of sending per Mbit/s.
    public var sendPowerPerMegabit: Power
    /// Usual rate of receiving.
    public var receiveRate: DataRate
    /// Usual rate of sending.
    public var sendRate: DataRate
    /// Stages after the last byte, in order; at most four.
    public var tail: [TailStage]
    /// Energy of joining a network, booked whenever the radio comes on.
    public var joinEnergy: Energy
    /// Mean power of looking for a network of this kind while there is none.
    public var searchPower = Power.zero
    /// Power that a very poor signal adds to `idlePower`, because the radio looks for a better cell; less for better
    /// signals.
    public var weakSignalPower = Power.zero
    /// Time that a transfer waits for the network before its first byte, at the power of the tail.
    public var roundTrip = SimDuration.zero
    /// How good the signal is; 4 is best.
    public var signal = SignalLevel.excellent

    /// Creates a radio.
    public init(
        idlePower: Power, promotionPower: Power, promotionTime: SimDuration, promotionExtraEnergy: Energy = .zero,
        receivePower: Power, receivePowerPerMegabit: Power, sendPower: Power, sendPowerPerMegabit: Power,
        receiveRate: DataRate, sendRate: DataRate, tail: [TailStage], joinEnergy: Energy = .zero
    ) {
        self.idlePower = idlePower
        self.promotionPower = promotionPower
        self.promotionTime = promotionTime
        self.promotionExtraEnergy = promotionExtraEnergy
        self.receivePower = receivePower
        self.receivePowerPerMegabit = receivePowerPerMegabit
        self.sendPower = sendPower
        self.sendPowerPerMegabit = sendPowerPerMegabit
        self.receiveRate = receiveRate
        self.sendRate = sendRate
        self.tail = tail
        self.joinEnergy = joinEnergy
    }

    /// Mean power of a radio that waits at its usual signal.
    public var standbyPower: Power { idlePower + weakSignalPower * signal.weakness }

    /// A radio that a phone lacks.
    ///
    /// The radio draws no power; if a workload uses it, it moves almost no data.
    static var absent: RadioParameters {
        RadioParameters(
            idlePower: .zero, promotionPower: .zero, promotionTime: .zero, receivePower: .zero,
            receivePowerPerMegabit: .zero, sendPower: .zero, sendPowerPerMegabit: .zero,
            receiveRate: .bitsPerSecond(1), sendRate: .bitsPerSecond(1), tail: [])
    }

    /// Wi-Fi of today.
    ///
    /// ARO WiFi.conf gives 20 mW for standby. EnergyBox gives 0.25 W for the awake radio, which stays awake for 220 ms
    /// after the last packet. Pixel 4 and 6 power profiles give 98-125 mA for receiving and 351-470 mA for sending, at
    /// 3.7 V. Slopes, rates and join energy are assumptions.
    public static var wifi: RadioParameters {
        RadioParameters(
            idlePower: .milliwatts(20), promotionPower: .milliwatts(250), promotionTime: .zero,
            receivePower: .milliwatts(400), receivePowerPerMegabit: .milliwatts(5), sendPower: .milliwatts(1300),
            sendPowerPerMegabit: .milliwatts(15), receiveRate: .megabitsPerSecond(80),
            sendRate: .megabitsPerSecond(40), tail: [TailStage(power: .milliwatts(250), duration: .milliseconds(220))],
            joinEnergy: .joules(0.75))
    }

    /// Wi-Fi of 2012, to compare with LTE of that year.
    ///
    /// Source: Huang et al., MobiSys 2012, Tables 3 and 4 as others quote them (not checked in the paper). Tail 238 ms
    /// at 119 mW, promotion 79 ms at 124 mW, 137.01 and 283.17 mW per Mbit/s over 132.86 mW. The rates are an
    /// assumption.
    public static var wifi2012: RadioParameters {
        RadioParameters(
            idlePower: .milliwatts(20), promotionPower: .milliwatts(124), promotionTime: .milliseconds(79),
            receivePower: .milliwatts(132.86), receivePowerPerMegabit: .milliwatts(137.01),
            sendPower: .milliwatts(132.86), sendPowerPerMegabit: .milliwatts(283.17),
            receiveRate: .megabitsPerSecond(6), sendRate: .megabitsPerSecond(6),
            tail: [TailStage(power: .milliwatts(119), duration: .milliseconds(238))])
    }

    /// LTE of 2012: the published model, as a check and as a stress case.
    ///
    /// Source: Huang et al., MobiSys 2012, through ARO lte.conf. Promotion 1.21 W for 0.26 s, tail 1.06 W for 11.576 s,
    /// paging 0.594 W for 43 ms every 1.28 s. The slopes and the median rates of 13 and 6 Mbit/s also come from there.
    public static var lte2012: RadioParameters {
        RadioParameters(
            idlePower: .milliwatts(20), promotionPower: .milliwatts(1210), promotionTime: .milliseconds(260),
            receivePower: .milliwatts(1288.04), receivePowerPerMegabit: .milliwatts(51.97),
            sendPower: .milliwatts(1288.04), sendPowerPerMegabit: .milliwatts(438.39),
            receiveRate: .megabitsPerSecond(13), sendRate: .megabitsPerSecond(6),
            tail: [TailStage(power: .milliwatts(1060), duration: .milliseconds(11576))])
    }

    /// LTE of 2020 (Verizon, Galaxy S20 class).
    ///
    /// Source: data of Narayanan et al., SIGCOMM 2021. Timers come from RRC-Probe; active powers are fitted to
    /// MN-Transfer without the screen. Tail power, promotion power, paging and rates are assumptions.
    public static var lte2020: RadioParameters {
        RadioParameters(
            idlePower: .milliwatts(8), promotionPower: .milliwatts(900), promotionTime: .milliseconds(320),
            receivePower: .milliwatts(500), receivePowerPerMegabit: .milliwatts(11.54), sendPower: .milliwatts(500),
            sendPowerPerMegabit: .milliwatts(76.68), receiveRate: .megabitsPerSecond(35),
            sendRate: .megabitsPerSecond(10), tail: [TailStage(power: .milliwatts(180), duration: .milliseconds(10200))]
        )
    }
}

extension RadioParameters {
    /// The keys of these values in files, with their allowed ranges.
    public static let keys: [FileKey<RadioParameters>] = [
        .amount(\.idlePower, "idle_power", .power),
        .amount(\.promotionPower, "promotion_power", .power),
        .time(\.promotionTime, "promotion_time"),
        .amount(\.promotionExtraEnergy, "promotion_extra_energy", .energy),
        .amount(\.receivePower, "receive_power", .power),
        .amount(\.receivePowerPerMegabit, "receive_power_per_megabit", .power),
        .amount(\.sendPower, "send_power", .power),
        .amount(\.sendPowerPerMegabit, "send_power_per_megabit", .power),
        .amount(\.joinEnergy, "join_energy", .energy),
        .amount(\.searchPower, "search_power", .power),
        .amount(\.weakSignalPower, "weak_signal_power", .power),
        .time(\.roundTrip, "round_trip", 0...60),
        .choice(\.signal, "signal", "signal"),
        .amount(\.receiveRate, "receive_rate", .dataRate, 1...1e12),
        .amount(\.sendRate, "send_rate", .dataRate, 1...1e12),
        .records(\.tail, "tail", stage, FileListRule("at most 4 stages") { $0.count <= 4 }) { numbers in
            TailStage(
                power: .watts(numbers[0] ?? 0), duration: .seconds(numbers[1] ?? 0),
                resumeTime: .seconds(numbers[2] ?? 0))
        },
    ]

    private static let stage = FileRecord(
        "a map", example: "{power: 250 mW, duration: 220 ms}",
        fields: [
            .quantity("power", .power, 0...1e15), .quantity("duration", .time, 0...SimDuration.longestStated),
            .quantity("resume_time", .time, 0...SimDuration.longestStated, isOptional: true),
        ])
}
