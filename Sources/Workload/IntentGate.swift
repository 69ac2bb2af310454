// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Keeps a replay consistent where it joins recorded days that did not follow each other.
struct IntentGate: Sendable {
    private var isOn = false
    private var watts = 0.0
    private var lowPowerMode = 0.0

    /// Whether an intent is valid in the present state; a valid intent changes the state.
    mutating func admit(_ intent: Intent) -> Bool {
        switch intent.kind {
        case .unlock:
            if isOn { return false }
            isOn = true
        case .lock:
            if !isOn { return false }
            isOn = false
        case .open, .interrupt: return isOn
        case .plug:
            if watts > 0 { return false }
            watts = intent.value
        case .unplug:
            if watts == 0 { return false }
            watts = 0
        case .lowPowerMode: lowPowerMode = intent.value
        case .forceQuit, .topUp, .network, .push, .signal, .restart, .install, .location: break
        }
        return true
    }

    /// The intents that lead to the state at the beginning of another recorded day, with the screen off.
    mutating func seam(to state: TraceRecording.DayState, at time: SimTime) -> [Intent] {
        var intents: [Intent] = []
        if isOn { intents.append(Intent(.lock, at: time)) }
        if watts > 0, state.watts != watts { intents.append(Intent(.unplug, at: time)) }
        if state.watts > 0, state.watts != watts { intents.append(Intent(.plug, at: time, value: state.watts)) }
        if let network = state.network { intents.append(Intent(.network, at: time, value: network)) }
        if let signal = state.signal { intents.append(Intent(.signal, at: time, value: signal)) }
        if let location = state.location { intents.append(Intent(.location, at: time, value: location)) }
        if state.lowPowerMode != lowPowerMode {
            intents.append(Intent(.lowPowerMode, at: time, value: state.lowPowerMode))
        }
        isOn = false
        (watts, lowPowerMode) = (state.watts, state.lowPowerMode)
        return intents
    }
}
