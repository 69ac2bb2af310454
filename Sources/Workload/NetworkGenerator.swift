// SPDX-License-Identifier: GPL-3.0-or-later
import Platform
import Quantities
import RandomStreams
import Vocabulary

/// Spells of Wi-Fi and cellular (models/recordings.md, sections 2.6 and 5.7).
///
/// In each location, spells on and off Wi-Fi alternate. Their lengths are lognormal. A factor stretches the spells on
/// Wi-Fi and its inverse the spells off Wi-Fi, so that the share on Wi-Fi is that of the location. A change of location
/// draws the state anew. The cellular network has its own spells, which matter only without Wi-Fi.
struct NetworkGenerator: Sendable {
    private let lengths: [Location: (on: LogNormal, off: LogNormal, share: Double)]
    private let cellular: Persona.Cellular
    private var stream: RandomStream
    private var signals: RandomStream
    private var location: Location?
    private var isOn = false
    private var nextFlip = SimTime.zero
    private var hasSignal = true
    private var nextSignal = SimTime.distantFuture
    /// The level of the last signal intent; nil where locations have no stated level.
    private var level: SignalLevel?

    init(persona: Persona, keys: StreamKeys) {
        stream = keys.stream("network")
        signals = keys.stream("signal")
        cellular = persona.cellular
        let wifi = persona.wifi
        // The last number is the length of a usual stay in hours, which limits a spell (assumption).
        let locations: [(Location, Double, Double)] = [
            (.home, wifi.home, 12), (.work, wifi.work, 8), (.transit, wifi.transit, 0.7), (.other, wifi.other, 2),
            (.abroad, wifi.abroad, 12),
        ]
        var lengths: [Location: (on: LogNormal, off: LogNormal, share: Double)] = [:]
        for (location, share, hours) in locations {
            // The country's factor does not apply abroad.
            let share = min(max(share * (location == .abroad ? 1 : wifi.countryFactor), 0), 1)
            let stretch = Self.stretch(wifi.onSpell, wifi.offSpell, share: share, within: hours * 3600)
            lengths[location] = (
                Self.stretched(wifi.onSpell, by: stretch), Self.stretched(wifi.offSpell, by: 1 / stretch), share
            )
        }
        self.lengths = lengths
    }

    /// Appends the changes during a day's stays; days must be passed in order.
    mutating func generate(_ stays: [Stay], into intents: inout [Intent]) {
        for stay in stays {
            if location != stay.location { enter(stay, into: &intents) }
            while min(nextFlip, nextSignal) < stay.end {
                if nextFlip <= nextSignal {
                    isOn.toggle()
                    intents.append(intent(at: nextFlip))
                    drawSpell(from: nextFlip)
                } else {
                    hasSignal.toggle()
                    if !isOn { intents.append(intent(at: nextSignal)) }
                    drawSignal(from: nextSignal)
                }
            }
        }
    }

    private mutating func enter(_ stay: Stay, into intents: inout [Intent]) {
        let isFirst = location == nil
        location = stay.location
        intents.append(Intent(.location, at: stay.start, value: Double(stay.location.number)))
        if cellular.hasSignals {
            let now = cellular.signal(at: stay.location) ?? .excellent
            if now != level { intents.append(Intent(.signal, at: stay.start, value: Double(now.number))) }
            level = now
        }
        let (wasOn, hadSignal) = (isOn, hasSignal)
        isOn = stream.uniform() < share
        drawSpell(from: stay.start)
        hasSignal = covered >= 1 || covered > 0 && signals.uniform() < covered
        drawSignal(from: stay.start)
        let changes = isOn != wasOn || !isOn && hasSignal != hadSignal
        if isFirst || changes { intents.append(intent(at: stay.start)) }
    }

    /// Share of the time at this location in which the cellular network is in reach.
    private var covered: Double {
        switch location {
        case .home: cellular.home
        case .work: cellular.work
        case .transit: cellular.transit
        case .other: cellular.other
        case .abroad: cellular.roams ? cellular.other : 0
        case nil: 1
        }
    }

    /// Draws the length of the present gap of the signal, or the time until the next gap, which follows from the share
    /// of gaps.
    private mutating func drawSignal(from start: SimTime) {
        guard covered > 0, covered < 1 else {
            nextSignal = .distantFuture
            return
        }
        let gap = cellular.gap
        let seconds =
            hasSignal
            ? signals.exponential(mean: gap.limitedMean(gap.cap) * covered / (1 - covered)) : gap.draw(&signals)
        nextSignal = start + max(.seconds(seconds), .second)
    }

    private var share: Double {
        guard let location, let entry = lengths[location] else { return 0 }
        return entry.share
    }

    private mutating func drawSpell(from start: SimTime) {
        guard let location, let entry = lengths[location], entry.share > 0, entry.share < 1 else {
            nextFlip = .distantFuture
            return
        }
        let seconds = (isOn ? entry.on : entry.off).draw(&stream)
        // Assumption: a phone needs some seconds to join or to give up a network.
        nextFlip = start + max(.seconds(seconds), .seconds(5))
    }

    private func intent(at time: SimTime) -> Intent {
        let network = isOn ? Network.wifi : hasSignal ? Network.cellular : Network.none
        return Intent(.network, at: time, value: Double(network.rawValue))
    }

    /// The factor f for which E[min(f on, w)] / E[min(off / f, w)] = share / (1 - share), by bisection on ln f.
    private static func stretch(_ on: LogNormal, _ off: LogNormal, share: Double, within: Double) -> Double {
        guard share > 0, share < 1 else { return 1 }
        var low = -12.0
        var high = 12.0
        for _ in 0..<60 {
            let middle = (low + high) / 2
            let onMean = stretched(on, by: exp(middle)).limitedMean(within)
            let offMean = stretched(off, by: exp(-middle)).limitedMean(within)
            if onMean / (onMean + offMean) < share { low = middle } else { high = middle }
        }
        return exp((low + high) / 2)
    }

    private static func stretched(_ spell: LogNormal, by factor: Double) -> LogNormal {
        LogNormal(mu: spell.mu + log(factor), sigma: spell.sigma, cap: spell.cap)
    }
}
